"""Segments beside whole sentences: by hand, by a slow reader, and where the truth is known."""

import json
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as door
from adjudge.core.errors import BadParameter, NotEnoughData

FEW = {"replicates": 20}
# Two sentences, the first with two segments. C's verb is in no segment.
SEGMENTS = [
    ("1:0,1,2", "A B", 1, "černá kočka"),
    ("1:0,1,2", "C", 2, "kočka"),
    ("1:4,5,6", "A", 1, "na rohoži"),
    ("1:4,5,6", "B", 2, "rohož"),
    ("1:4,5,6", "C", 1, "na rohožce"),
    ("2:0,1,2", "C", 1, "pes štěká"),
    ("2:0,1,2", "A B", 3, "psí kůra"),
]
# sentence, winner, loser
SENTENCES = [("1", "A", "C"), ("1", "B", "C"), ("1", "A", "B"), ("2", "A", "C"), ("2", "C", "B")]


def judged(rows) -> door.Segments:
    ranking = {segment: n for n, segment in enumerate(dict.fromkeys(row[0] for row in rows))}
    from adjudge.data.outputs import join_systems

    return door.from_rankings(
        pl.DataFrame(
            {
                "pair": "en-cs",
                "protocol": "segments",
                "segment": segment,
                "ranking": ranking[segment],
                "output": join_systems(systems.split()),
                "rank": rank,
                "text": text,
                "source": "a black cat sleeps on the mat",
            }
            for segment, systems, rank, text in rows
        )
    ).segments()


def whole(rows) -> door.Judgements:
    sentences, winners, losers = zip(*rows, strict=True)
    return door.from_comparisons(winners, losers, ["left"] * len(rows), segment=sentences)


@pytest.fixture(scope="module")
def beside():
    return judged(SEGMENTS).beside(whole(SENTENCES), **FEW)


def test_ratios_of_both_kinds(beside):
    row = {row["system"]: row for row in beside.to_frame().to_dicts()}
    # A: beats C once, B once; loses to C. B: beats C, loses to A, to C twice.
    assert {name: row[name]["segment_score"] for name in "ABC"} == pytest.approx(
        {"A": 2 / 3, "B": 1 / 4, "C": 3 / 5}
    )
    assert {name: row[name]["sentence_score"] for name in "ABC"} == pytest.approx(
        {"A": 1.0, "B": 1 / 3, "C": 1 / 4}
    )
    assert beside.systems == ("A", "C", "B")
    assert all(row[name]["sentence_low"] < row[name]["sentence_high"] for name in "ABC")


def test_tau_by_hand(beside):
    row = {row["system"]: row for row in beside.to_frame().to_dicts()}
    # Sentence 1, A > C: the first segment agrees, the second ties. B > C: one agrees, one
    # disagrees. A > B: a tie, one agrees. Sentence 2, A > C disagrees; C > B agrees.
    pairs = {
        "A": {"better": (2, 1), "worse": (0, 0)},
        "B": {"better": (1, 1), "worse": (2, 0)},
        "C": {"better": (1, 0), "worse": (2, 2)},
    }
    for name, sides in pairs.items():
        for side, (agree, disagree) in sides.items():
            assert (row[name][f"{side}_agree"], row[name][f"{side}_disagree"]) == (agree, disagree)
    assert row["A"]["tau_worse"] is None
    assert row["A"]["tau_all"] == pytest.approx(1 / 3)
    assert row["C"]["tau_worse"] == 0.0
    assert (beside.overall.agree[0], beside.overall.disagree[0]) == (4, 2)
    assert beside.overall.tau[0] == pytest.approx(1 / 3)


def test_disagreement_quotient_by_hand(beside):
    rows = beside.quotients.to_dicts()
    found = {(row["system"], row["sentence"]): row["quotient"] for row in rows}
    # C in sentence 1 won nowhere as a whole, B in sentence 2 neither: left out.
    assert found == pytest.approx(
        {
            ("A", "1"): 1.0 / 1.0,
            ("B", "1"): (1 / 3) / (1 / 2),
            ("A", "2"): 0.0,
            ("C", "2"): 1.0 / (1 / 2),
        }
    )
    assert [row["quotient"] for row in rows] == sorted(found.values(), reverse=True)
    (first,) = [row for row in rows if (row["system"], row["sentence"]) == ("B", "1")]
    assert first["segments"] == "a black cat → černá kočka | on the mat → rohož"
    assert first["source"] == "a black cat sleeps on the mat"


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("ABC"), st.integers(1, 3), min_size=2),
        min_size=2,
        max_size=5,
    ),
    st.lists(
        st.tuples(st.integers(1, 3), st.permutations("ABC").map(lambda names: names[:2])),
        min_size=1,
        max_size=6,
    ),
)
def test_tau_as_a_slow_reader_finds_it(annotations, comparisons):
    """Every comparison of a sentence with every annotation, one by one."""
    segments = [
        (f"{number % 2 + 1}:{number}", name, rank, f"{name}{number}")
        for number, ranks in enumerate(annotations)
        for name, rank in ranks.items()
    ]
    rows = [(str(sentence), winner, loser) for sentence, (winner, loser) in comparisons]
    agree = {name: {"better": 0, "worse": 0} for name in "ABC"}
    disagree = {name: {"better": 0, "worse": 0} for name in "ABC"}
    for (sentence, winner, loser), (number, ranks) in product(rows, enumerate(annotations)):
        if str(number % 2 + 1) == sentence and winner in ranks and loser in ranks:
            counted = {-1: agree, 0: None, 1: disagree}[int(np.sign(ranks[winner] - ranks[loser]))]
            if counted is not None:
                counted[winner]["better"] += 1
                counted[loser]["worse"] += 1
    try:
        result = judged(segments).beside(whole(rows), **FEW)
    except NotEnoughData:
        known = {name for ranks in annotations for name in ranks}
        both = known & {name for row in rows for name in row[1:]}
        told_apart = any(
            len({ranks[name] for name in both & set(ranks)}) > 1 for ranks in annotations
        )
        useless = all(row[0] == "3" or not known.issuperset(row[1:]) for row in rows)
        assert useless or not told_apart
        return
    for row in result.to_frame().to_dicts():
        for side in ("better", "worse"):
            name = row["system"]
            assert row[f"{side}_agree"] == agree[name][side]
            assert row[f"{side}_disagree"] == disagree[name][side]


def simulated(sentences: int, seed: int, weight: float) -> tuple[door.Segments, door.Judgements]:
    """Systems of known quality; a sentence is its two segments and, `weight` times, the rest."""
    rng = np.random.default_rng(seed)
    quality = dict(zip("ABCD", (0.6, 0.2, -0.2, -0.6), strict=True))
    segments, sentence = [], []
    for number in range(1, sentences + 1):
        parts = {name: worth + rng.normal(size=3) for name, worth in quality.items()}
        for place in range(2):
            order = sorted(quality, key=lambda name: -parts[name][place])
            segments += [
                (f"{number}:{3 * place},{3 * place + 1}", name, rank, f"{name} {number} {place}")
                for rank, name in enumerate(order, 1)
            ]
        worth = {name: part[:2].sum() + weight * part[2] for name, part in parts.items()}
        for one, other in combinations(quality, 2):
            winner, loser = (one, other) if worth[one] > worth[other] else (other, one)
            sentence.append((str(number), winner, loser))
    return judged(segments), whole(sentence)


def test_where_the_truth_is_known():
    """Segments that are all of the sentence agree with it more than those that are a part of it,
    and a sum of segments is told apart better than each of them: the range is narrower."""
    database, sentences = simulated(600, 1, weight=1.0)
    result = database.beside(sentences, replicates=200)
    assert result.systems == tuple("ABCD")
    assert result.segments.reach < result.sentences.reach
    # Differences of two systems: τ = (2/π) arcsin ρ at equal quality, ρ = 1/√3 between a part and
    # the sum of three. That quality differs lifts both.
    assert 2 / np.pi * np.arcsin(1 / np.sqrt(3)) < result.overall.tau[0] < 0.5
    far = database.beside(simulated(600, 1, weight=5.0)[1], replicates=200)
    assert far.overall.high[0] < result.overall.low[0]
    better = [row["tau_better"] for row in result.to_frame().to_dicts()]
    worse = [row["tau_worse"] for row in result.to_frame().to_dicts()]
    assert better == sorted(better, reverse=True)  # as in Tables 3.2a and 3.2b
    assert worse == sorted(worse)


@pytest.mark.slow
def test_the_interval_of_tau_covers():
    truth = simulated(5_000, 99, weight=1.0)
    tau = truth[0].beside(truth[1], **FEW).overall.tau[0]
    hits = 0
    for seed in range(60):
        database, sentences = simulated(60, seed, weight=1.0)
        whole_tau = database.beside(sentences, replicates=100, seed=seed).overall
        hits += whole_tau.low[0] <= tau <= whole_tau.high[0]
    assert 53 <= hits <= 60


def test_refusals(beside):
    database = judged(SEGMENTS)
    with pytest.raises(NotEnoughData, match="no judgements of whole sentences; name a file"):
        database.beside()
    with pytest.raises(NotEnoughData, match="two systems must be in both"):
        database.beside(whole([("1", "X", "Y")]))
    with pytest.raises(NotEnoughData, match=r"no sentence of the database .* name them alike"):
        database.beside(whole([("77", "A", "B")]))
    ties = door.from_comparisons(["A"], ["B"], ["tie"], segment=["1"])
    with pytest.raises(NotEnoughData, match="no two of these systems differ in a sentence"):
        database.beside(ties)
    nameless = door.from_comparisons(["A"], ["B"], ["left"])
    with pytest.raises(NotEnoughData, match="judgements that name their segments"):
        database.beside(nameless)
    with pytest.raises(BadParameter, match="`sentences` are files"):
        database.beside([3])


def test_segments_that_are_all_equal():
    equal = [(segment, systems, 1, text) for segment, systems, _, text in SEGMENTS]
    with pytest.raises(NotEnoughData, match="no segment tells two of these systems apart"):
        judged(equal).beside(whole(SENTENCES), **FEW)
    # Only a segment of sentence 1 tells apart. As a whole sentence B has a tie and no more.
    some = [(s, names, rank if s == "1:4,5,6" else 1, text) for s, names, rank, text in SEGMENTS]
    tied = door.from_comparisons(["A", "B"], ["C", "A"], ["left", "tie"], segment=["2", "2"])
    result = judged(some).beside(tied, **FEW)
    assert "no τ" in result.render()
    assert not len(result.quotients)
    row = {row["system"]: row for row in result.to_frame().to_dicts()}
    assert row["A"]["tau_all"] is None
    assert (row["B"]["sentence_score"], row["B"]["sentence_rank"]) == (None, None)


def test_made_again(tmp_path):
    files = tmp_path / "segments.jsonl", tmp_path / "sentences.jsonl"
    judged(SEGMENTS).judgements.write(str(files[0]))
    whole(SENTENCES).write(str(files[1]))
    result = door.read(str(files[0])).segments().beside(str(files[1]), **FEW)
    again = door.again(str(result.signature), str(files[0]), sentences=str(files[1]))
    assert again.to_frame().equals(result.to_frame())
    with pytest.raises(BadParameter, match="with `sentences`"):
        door.again(str(result.signature), str(files[0]))
    whole(SENTENCES[1:]).write(str(files[1]))
    with pytest.raises(BadParameter, match="not the files of this signature"):
        door.again(str(result.signature), str(files[0]), sentences=str(files[1]))


def test_by_command(adjudge, tmp_path):
    files = tmp_path / "segments.jsonl", tmp_path / "sentences.jsonl"
    judged(SEGMENTS).judgements.write(str(files[0]))
    whole(SENTENCES).write(str(files[1]))
    done = adjudge("segments", "beside", files[0], "--sentences", files[1], "--format", "json")
    assert done.code == 0, done.err
    rows = {row["system"]: row for row in json.loads(done.out)}
    assert rows["A"]["tau_all"] == pytest.approx(1 / 3)
    shown = adjudge("segments", "beside", files[0], "--sentences", files[1], "--examples", 1)
    assert "a black cat → " in shown.out or "the dog" in shown.out
    refused = adjudge("segments", "beside", files[0])
    assert refused.code == 2
    assert "(--sentences)" in refused.err
