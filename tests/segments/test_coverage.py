"""What the judged segments cover, in cases that can be counted by hand."""

import pytest

import adjudge as door
from adjudge.core.errors import InputError, NotEnoughData

TREES = """\
(S (NP (DT a) (JJ black) (NN cat)) (VP (VBZ sleeps) (PP (IN on) (NP (DT the) (NN mat)))))
(S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB now))))
"""
FEW = {"replicates": 20}


@pytest.fixture
def tables(segranks_tables):
    """SegRanks's three tables and, beside them, the trees of both sentences."""
    (segranks_tables / "trees.txt").write_text(TREES)
    return segranks_tables


def test_words_and_predicates(tables):
    database = door.read(str(tables / "annotations.tsv")).segments()
    result = database.coverage(str(tables / "trees.txt"), **FEW)
    rows = {row["what"]: row for row in result.to_frame().to_dicts()}
    # Of 7 words all but `sleeps`, of 4 all but `now`; `sleeps` is in no segment, `barks` is.
    assert (rows["words"]["number"], rows["words"]["covered"]) == (11, 9)
    assert (rows["predicates"]["number"], rows["predicates"]["covered"]) == (2, 1)
    whole = rows["sentences with all predicates"]
    assert (whole["number"], whole["covered"]) == (2, 1)
    assert whole["low"] < 0.5 < whole["high"]
    only_words = database.coverage(**FEW)
    assert only_words.what == ("words",)
    assert "`trees`" in only_words.render()
    again = door.again(
        str(result.signature), str(tables / "annotations.tsv"), trees=str(tables / "trees.txt")
    )
    assert again.to_frame().equals(result.to_frame())


def test_trees_of_other_sentences(tables):
    database = door.read(str(tables / "annotations.tsv")).segments()
    trees = tables / "trees.txt"
    trees.write_text(TREES.splitlines()[0] + "\n")
    with pytest.raises(InputError, match="has 1 trees, and none for sentence '2'"):
        database.coverage(str(trees))
    trees.write_text("\n".join(reversed(TREES.splitlines())) + "\n")
    with pytest.raises(InputError, match=r"line 1: this tree has 4 words, and sentence 1 .* 7"):
        database.coverage(str(trees))


def test_words_beyond_the_sentence(tables):
    segments = tables / "segments.tsv"
    segments.write_text(segments.read_text().replace("0 1 2\t", "5 6 7\t"))
    database = door.read(str(tables / "annotations.tsv")).segments()
    with pytest.raises(NotEnoughData, match=r"sentence 1 has the word 7 \(from 0\), .* 7 words"):
        database.coverage()


def test_examples_stand_in_their_sentences(tables):
    from adjudge.segments.closest_ranks import closest_ranks
    from adjudge.segments.examples import example_sentences

    (database,) = door.read(str(tables / "annotations.tsv")).segments().databases
    examples = example_sentences(database, closest_ranks(database), 5)
    assert {example.sentence for example in examples} == {"1", "2"}
    for example in examples:
        for part in example.segments:
            assert " ".join(example.source[word] for word in part.words) == part.source
    matches = {
        (example.system, part.candidate): part.match
        for example in example_sentences(database, closest_ranks(database), 5, seed=3)
        for part in example.segments
    }
    # One letter of 11 characters is near, five of kočka's are not.
    expected = {
        ("A", "černá kočka"): "near",
        ("B", "černé kočky"): "near",
        ("C", "kočka"): "miss",
        ("A", "psí kůra"): "hit",
        ("B", "psí kůra"): "hit",
        ("C", "pes štěká"): "miss",
    }
    assert expected.items() >= {k: v for k, v in matches.items() if k in expected}.items()
    assert set(matches) & set(expected)
    segments = tables / "segments.tsv"
    segments.write_text(segments.read_text().replace("0 1 2\t", "5 6 7\t"))
    (database,) = door.read(str(tables / "annotations.tsv")).segments().databases
    left = example_sentences(database, closest_ranks(database), 5)
    assert [part.source for example in left for part in example.segments] == ["on the mat"]


def test_an_export_does_not_say_where_segments_stand(tables, adjudge):
    export = tables / "export.json"
    assert adjudge("convert", tables / "annotations.tsv", "-o", export).code == 0
    with pytest.raises(NotEnoughData, match="does not say where in its sentence"):
        door.read(str(export)).segments().coverage()
    refused = adjudge("segments", "coverage", export)
    assert refused.code == 2


def test_agreement_by_segment_length(tables, adjudge):
    (tables / "annotations.tsv").write_text(
        (tables / "annotations.tsv").read_text().replace("3\t3\t7\t2 1", "3\t1\t8\t1 3 2")
    )
    done = door.read(str(tables / "annotations.tsv")).agreement(by="segment-length")
    row = next(row for row in done.to_frame().to_dicts() if row["kind"] == "inter")
    assert (row["part"], row["agree"], row["comparable"]) == ("3", 2, 3)
    ranked = door.simulate(systems=3, rankings=50, seed=1).agreement(by="segment-length")
    assert "no judgements of short segments" in ranked.render()
