"""docs/json.md names every key that a command prints as JSON, and no other."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import polars as pl
import pytest
from command_line import json_commands

from adjudge.data.edit_table import edit_table
from adjudge.data.judgement_table import judgement_table
from adjudge.data.score_table import score_table
from adjudge.data.table_files import write

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs" / "json.md"
ANYWHERE = {"signature", "notes"}  # said once for all commands
QUICK = ("--replicates", "20")

Rows = list[dict[str, object]]


def sections() -> dict[str, str]:
    """The text about each command."""
    parts = re.split(r"^## `adjudge ([\w -]+)`$", DOCS.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(section: str) -> Iterator[tuple[str, set[str]]]:
    """Every row of a table with a column of keys: its first cell, and the keys."""
    column = None
    for line in section.splitlines():
        cells = re.split(r"(?<!\\)\|", line)[1:-1] if line.startswith("|") else []
        if not cells:
            column = None
        elif column is None:
            column = next((i for i, cell in enumerate(cells) if "key" in cell), -1)
        elif column >= 0:
            without_asides = re.sub(r"\([^)]*\)|: .*", "", cells[column])
            keys = set(re.findall(r"`([a-z][a-z0-9_]*(?:LABEL)?)`", without_asides))
            if keys:
                yield cells[0].strip(), keys


def agree(section: str, rows: Rows) -> None:
    """The keys of the rows are those of the section, both ways."""
    named = set().union(*(keys for _, keys in documented(sections()[section])))
    patterns = [name.replace("LABEL", ".+") for name in named]
    printed = {key for row in rows for key in row} - ANYWHERE
    assert {key for key in printed if not any(re.fullmatch(p, key) for p in patterns)} == set()
    assert {p for p in patterns if not any(re.fullmatch(p, key) for key in printed)} == set()


@pytest.fixture
def rows_of(adjudge) -> Callable[..., Rows]:
    """The rows of a command."""

    def rows_of(*arguments: str) -> Rows:
        answer = adjudge(*arguments, "--format", "json")
        assert answer.code == 0, answer.err
        rows: Rows = json.loads(answer.out)
        assert rows, arguments
        return rows

    return rows_of


@pytest.fixture(scope="module")
def judged(tmp_path_factory, complete) -> str:
    """Judgements that every command can say everything about."""
    path = str(tmp_path_factory.mktemp("keys") / "judged.parquet")
    write(complete, path)
    return path


@pytest.fixture(scope="module")
def circle(tmp_path_factory) -> str:
    """Systems that beat each other in a circle, and one that beats the best but not the rest."""
    blocks = [("AB", 12), ("BC", 12), ("CA", 12), ("BA", 4), ("AD", 12), ("DB", 9), ("EF", 3)]
    blocks += [("DE", 9), ("FA", 1), ("EA", 9), ("FG", 17), ("GF", 6)]
    blocks += [(pair, 1) for pair in ("AG", "BG", "CG", "DG", "EG", "BF", "CF", "DF", "CE", "CD")]
    pairs = [pair for pair, number in blocks for _ in range(number)]
    table = judgement_table(
        pl.DataFrame(
            {"pair": "a-b", "ranking": number, "judge": "j", "output": system, "rank": rank}
            for number, pair in enumerate(pairs)
            for rank, system in enumerate(pair, 1)
        )
    )
    path = str(tmp_path_factory.mktemp("circle") / "circle.parquet")
    write(table, path)
    return path


def test_every_command_that_prints_json_has_a_section():
    assert {*json_commands(), "report"} == sections().keys()


@pytest.mark.parametrize(
    ("command", "options"),
    [("rank", QUICK), ("compare", ()), ("plan", ("--simulations", "10"))],
)
def test_commands_on_judgements(judged, command, options, rows_of):
    agree(command, rows_of(command, judged, *options))


EXAMPLES = DOCS.parent / "examples"
CANDIDATES = (str(EXAMPLES / "candidates.jsonl"), "--reference", str(EXAMPLES / "reference.txt"))


def test_tuning(tmp_path, rows_of):
    few = (*QUICK, "--restarts", "2", "--rounds", "0")
    lists = rows_of("tune", *CANDIDATES, *few)
    # A decoder that knows one list only.
    command = f"sh -c 'cat {CANDIDATES[0]} # {{weights}}'"
    decoder = ("--decoder", command, "--weights", EXAMPLES / "start.txt", "--folder", tmp_path)
    agree("tune", lists + rows_of("tune", *decoder, *CANDIDATES[1:], *few))


def test_variance_of_tuning(rows_of):
    few = ("--sets", "2", "--seeds", "2", "--restarts", "2", "--rounds", "0")
    metrics = ("-m", "bleu", "-m", "wer")
    agree("tune-variance", rows_of("tune-variance", *CANDIDATES, *QUICK, *few, *metrics))


def test_models_of_quality(tmp_path, rows_of):
    lines = [
        (f"{'a ' * (n % 9 + 1)}.", f"{'b ' * (n % 9 + 1)}{'x ' * (n % 4)}.") for n in range(40)
    ]
    edited = [f"{source}\t{target}\t{target.replace('x', 'y y')}" for source, target in lines]
    data = tmp_path / "edited.tsv"
    data.write_text("\n".join(["source\ttarget\tpost_edit", *edited, ""]))
    ranked = tmp_path / "ranked.jsonl"
    candidates = [
        {"system": s, "rank": r, "text": f"b {'x ' * r}."} for s, r in (("A", 1), ("B", 2))
    ]
    asked = [{"segment": str(n), "source": f"a {n} .", "candidates": candidates} for n in range(20)]
    ranked.write_text("".join(json.dumps(row) + "\n" for row in asked))
    train = ("quality", "train", "-o", str(tmp_path / "model.adjudge"), "--feature")
    model = str(tmp_path / "model.adjudge")
    trained, shown, predicted = [], [], []
    for told in (
        ("counts", str(data), "--learner", "elastic-net"),
        ("counts", str(ranked)),
        ("word", str(data), "--task", "words", "--labels", "binary"),
        ("word", str(data), "--task", "words", "--labels", "edits"),
    ):
        trained += rows_of(*train, *told)
        shown += rows_of("quality", "show", model)
        predicted += rows_of("quality", "predict", model, told[1])
    assert shown == trained
    agree("quality train", trained)
    agree("quality show", shown)
    agree("quality predict", predicted)
    gains = []
    for told, more in (
        (("counts", str(data), "--learner", "pls"), data),
        (("counts", str(ranked)), ranked),
    ):
        rows_of(*train, *told)
        other = tmp_path / f"other{more.suffix}"
        other.write_text("".join(more.read_text().splitlines(keepends=True)[:-5]))
        gains += rows_of("quality", "gain", model, str(other), *QUICK)
    agree("quality gain", gains)
    rows_of(*train, "counts", str(data), "--learner", "gaussian-process")
    agree("quality order", rows_of("quality", "order", model, str(data), "--number", "3"))


def test_simulate_and_coverage(tmp_path, rows_of):
    agree("simulate", rows_of("simulate", "-o", str(tmp_path / "s.parquet"), "--rankings", "50"))
    small = ("--rankings", "60", "--systems", "3", "--judges", "3", "--campaigns", "2")
    agree("coverage", rows_of("coverage", *small, "--unit", "auto", "--effects", "none"))


def test_methods(circle, rows_of):
    agree("methods", [*rows_of("methods"), *rows_of("methods", circle, "--runs", "2")])


def test_agreement(judged, rows_of):
    rows = rows_of("agreement", judged, *QUICK)
    for by in ("coefficient", "block-size", "judge", "judges", "controls"):
        rows += rows_of("agreement", judged, "--by", by, *QUICK)
    agree("agreement", rows)


def test_label_agreement(tmp_path, rows_of):
    labels = tmp_path / "labels.csv"
    said = "".join(f"i{n},{judge},{'AB'[n % 2]}\n" for n in range(9) for judge in ("x", "y"))
    labels.write_text("item,judge,label\n" + said)
    pairs = judgement_table(
        pl.DataFrame(
            {
                "pair": "a-b",
                "ranking": 2 * n + j,
                "segment": f"{n}",
                "judge": f"j{j}",
                "protocol": "pairwise",
                "output": system,
                "rank": rank,
            }
            for n in range(8)
            for j in range(2)
            for rank, system in enumerate("AB" if n % 2 else "BA", 1)
        )
    )
    choices = str(tmp_path / "pairs.parquet")
    write(pairs, choices)
    rows = [row for file in (str(labels), choices) for row in rows_of("label-agreement", file)]
    agree("label-agreement", rows)


def test_diagnose(judged, circle, rows_of):
    section = sections()["diagnose"]
    agree_with = re.split(r"^\| finding \|", section, flags=re.MULTILINE)[0]
    summary = set().union(*(keys for _, keys in documented(agree_with)))
    assert {key for row in rows_of("diagnose", judged) for key in row} - ANYWHERE == summary
    rows = [row for file in (judged, circle) for row in rows_of("diagnose", file, "--details")]
    table = dict(documented("\n| finding |" + section.split("\n| finding |")[1]))
    for first, keys in table.items():
        names = re.findall(r"`([\w-]+)`", first)
        printed = {
            key
            for row in rows
            for key in row
            if (row["finding"] in names and row["part"] == "details")
            or (names == ["part", "order"] and row["part"] == "order")
        }
        assert first == "all" or printed - ANYWHERE == keys | table["all"], first


def test_timing(judged, rows_of):
    rows = [
        row for by in ("judge", "group", "pair") for row in rows_of("timing", judged, "--by", by)
    ]
    agree("timing", [*rows, *rows_of("timing", judged)])


def test_scores(tmp_path, rows_of):
    rng = Random(1)
    table = score_table(
        pl.DataFrame(
            {
                "pair": "en-cs",
                "segment": f"{segment}",
                "item": segment * 2 + judge,
                "judge": f"j{judge}",
                "output": output,
                "text": "some words",
                "scale": "errors",
                "score": float(score),
                "spans": [{"start": 0, "end": 4, "severity": severity, "category": "x"}],
            }
            for segment in range(8)
            for judge in range(2)
            for output in "AB"
            for severity, score in [rng.choice([("major", -5), ("minor", -1)])]
        )
    )
    path = str(tmp_path / "scores.jsonl")
    write(table, path)
    agree("scores", rows_of("scores", path, *QUICK))


def test_assist(tmp_path, rows_of):
    rows = [
        {"pair": "en-cs", "segment": f"{n}", "item": n, "output": system, "judge": f"j{n % 3}"}
        | {"scale": "da", "score": float(n * (3 if system == "A" else 7) % 11)}
        for n in range(1, 25)
        for system in "AB"
    ]
    path, metric = tmp_path / "scores.jsonl", tmp_path / "m.seg.score"
    write(score_table(pl.DataFrame(rows)), str(path))
    metric.write_text("".join(f"{system}\t{n % 7}\n" for system in "AB" for n in range(40)))
    agree("assist", rows_of("assist", str(path), "--metric-scores", str(metric)))


def test_metaeval(tmp_path, rows_of):
    people, metric = tmp_path / "en-cs.da.seg.score", tmp_path / "m.seg.score"
    people.write_text("".join(f"{system}\t{n % 5}\n" for n, system in enumerate("AABBCC")))
    metric.write_text("".join(f"{system}\t{n % 4}\n" for n, system in enumerate("AABBCC")))
    rows = rows_of("metaeval", str(people), "--metric-scores", str(metric), *QUICK)
    agree("metaeval tables", rows)


def test_metaeval_check(tmp_path, adjudge):
    (tmp_path / "expected.tsv").write_text("pair\ttestset\tsystem\tsegments\nen-cs\tt\tA\t2\n")
    (tmp_path / "m.seg.score").write_text("A\t1\nA\tNone\n")
    answer = adjudge(
        *("metaeval", "check", tmp_path / "m.seg.score", "--package", tmp_path, "-f", "json")
    )
    agree("metaeval check", json.loads(answer.out))


def test_understandability_and_info(tmp_path, judged, rows_of):
    rows: Rows = []
    for n in range(12):
        about = {"pair": "en-cs", "segment": f"{n}", "output": "AB"[n % 2], "document": "d"}
        edit = {"protocol": "blind-edit", "item": 10 * n, "judge": f"e{n % 3}", "edit": f"{n}"}
        rows.append(about | edit)
        for reviewer in (1, 2):
            review = {"protocol": "review", "item": 10 * n + reviewer, "reviewed": 10 * n}
            rows.append(about | review | {"judge": f"r{reviewer}", "verdict": "yes"})
    path = str(tmp_path / "edits.jsonl")
    write(edit_table(pl.DataFrame(rows, infer_schema_length=None)), path)
    agree("understandability", rows_of("understandability", path, *QUICK))
    agree("info", [*rows_of("info", judged), *rows_of("info", path)])


def test_campaigns(tmp_path, campaign_command: Callable[..., str]):
    (tmp_path / "src.txt").write_text("".join(f"sentence {n}\n" for n in range(6)))
    systems = []
    for system in "ABC":
        lines = (f"Satz {n} von {system}\n" for n in range(6))
        (tmp_path / f"{system}.txt").write_text("".join(lines))
        systems += ["--system", f"{system}={system}.txt"]
    plain = ("--set", "reference=off")
    both = ("--protocol", "ranking:2", "--protocol", "direct-assessment:2")
    campaign_command(
        "create", "test", "--source", "src.txt", "--pair", "en-de", *systems, *both, *plain
    )
    agree("campaign invite", json.loads(campaign_command("invite", "test", "Ann", "-f", "json")))
    agree("campaign status", json.loads(campaign_command("status", "test", "-f", "json")))


@pytest.fixture
def campaign_command(tmp_path, adjudge_process) -> Callable[..., str]:
    """Runs `adjudge campaign` in a process of its own: a store belongs to a process."""

    def run(*words: str) -> str:
        answer = adjudge_process("campaign", *words, folder=tmp_path)
        assert answer.code == 0, answer.err
        return str(answer.out)

    return run


def test_metrics(tmp_path, rows_of):
    for name, lines in (("ref", "a b c\nd e f\n"), ("x", "a b c\nd e\n"), ("y", "a\nf\n")):
        (tmp_path / name).write_text(lines)
    texts = ["--reference", str(tmp_path / "ref")]
    texts += [part for name in "xy" for part in ("--system", f"{name}={tmp_path / name}")]
    rows = rows_of("metrics")
    for options in ((), ("--paired",), ("--level", "segment")):
        rows += rows_of("metrics", *texts, "-m", "bleu", *options)
    agree("metrics", rows)
    (tmp_path / "z").write_text("b\nd e f\n")
    (tmp_path / "votes.csv").write_text("model_a,model_b,winner\nx,y,model_a\ny,z,tie\n")
    people = ["--human", str(tmp_path / "votes.csv"), "--system", f"z={tmp_path / 'z'}"]
    agree("references", rows_of("references", *texts, *people))


def test_quality_features(tmp_path, rows_of):
    examples = Path(__file__).parents[2] / "docs" / "examples"
    texts = [str(examples / f"{name}.txt") for name in ("source", "reference")]
    kept = str(tmp_path / "kept")
    agree("quality resources", rows_of("quality", "resources", *texts, "--folder", kept))
    (tmp_path / "data.tsv").write_text("source\ttarget\nA cat.\tEine Katze.\n")
    asked = ("quality", "features", str(tmp_path / "data.tsv"), "--resources", kept)
    agree("quality features", rows_of(*asked) + rows_of(*asked, "--level", "word"))


def test_segments(rows_of):
    examples = Path(__file__).parents[2] / "docs" / "examples"
    database = str(examples / "segments.jsonl")
    for command in ("database", "rank", "leave-one-out"):
        more = () if command == "database" else QUICK
        agree(f"segments {command}", rows_of("segments", command, database, *more))
    rows = rows_of("segments", "closest", database)
    rows += rows_of("segments", "closest", database, "--examples", "3")
    agree("segments closest", rows)
    texts = ["--text", f"A={examples / 'A.txt'}", "--reference-text", examples / "reference.txt"]
    parsed = [f"--{name}={examples / 'parsed' / name}.txt" for name in ("source", "reference")]
    parsed += [f"--trees={examples / 'parsed' / 'trees.txt'}"]
    for name in ("A", "B"):
        parsed += [f"--system={name}={examples / 'parsed' / name}.txt"]
        parsed += [f"--alignment={name}={examples / 'parsed' / name}.links"]
    agree("segments extract", rows_of("segments", "extract", *parsed))
    agree("segments bleu", rows_of("segments", "bleu", database, *map(str, texts), *QUICK))
