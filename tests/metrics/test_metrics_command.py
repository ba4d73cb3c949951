"""`adjudge metrics` and the Python door to it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.metrics.tokenizer import TOKENIZERS

pytestmark = pytest.mark.slow

REFERENCE = [
    f"the {word} sat on the mat number {i} ." for i, word in enumerate(["cat", "dog", "cow"] * 8)
]
GOOD = [line.replace("the mat", "a mat") for line in REFERENCE]
BAD = [" ".join(reversed(line.split())) for line in REFERENCE]

VARIED = [f"{i} word{i} and word{i + 7} of {i * i}" for i in range(24)]


@pytest.fixture
def folder(tmp_path):
    for name, lines in (("ref", REFERENCE), ("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "documents.tsv").write_text("\n".join(f"d{i // 2}" for i in range(24)) + "\n")
    return tmp_path


FILES = ["--reference", "ref.txt", "--system", "bad=bad.txt", "--system", "good=good.txt"]


def test_without_files_it_lists_the_metrics(adjudge):
    rows = json.loads(adjudge("metrics", "--format", "json").out)
    assert {row["metric"] for row in rows} == set(door.METRICS)
    assert next(row for row in rows if row["metric"] == "ter")["higher_is_better"] is False


def test_systems_from_best_to_worst(adjudge, folder):
    done = adjudge("metrics", *FILES, "--format", "json", folder=folder)
    rows = json.loads(done.out)
    for name in ("bleu", "chrf", "ter"):
        mine = [row for row in rows if row["metric"].startswith(name)]
        assert [row["system"] for row in mine] == ["good", "bad"]
        assert [row["cluster"] for row in mine] == [1, 2]
        assert all(row["low"] <= row["score"] <= row["high"] for row in mine)
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" in rows[0]["sacrebleu"]


def test_a_printed_signature_makes_its_column_again(adjudge, folder):
    rows = json.loads(adjudge("metrics", *FILES, "-m", "chrf", "-f", "json", folder=folder).out)
    again = adjudge("metrics", *FILES, "-m", rows[0]["metric"], "-f", "json", folder=folder)
    assert json.loads(again.out) == rows
    made = adjudge(
        "again", rows[0]["signature"], "ref.txt", "bad.txt", "good.txt", "-f", "json", folder=folder
    )
    assert json.loads(made.out) == rows


def test_documents_are_drawn_where_they_are_known(adjudge, folder):
    rows = {}
    for unit in ("auto", "segment", "document"):
        options = ["--documents", "documents.tsv", "--unit", unit, "-m", "bleu", "-f", "json"]
        rows[unit] = json.loads(adjudge("metrics", *FILES, *options, folder=folder).out)
    assert [row["unit"] for row in rows["auto"]] == ["document"] * 2
    assert rows["auto"][0]["documents"] == 12
    assert rows["auto"][0]["low"] == rows["document"][0]["low"]
    assert rows["segment"][0]["score"] == rows["document"][0]["score"]


def test_paired_tests(adjudge, folder):
    done = adjudge(
        "metrics", *FILES, "--paired", "-m", "bleu", "-m", "ter", "-f", "json", folder=folder
    )
    bleu, ter = json.loads(done.out)
    assert (
        (bleu["system"], bleu["other_system"])
        == (ter["system"], ter["other_system"])
        == ("good", "bad")
    )
    assert bleu["difference"] > 0 > ter["difference"]
    assert bleu["significant"]
    assert bleu["p_bootstrap"] == 1 / 1001


def test_identical_systems_do_not_differ():
    texts = door.from_texts({"A": GOOD, "B": GOOD}, [REFERENCE])
    test = texts.paired("bleu", replicates=100)[0]
    assert test.p_bootstrap == test.p_randomisation == 1
    assert test.difference == 0


def test_randomisation_agrees_with_sacrebleu():
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    random = np.random.default_rng(3)
    noisy = [
        [" ".join(w for w in line.split() if random.random() > share) for line in REFERENCE]
        for share in (0.30, 0.36)
    ]
    theirs = PairedTest(
        [("A", noisy[0]), ("B", noisy[1])], {"BLEU": BLEU()}, [REFERENCE], "ar", 2000
    )
    expected = theirs()[1]["BLEU"][1].p_value
    texts = door.from_texts({"A": noisy[0], "B": noisy[1]}, [REFERENCE])
    ours = texts.paired("bleu", replicates=2000)[0]
    assert ours.p_randomisation == pytest.approx(expected, abs=0.05)
    assert ours.p_bootstrap == pytest.approx(expected, abs=0.12)


@pytest.mark.parametrize(("layout", "columns"), [("mt-metrics-eval", 2), ("wmt14", 6)])
def test_files_of_segment_scores(adjudge, folder, layout, columns):
    options = ["--level", "segment", "--output", "scores/", "-m", "chrf", "--layout", layout]
    assert adjudge("metrics", *FILES, *options, "--pair", "en-de", folder=folder).code == 0
    lines = (folder / "scores" / "chrf.seg.score").read_text().splitlines()
    assert len(lines) == 48
    assert {len(line.split("\t")) for line in lines} == {columns}
    by_system = dict(
        line.split("\t")[-2:]
        for line in (folder / "scores" / "chrf.sys.score").read_text().splitlines()
    )
    assert float(by_system["good"]) > float(by_system["bad"])


def test_segments_as_a_table(adjudge, folder):
    rows = json.loads(
        adjudge(
            "metrics", *FILES, "--level", "segment", "-m", "ter", "-f", "json", folder=folder
        ).out
    )
    assert len(rows) == 48
    assert rows[0]["segment"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reference", "ref.txt"], "give a --system; there is nothing to score"),
        (["--system", "a=good.txt"], "give a --reference"),
        ([*FILES, "-m", "bleu(tokenise=13a)"], "bleu has no parameter 'tokenise'"),
        ([*FILES, "--system", "good=bad.txt"], "its name is taken"),
        ([*FILES, "-m", "bleu(tokenize=xx)"], "bleu: tokenizer cannot be 'xx'; there are: "),
        ([*FILES, "-m", "meteor"], "meteor needs its lists of words; give meteor(resources="),
        (
            [*FILES, "-m", "meteor(language=hi)"],
            "meteor: modules cannot have 'synonym' for language=hi; there are: exact, stem",
        ),
        ([*FILES, "--testset", "ref.txt"], "--testset has references and systems; give it alone"),
        (
            ["--reference", "varied.txt", "--system", "x=short.txt"],
            "short.txt: has 23 lines, varied.txt has 24; from line 11 on they seem to "
            "part; they must be parallel",
        ),
        (["--reference", "empty.txt", "--system", "x=empty.txt"], "empty.txt: is empty"),
        (["--reference", "latin.txt", "--system", "x=latin.txt"], "is not UTF-8"),
        (["--reference", "one.txt", "--system", "x=one.txt"], "only one segment"),
        ([*FILES, "--paired", "--unit", "none"], "--unit cannot be"),
        ([*FILES, "--paired", "--combine"], "ask for one of --paired, --combine and"),
        ([*FILES, "--human", "ref.txt"], "--human teaches the weights of --combine"),
        ([*FILES, "--confidence", "2"], "--confidence is between 0 and 1"),
        (["--reference", "ref.txt", "--system", "x=good.txt", "--paired"], "give two or more"),
    ],
)
def test_bad_input_is_said_in_one_line(adjudge, folder, arguments, said):
    (folder / "short.txt").write_text("\n".join(VARIED[:10] + VARIED[11:]) + "\n")
    (folder / "varied.txt").write_text("\n".join(VARIED) + "\n")
    (folder / "empty.txt").write_text("\n")
    (folder / "one.txt").write_text("one line\n")
    (folder / "latin.txt").write_bytes("weiß\n".encode("latin-1"))
    done = adjudge("metrics", *arguments, folder=folder)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_line_ends_and_byte_order_marks_change_nothing(adjudge, folder):
    (folder / "marked.txt").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(GOOD).encode() + b"\r\n")
    files = ["--reference", "ref.txt", "--system", "good=good.txt", "--system", "marked=marked.txt"]
    rows = json.loads(adjudge("metrics", *files, "-m", "bleu", "-f", "json", folder=folder).out)
    assert rows[0]["score"] == rows[1]["score"]


def test_empty_lines_and_tabs_are_scored(adjudge, folder):
    (folder / "gaps.txt").write_text("\n".join(["", *GOOD[1:]]) + "\n")
    (folder / "tabs.txt").write_text("\n".join(line.replace(" ", "\t") for line in GOOD) + "\n")
    given = ["good=good.txt", "gaps=gaps.txt", "tabs=tabs.txt"]
    systems = [word for each in given for word in ("--system", each)]
    options = [*systems, "-m", "ter", "-m", "bleu", "-f", "json"]
    rows = json.loads(adjudge("metrics", "--reference", "ref.txt", *options, folder=folder).out)
    score = {(row["metric"].split("(")[0], row["system"]): row["score"] for row in rows}
    for metric in ("ter", "bleu"):
        assert score[metric, "tabs"] == score[metric, "good"]
    assert score["ter", "gaps"] > score["ter", "good"]
    assert score["bleu", "gaps"] < score["bleu", "good"]
    done = adjudge("metrics", "--reference", "gaps.txt", *options, folder=folder)
    assert done.code == 0, done.err
    assert all(row["score"] is not None for row in json.loads(done.out))


def test_the_door_refuses_what_no_function_could_take():
    with pytest.raises(BadParameter, match="one list of lines for every reference"):
        door.from_texts({"A": GOOD}, REFERENCE)
    texts = door.from_texts({"A": GOOD}, [REFERENCE])
    with pytest.raises(BadParameter, match="`unit`"):
        texts.metrics("bleu", unit="judge")
    with pytest.raises(BadParameter, match="name a `metric`"):
        texts.metrics([])
    with pytest.raises(NotEnoughData, match="no document is known"):
        texts.metrics("bleu", unit="document")


@pytest.mark.parametrize(
    ("heading", "names"), [("Metrics", door.METRICS), ("Tokenizers", TOKENIZERS)]
)
def test_the_page_lists_all_that_there_are(heading, names):
    page = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    ours = [name for name in names if not name.startswith("their-")]
    assert sorted(re.findall(r"^\| `([^`]+)`", section, flags=re.M)) == sorted(ours)


def test_several_references_and_a_test_set(tmp_path):
    folder = tmp_path / "set"
    for name in ("sources", "references", "system-outputs/en-de"):
        (folder / name).mkdir(parents=True)
    (folder / "sources/en-de.txt").write_text("\n".join(REFERENCE))
    (folder / "references/en-de.refA.txt").write_text("\n".join(REFERENCE))
    (folder / "references/en-de.refB.txt").write_text("\n".join(GOOD))
    (folder / "system-outputs/en-de/good.txt").write_text("\n".join(GOOD))
    result = door.read_texts(testset=str(folder)).metrics("bleu")
    assert result.references == 2
    assert result.scores.tolist() == [pytest.approx(100)]
    assert result.pair == "en-de"


def test_any_number_of_workers_gives_the_same(adjudge, folder):
    shown = [
        adjudge("metrics", *FILES, "-m", "amber", "-f", "json", "--workers", number, folder=folder)
        for number in ("1", "2")
    ]
    assert shown[0].out == shown[1].out
    assert json.loads(shown[0].out)[0]["system"] == "good"
