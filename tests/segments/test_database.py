"""The database of ranked segments, and unseen systems: small cases worked out by hand."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import adjudge as door
from adjudge.core.errors import NotEnoughData

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "segments.jsonl"
ROWS = [
    (1, "A B", 1, "kočka"),
    (1, "C", 2, "kočky"),
    (1, "D", 4, "pes"),
    (2, "A", 1, "spí"),
    (2, "B", 1, "spala"),
    (2, "C D", 3, "spát"),
]
FEW = {"replicates": 20}


def test_what_it_holds(database_of):
    summary = database_of(ROWS).info()[0]
    assert (summary.sentences, summary.segments, summary.annotations) == (2, 2, 2)
    assert (summary.candidates, summary.systems, summary.unattributed) == (6, 4, 0)
    assert summary.all_equal == 0
    equal = database_of([(1, "A", 2, "a"), (1, "B", 2, "b"), (2, "A B", 1, "c")]).info()[0]
    assert equal.all_equal == 2  # one with a tie, one with a single candidate


def test_sentences_and_the_words_of_a_segment(database_of):
    database = database_of(ROWS, segment="7:1,2").databases[0]
    assert database.sentences.row(0) == ("7", "a black cat sleeps", "černá kočka spí")
    assert database.segments.row(0) == (0, "7:1,2", "black cat")


def test_ratio_of_wins(database_of):
    ranking = database_of(ROWS).rank(**FEW)
    scores = dict(zip(ranking.systems, ranking.scores, strict=True))
    # A beats C and D twice and ties with B; C beats D once and loses to A and B twice.
    assert scores == pytest.approx({"A": 1.0, "B": 1.0, "C": 1 / 5, "D": 0.0})


def test_exact_matching_knows_hits_only(database_of):
    left_out = {part.system: part for part in database_of(ROWS).leave_one_out(matching="exact")}
    assert left_out["A"].hits == 1  # kočka, which B made too; nobody else made spí
    assert left_out["A"].misses == 1
    assert left_out["A"].hit_rate == 0.5
    assert left_out["C"].score == pytest.approx(0.0)  # of annotation 2 only


def test_the_nearest_gives_its_rank(database_of):
    rows = database_of(ROWS).closest().rows.to_dicts()
    found = {(row["system"], row["annotation"]): row for row in rows}
    assert found["C", 0]["distance"] == 1  # kočky, kočka
    assert found["C", 0]["closest"] == "kočka"
    assert found["C", 0]["given"] == 1
    # spí is 2 from spát, which two systems made, and 3 from spala.
    assert found["A", 1]["given"] == 3


@pytest.mark.parametrize(("averaged", "rank"), [("systems", 5 / 3), ("segments", 2.0)])
def test_several_as_near(database_of, averaged, rank):
    rows = [(1, "A", 3, "ab"), (1, "B C", 1, "ac"), (1, "D", 3, "ad"), (2, "A", 1, "x")]
    rows += [(2, "B", 2, "y")]
    found = database_of(rows).closest(averaged=averaged).rows.to_dicts()
    (own,) = [row for row in found if row["system"] == "A" and row["annotation"] == 0]
    assert own["given"] == pytest.approx(rank)


texts = st.sampled_from(["a", "ab", "b", "abc", "bc d"])
annotations = st.lists(
    st.dictionaries(st.sampled_from("ABCD"), st.tuples(texts, st.integers(1, 4)), min_size=1),
    min_size=2,
    max_size=6,
)


@given(annotations)
def test_nearest_and_ratio_as_a_slow_reader_finds_them(database_of, drawn):
    """Every pair of systems by itself, against the arrays."""
    rows = []
    for number, made in enumerate(drawn, 1):
        rank_of: dict[str, int] = {}
        for text, rank in made.values():
            rank_of.setdefault(text, rank)
        for text, rank in rank_of.items():
            makers = " ".join(name for name in made if made[name][0] == text)
            rows.append((number, makers, rank, text))
    database = database_of(rows).databases[0]
    from adjudge.segments.closest_ranks import distances, nearest
    from adjudge.segments.overall import wins_and_losses

    wins, losses = wins_and_losses(database.rank)
    apart = distances(database) if len(database.systems) > 1 else None
    for place, number in enumerate(sorted({row[0] for row in rows})):
        ranks = {name: row[2] for row in rows if row[0] == number for name in row[1].split()}
        said = {name: row[3] for row in rows if row[0] == number for name in row[1].split()}
        for column, system in enumerate(database.systems):
            others = [name for name in ranks if name != system]
            if system in ranks:
                assert wins[place, column] == sum(ranks[system] < ranks[o] for o in others)
                assert losses[place, column] == sum(ranks[system] > ranks[o] for o in others)
            if apart is None:
                continue
            distance, given_rank = nearest(database, apart, system)
            if system not in ranks or not others:
                assert distance[place] == -1
                assert np.isnan(given_rank[place])
                continue
            far = {other: Levenshtein.distance(said[system], said[other]) for other in others}
            least = min(far.values())
            near = [ranks[other] for other in others if far[other] == least]
            assert distance[place] == least
            assert given_rank[place] == pytest.approx(sum(near) / len(near))


def test_best_segments_are_further_references(database_of, tmp_path):
    rows = [(1, "A", 1, "the dog"), (1, "B", 2, "a cat"), (2, "A B", 1, "x")]
    (tmp_path / "reference").write_text("one two three\nx y\n")
    (tmp_path / "output").write_text("the dog three\nx y\n")
    files = {"out": str(tmp_path / "output")}, str(tmp_path / "reference")
    from adjudge.api.text_reading import read_texts
    from adjudge.segments.segranks_bleu import segranks_bleu

    database = database_of(rows).databases[0]
    measured = segranks_bleu(database, read_texts(*files).material)
    # matches of 1 to 4 words, n-grams of 1 to 4 words, length, length of the reference
    assert measured.statistics[:, 0].tolist() == [
        [3, 1, 0, 0, 3, 2, 1, 0, 3, 3],
        [2, 1, 0, 0, 2, 1, 0, 0, 2, 2],
    ]


def test_bleu_of_texts_that_are_not_those(database_of, tmp_path):
    (tmp_path / "one").write_text("a single line\n")
    with pytest.raises(door.InputError, match="sentence '2' of the database is not a line"):
        database_of(ROWS).bleu({"A": str(tmp_path / "one")}, str(tmp_path / "one"))


def test_refusals(database_of):
    with pytest.raises(NotEnoughData, match="nobody ranked these candidates yet"):
        database_of([(1, "A", None, "a"), (1, "B", None, "b")]).info()
    with pytest.raises(NotEnoughData, match="no judgements of short segments"):
        database_of(ROWS, protocol="ranking").info()
    with pytest.raises(NotEnoughData, match="the candidates of 6 ranked segments are unknown"):
        database_of(ROWS, text=None).info()
    with pytest.raises(NotEnoughData, match="the sentences of 6 ranked segments are unknown"):
        database_of(ROWS, segment="no indices").info()
    with pytest.raises(NotEnoughData, match="A has two candidates of the segment 'a black cat'"):
        database_of([(1, "A", 1, "a"), (1, "A B", 2, "b")]).info()
    with pytest.raises(NotEnoughData, match="the database names 2 systems, which is too few"):
        database_of([(1, "A", 1, "a"), (2, "B", 2, "b")]).leave_one_out()
    with pytest.raises(NotEnoughData, match="only one sentence tells systems apart"):
        database_of([(1, "A", 1, "a"), (1, "B", 2, "b")]).rank()
    with pytest.raises(NotEnoughData, match="B is neither better nor worse"):
        database_of([(1, "A", 1, "a"), (1, "C", 2, "c"), (2, "B", 2, "b")]).rank()
    with pytest.raises(door.BadParameter, match="did you mean 'exact'"):
        database_of(ROWS).leave_one_out(matching="exactly")


def test_made_again_from_the_signature():
    database = door.read(str(EXAMPLE)).segments()
    for result in (database.rank(**FEW), database.leave_one_out(left_out="small-nmt", **FEW)):
        same = door.again(str(result.signature), str(EXAMPLE))
        assert same.to_frame().equals(result.to_frame())


def test_a_database_of_several_files_by_command(adjudge, tmp_path):
    """A campaign and SegRanks's own tables become one file, which says the same."""
    written = tmp_path / "database.parquet"
    first = adjudge("segments", "database", EXAMPLE, "--write", written, "--format", "json")
    assert first.code == 0, first.err
    tables = tmp_path / "annotations.tsv"
    assert adjudge("convert", EXAMPLE, "-o", tmp_path / "export.json", "--to", "segranks-json")
    for file in (written, tmp_path / "export.json"):
        again = adjudge("segments", "database", file, "--format", "json")
        assert again.code == 0, again.err
        keys = ("segments", "annotations", "candidates")
        before, after = json.loads(first.out)[0], json.loads(again.out)[0]
        assert [after[key] for key in keys] == [before[key] for key in keys]
    assert json.loads(again.out)[0]["unattributed"] == before["candidates"]
    refused = adjudge("segments", "rank", tmp_path / "export.json")
    assert refused.code == 2
    assert "names 0 systems" in refused.err
    assert not tables.exists()


def test_candidates_that_nobody_ranked_by_command(adjudge):
    done = adjudge("segments", "database", EXAMPLE.parent / "phrases.tsv")
    assert done.code == 2
    assert "nobody ranked these candidates yet" in done.err


def test_what_cannot_be_read_again_is_not_written(adjudge, tmp_path):
    for name in ("database.csv", "database.tsv", "database"):
        refused = adjudge("segments", "database", EXAMPLE, "--write", tmp_path / name)
        assert refused.code == 2
        assert "has one of the endings .parquet, .jsonl, annotations.tsv, .json" in refused.err
    assert not list(tmp_path.iterdir())
    lossy = adjudge("segments", "database", EXAMPLE, "--write", tmp_path / "export.json")
    assert "its format has no place for" in lossy.err
    assert "output" in lossy.err


def test_candidates_of_which_some_are_ranked(database_of):
    rows = [*ROWS, (3, "A", None, "a"), (3, "B", None, "b")]
    (summary,) = database_of(rows).info()
    assert (summary.unranked, summary.annotations) == (2, 2)
    assert "Effective number of sentences" in database_of(rows).rank(**FEW).render()


def test_systems_are_the_same_in_any_order(database_of):
    names = "ABCD"
    renamed = [(n, " ".join(reversed(s.split())), r, t) for n, s, r, t in ROWS]
    first, second = database_of(ROWS), database_of(renamed)
    for one, other in combinations((first, second), 2):
        assert (
            one.rank(**FEW)
            .to_frame()
            .drop("signature")
            .equals(other.rank(**FEW).to_frame().drop("signature"))
        )
    assert first.databases[0].systems == tuple(names)


def test_the_signature_knows_all_three_tables(segranks_tables):
    """Who made a candidate stands in segments.tsv: another one gives another result."""
    tables = segranks_tables / "annotations.tsv"
    before = door.read(str(tables)).segments().info()
    segments = segranks_tables / "segments.tsv"
    text = segments.read_text()
    segments.write_text(text.replace("\tC\n", "\tD\n"))
    assert door.read(str(tables)).segments().info().signature.input != before.signature.input
    with pytest.raises(door.BadParameter, match="not the input of this signature"):
        door.again(str(before.signature), str(tables))
    segments.write_text(text)
    same = door.again(str(before.signature), str(tables))
    assert same.to_frame().equals(before.to_frame())
