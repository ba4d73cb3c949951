"""The vectorised findings against a plain reading of their definitions."""

from collections import defaultdict
from itertools import combinations, pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import NotEnoughData
from adjudge.core.short_names import short_names
from adjudge.data.comparisons import compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.win_counts import count
from adjudge.diagnosis.diagnose import diagnose
from adjudge.diagnosis.evidence import Evidence, others_verdict
from adjudge.diagnosis.finding import Severity, accused
from adjudge.diagnosis.findings.exposure import equal_exposure, opponent_strength, reference_share
from adjudge.diagnosis.findings.influence import leave_each_out
from adjudge.diagnosis.findings.information import mutual_information
from adjudge.diagnosis.findings.patterns import constant, straight
from adjudge.diagnosis.findings.position import evenly_shown
from adjudge.diagnosis.findings.repeats import repeats
from adjudge.ranking.methods.at_least_others import METHOD as AT_LEAST_OTHERS
from adjudge.ranking.methods.expected_wins import METHOD
from adjudge.stats.tests import correlation, expected_false, ratio, share

pytestmark = pytest.mark.slow

SYSTEMS = ("A", "B", "C", "D", "ref")


@st.composite
def tables(draw):
    """Small campaigns: few judges and segments, so that they meet again."""
    rows = []
    for number in range(1, draw(st.integers(1, 12)) + 1):
        shown = draw(st.permutations(SYSTEMS))[: draw(st.integers(2, 5))]
        judge = draw(st.sampled_from([None, "j1", "j2", "j3"]))
        segment = draw(st.sampled_from(["s1", "s2"]))
        rows += [
            {
                "pair": "a-b",
                "ranking": number,
                "segment": segment,
                "judge": judge,
                "output": system,
                "rank": draw(st.integers(1, 5)),
                "position": place,
            }
            for place, system in enumerate(shown, 1)
        ]
    return judgement_table(pl.DataFrame(rows, infer_schema_length=None))


def evidence(table):
    return Evidence(table, compare(table), METHOD)


def blocks_of(table):
    """Ranking number → (judge, segment, {system: rank} in shown order)."""
    blocks = defaultdict(lambda: [None, None, {}])
    for row in table.sort("ranking", "position").iter_rows(named=True):
        block = blocks[row["ranking"]]
        block[0], block[1] = row["judge"], row["segment"]
        block[2][row["output"]] = row["rank"]
    return blocks


@given(tables())
@settings(max_examples=60, deadline=None)
def test_the_verdict_of_the_others(table):
    data = compare(table)
    verdict = others_verdict(data)
    said = defaultdict(list)
    for judge, segment, ranks in blocks_of(table).values():
        for a, b in combinations(sorted(ranks), 2):
            said[a, b].append((judge, segment, np.sign(ranks[b] - ranks[a])))
    for k in range(len(data)):
        left, right = data.systems[data.left[k]], data.systems[data.right[k]]
        a, b = sorted((left, right))
        judge = None if data.judge[k] < 0 else data.judges[data.judge[k]]
        segment = data.segments[data.segment[k]]
        others = [(s, o) for j, s, o in said[a, b] if judge is None or j != judge]
        here = np.sign(sum(o for s, o in others if s == segment))
        expected = here or np.sign(sum(o for _, o in others))
        assert verdict[k] == (expected if left == a else -expected)


@pytest.mark.slow
@given(tables())
@settings(max_examples=60, deadline=None)
def test_patterns_block_by_block(table):
    looked_at = evidence(table)
    for i, (_, _, ranks) in enumerate(blocks_of(table).values()):
        order = list(ranks.values())
        up = all(a < b for a, b in pairwise(order))
        down = all(a > b for a, b in pairwise(order))
        assert straight(looked_at)[i] == (up or down)
        assert constant(looked_at)[i] == (len(set(order)) == 1)


@given(tables())
@settings(max_examples=60, deadline=None)
def test_repeats_are_every_two_answers_of_one_judge(table):
    answers = defaultdict(list)
    for judge, segment, ranks in blocks_of(table).values():
        for a, b in combinations(sorted(ranks), 2):
            if judge is not None:
                answers[judge, segment, a, b].append(ranks[b] - ranks[a])
    pairs = [two for given_ in answers.values() for two in combinations(given_, 2)]
    found = repeats(evidence(table))
    assert len(found) == len(pairs)
    reversed_ = (
        (found["second_rank"] - found["first_rank"])
        * (found["second_again"] - found["first_again"])
        < 0
    ).sum()
    assert reversed_ == sum(x * y < 0 for x, y in pairs)


@given(tables())
@settings(max_examples=30, deadline=None)
def test_leaving_one_out_is_ranking_the_rest(table):
    looked_at = evidence(table)
    data = looked_at.comparisons
    rest = leave_each_out(looked_at, data.judge, range(len(data.judges)))
    for j in range(len(data.judges)):
        alone = count(data.where(data.judge != j))
        assert (rest.wins[j] == alone.wins).all()
        assert (rest.ties[j] == alone.ties).all()
    last = range(len(data.judges) - 1, len(data.judges))
    if data.judges:
        assert (leave_each_out(looked_at, data.judge, last).wins[0] == rest.wins[-1]).all()


@pytest.mark.slow
@given(tables())
@settings(max_examples=40, deadline=None)
def test_any_small_campaign_is_answered_or_refused_in_words(table):
    for one in diagnose(table):
        row = one.row()
        assert row["meaning"].endswith(".")
        assert "nan" not in row["meaning"]
        if row["severity"] == "unanswered":
            assert row["value"] is None
        else:
            assert np.isfinite(row["value"])
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]


def test_exposure_by_hand(table_of, evidence_of):
    # A meets the reference in one of its two blocks, B in one of three, C in none.
    table = table_of(
        [
            ("j", {"ref": 1, "A": 2, "B": 3}),
            ("j", {"A": 1, "B": 1, "C": 2}),
            ("j", {"B": 1, "C": 2}),
        ]
    )
    looked_at = evidence_of(table)
    assert looked_at.comparisons.systems == ("A", "B", "C", "ref")
    assert reference_share(looked_at)[:3] == pytest.approx([1 / 2, 1 / 3, 0])
    # A: ref 0/1, B 2/2, C 1/1; B: A 1/2, C 2/2, ref 0/1; C: 0; ref: 1.
    assert equal_exposure(looked_at) == pytest.approx([2 / 3, 1 / 2, 0, 1])
    # A met ref, B, B, C: mean 2/4 = 1/2, as strong as an even draw of B, C and ref.
    assert opponent_strength(looked_at)[0] == pytest.approx(0)


def test_evenly_shown_weighs_either_order_alike(table_of, evidence_of):
    first, second = {"A": 1, "B": 2}, {"B": 1, "A": 2}
    looked_at = evidence_of(table_of([("j", first)] * 6 + [("j", second)] * 2))
    even = evenly_shown(looked_at)
    assert even.wins[0, 1] == pytest.approx(4)
    assert even.wins[1, 0] == pytest.approx(4)


def test_mutual_information_by_hand():
    copied = np.array([[1, 0], [0, 1]]) * 50.0
    unrelated = np.full((2, 2), 25.0)
    bits, chance = mutual_information(np.stack([copied, unrelated]))
    assert bits == pytest.approx([1, 0])
    assert chance == pytest.approx(1 / (200 * np.log(2)))


def test_ratio_covers_what_it_should():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        whole = rng.integers(1, 30, 25).astype(float)
        found = ratio(whole * (0.3 + rng.normal(0, 0.2, 25)), whole)
        covered += found.low <= 0.3 <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_share_stays_a_share():
    found = share(np.array([0.0, 1, 1, 1]), np.ones(4))
    assert 0 <= found.low < 0.75 < found.high <= 1


def test_a_correlation_of_nothing_is_refused():
    with pytest.raises(NotEnoughData, match="it takes 4"):
        correlation(np.arange(3.0), np.arange(3.0), "x")
    with pytest.raises(NotEnoughData, match="same throughout"):
        correlation(np.ones(5), np.arange(5.0), "x")


def test_accused_are_corrected_for_their_number():
    p = np.array([np.nan, 0.004, 0.9, 0.5])
    assert accused(p, 0.01).tolist() == [False, False, False, False]
    assert accused(p, 0.02).tolist() == [False, True, False, False]


def test_expected_false_among_equal_systems_is_the_level():
    p = (np.arange(2000) + 0.5) / 2000
    assert expected_false(p, 0.05) == pytest.approx(100, rel=0.02)
    assert expected_false(np.full(2000, 1e-9), 0.05) < 1


def test_short_names():
    names = ["wmt.a.1.cs-en.txt", "wmt.b.2.cs-en.txt"]
    assert short_names(names) == ("a.1", "b.2")
    assert short_names(["x.y", "x.y.z"]) == ("y", "y.z")
    assert short_names(["plain", "x.y"]) == ("plain", "x.y")
    assert short_names(["x.a"]) == ("x.a",)
    models = ("llama-3.1-8b", "llama-3.1-70b")
    assert short_names(models) == models
    assert short_names(["gpt.4.1", "gpt.4.5"]) == ("gpt.4.1", "gpt.4.5")


def test_renaming_systems_changes_nothing(clean):
    table = clean(1)
    renamed = table.with_columns(
        output=("x" + pl.col("output").cast(pl.String)).cast(pl.Categorical)
    )
    for one, other in zip(diagnose(table), diagnose(renamed), strict=True):
        assert one.answer.value == pytest.approx(other.answer.value, nan_ok=True)
        assert one.answer.severity is other.answer.severity


def test_ties_rewarded_lift_the_tied(table_of):
    # As CU-BOJAR and PC-TRANS of Bojar 2011 §2.3: A is better by ≥, B by >.
    table = table_of(
        [("j", {"A": 1, "C": 1})] * 4
        + [("j", {"A": 1, "C": 2})] * 2
        + [("j", {"B": 1, "C": 2})] * 4
        + [("j", {"C": 1, "B": 2})] * 2
    )
    (found,) = diagnose(table, only=["ties"])
    by_system = {row["system"]: row for row in found.answer.details}
    assert by_system["A"]["at_least_others"] == 1
    assert by_system["A"]["at_least_rank"] == 1
    assert by_system["A"]["better_than_others"] == pytest.approx(1 / 3)
    assert by_system["B"]["better_rank"] == 1
    assert found.answer.severity is Severity.note  # nothing that touches expected wins
    assert "does not touch expected-wins" in found.answer.meaning
    (in_use,) = diagnose(table, only=["ties"], method=AT_LEAST_OTHERS)
    assert in_use.answer.severity is Severity.warning
    assert found.answer.change.new_first == "A"
