"""A new system from its plain output: candidates found in it, its score, what to ask next."""

import json
from pathlib import Path

import polars as pl
import pytest

import adjudge as door
from adjudge.core.errors import InputError, NotEnoughData
from adjudge.data.outputs import join_systems
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.prediction.database_hits import _candidate, _tokens, found_candidates
from adjudge.segments.prediction.predicted_score import draw_misses

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "segments.jsonl"
FEW = {"replicates": 50}
NEW = "small-nmt"


@pytest.fixture(scope="module")
def without() -> door.Segments:
    """The example's database without one of its systems."""
    return door.read(str(EXAMPLE)).select(without_system=NEW).segments()


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What that system wrote, as far as its segments are known: a line a sentence."""
    database = door.read(str(EXAMPLE)).segments().databases[0]
    own = database.number_of(NEW)
    lines = [""] * max(int(name) for name in database.sentences["sentence"])
    for row, sentence in enumerate(database.sentence):
        if database.text[row, own] >= 0:
            text = database.texts[database.text[row, own]]
            lines[int(database.sentences["sentence"][int(sentence)]) - 1] = f"{text}, foo bar."
    path = tmp_path_factory.mktemp("new") / f"{NEW}.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def true_candidates(database: SegmentDatabase) -> dict[str, str]:
    own = database.number_of(NEW)
    return {
        database.segments["segment"][int(database.segment[row])]: database.texts[text]
        for row, text in enumerate(database.text[:, own])
        if text >= 0
    }


def test_candidates_are_found_in_the_plain_output(without, output):
    database = without.databases[0]
    lines = output.read_text(encoding="utf-8").splitlines()
    found = found_candidates(database, lines, str(output))
    truth = true_candidates(door.read(str(EXAMPLE)).segments().databases[0])
    pairs = [
        (truth[name], mine)
        for name, mine in zip(
            database.segments["segment"].gather(database.segment), found, strict=True
        )
        if name in truth and mine is not None
    ]
    known = set(database.texts)
    hits = [(true, mine) for true, mine in pairs if true in known]
    assert len(hits) > 15
    assert sum(true == mine for true, mine in hits) > 0.7 * len(hits)


def test_what_judges_ranked_is_taken_where_it_is_nearly_that():
    output = _tokens("Die schwarze Katze schläft, sagt er.")
    assert output == ["Die", "schwarze", "Katze", "schläft", ",", "sagt", "er", "."]
    known = ["schwarze Katze", "Katze schläft , sagt", "der Hund"]
    assert _candidate(output, [1, 2, 3], known) == "schwarze Katze"
    assert _candidate(output, [2, 4, 5], known) == "Katze schläft , sagt"
    assert _candidate(output, [6], known) == "er"
    assert _candidate(output, [], known) is None


def test_numbers_and_abbreviations_stay_whole():
    assert _tokens("U.S. o 64,23 % v 6.30, „well-known“ …") == [
        *("U.S.", "o", "64,23", "%", "v", "6.30", ",", "„", "well-known", "“", "…")
    ]


def test_the_loop(without, output, tmp_path):
    """Evaluate, write what to ask, have it judged, evaluate again."""
    first = without.evaluate(str(output), ask=15, **FEW)[0]
    assert first.system == NEW
    assert first.systems.count(NEW) == 1
    assert first.unseen.hits + first.unseen.misses + first.missing == first.database.annotations
    assert len(first.next_segments) == 15
    assert 0.3 < first.narrowed < 1
    first.write_next(str(tmp_path / "segments.tsv"))
    written = pl.read_csv(tmp_path / "segments.tsv", separator="\t", infer_schema=False)
    assert written["segment"].n_unique() == 15
    mine = written.filter(pl.col("systems").str.split(" ").list.contains(NEW))
    assert sorted(mine["candidate_segment"]) == sorted(first.next_segments["candidate"])
    judged = _judged(first, tmp_path)
    again = door.read(str(_written(without, tmp_path)), judged).segments()
    second = again.evaluate(str(output), ask=15, **FEW)[0]
    assert second.unseen.judged == 15
    assert second.unseen.misses <= first.unseen.misses + 15
    assert second.unseen.variance < first.unseen.variance
    assert not set(second.next_segments["segment"]) & set(first.next_segments["segment"])


def _written(segments: door.Segments, folder: Path) -> Path:
    segments.judgements.write(str(folder / "database.parquet"))
    return folder / "database.parquet"


def _judged(evaluation, folder: Path) -> str:
    """The next segments ranked once more, as before, with the new candidate after all others."""
    database, rows = evaluation.database, []
    numbers = {name: number for number, name in enumerate(database.segments["segment"])}
    for number, asked in enumerate(evaluation.next_segments.to_dicts(), 1000):
        annotation = database.segment.tolist().index(numbers[asked["segment"]])
        ranked = database.candidates.filter(pl.col("annotation") == annotation).to_dicts()
        source, reference = database.sentences.row(int(database.sentence[annotation]))[1:]
        outputs = [(" ".join(row["systems"]), row["rank"], row["text"]) for row in ranked]
        candidates = [(s, rank, database.texts[text]) for s, rank, text in outputs]
        for systems, rank, text in [*candidates, (NEW, 9, asked["candidate"])]:
            row = {"pair": evaluation.pair, "protocol": "segments", "segment": asked["segment"]}
            row |= {"ranking": number, "source": source, "reference": reference, "judge": "j"}
            rows.append(row | {"output": join_systems(systems.split()), "rank": rank, "text": text})
    path = folder / "judged.jsonl"
    door.from_rankings(pl.DataFrame(rows, strict=False)).write(str(path))
    return str(path)


def test_worse_than_predicted_by_judges_lowers_the_rest(without, output, tmp_path):
    first = without.evaluate(str(output), ask=15, **FEW)[0]
    again = door.read(str(_written(without, tmp_path)), _judged(first, tmp_path)).segments()
    second = again.evaluate(str(output), **FEW)[0]
    assert first.unseen.effect == 0
    assert second.unseen.effect < 0
    assert second.score < first.score


def test_what_is_drawn_has_more_doubt():
    doubt = pl.DataFrame({"annotation": range(2000), "doubt": [0.01] * 1000 + [1.0] * 1000})
    drawn = draw_misses(doubt, seed=1)
    assert sorted(drawn["annotation"]) == list(range(2000))
    share = (drawn.head(200)["doubt"] == 1.0).mean()
    assert 0.85 < share < 0.97  # ten times as likely as the others
    assert draw_misses(doubt, 1).equals(drawn)
    assert not draw_misses(doubt, 2).equals(drawn)


def test_by_command(adjudge, without, output, tmp_path):
    database = _written(without, tmp_path)
    arguments = ("segments", "evaluate", output, "--database", database, "--replicates", "50")
    done = adjudge(*arguments, "--ask", "5", "--write-next", tmp_path / "next.tsv")
    assert done.code == 0, done.err
    assert f"{NEW} among 5 ranked systems" in done.out
    assert "Judging the 5 next segments would narrow its interval by about" in done.out
    six = (tmp_path / "next.tsv").read_text(encoding="utf-8").splitlines()
    assert {line.count("\t") for line in six} == {5}
    rows = json.loads(adjudge(*arguments, "--name", "mine", "--format", "json").out)
    assert [row["system"] for row in rows if row["new"]] == ["mine"]
    assert rows[0]["unit"] == "sentence"
    short = tmp_path / "short.txt"
    short.write_text("ein Satz\n")
    refused = adjudge("segments", "evaluate", short, "--database", database)
    assert refused.code == 2
    assert "short.txt: has 1 lines, but sentence 60 is the last one" in refused.err


def test_refusals(database_of, tmp_path):
    new = tmp_path / "new.txt"
    new.write_text("kočka spí\n" * 9)
    two = [(n, s, r, f"{s}{n}") for n in (1, 2) for r, s in enumerate("AB", 1)]
    with pytest.raises(NotEnoughData, match="names 2 systems, which is too few"):
        database_of(two).evaluate(str(new))
    rows = [(n, s, r, f"{s}{n}") for n in range(1, 9) for r, s in enumerate("ABCD", 1)]
    with pytest.raises(NotEnoughData, match="the database has no source sentences"):
        database_of(rows, source=None).evaluate(str(new))
    with pytest.raises(NotEnoughData, match="nobody ranked these candidates yet"):
        database_of([(n, s, None, t) for n, s, _, t in rows]).evaluate(str(new))
    with pytest.raises(NotEnoughData, match="nothing can be learnt for unseen ones"):
        database_of([(n, s, 1, t) for n, s, _, t in rows]).evaluate(str(new))
    named = [database_of([row], segment=f"s{row[0]}:0,1").judgements.table for row in rows]
    database = door.from_rankings(pl.concat(named)).segments()
    with pytest.raises(InputError, match="has 9 lines, but the database has 8 sentences"):
        database.evaluate(str(new))
    empty = tmp_path / "empty.txt"
    empty.write_text("\n" * 8 + "kočka\n")
    with pytest.raises(NotEnoughData, match="has no words for any segment"):
        database_of(rows).evaluate(str(empty))
