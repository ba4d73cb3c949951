"""Agreement over other judges and texts."""

import numpy as np
import pytest

import adjudge
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed_variance import (
    auto_unit,
    coefficient_spreads,
    kappa_ends,
    population,
)
from adjudge.agreement.labels import Labels
from adjudge.agreement.pairwise import kappas_of_sums, tally_of


def evidence(random, judges=12, items=300, spread=0.2):
    """Two judges an item, who find the true label as often as they are able to."""
    able = np.clip(0.6 + spread * random.normal(size=judges), 0.05, 0.98)
    judge = np.stack([random.choice(judges, 2, replace=False) for _ in range(items)]).ravel()
    item = np.repeat(np.arange(items), 2)
    truth = random.integers(0, 3, items)[item]
    label = np.where(
        random.random(len(item)) < able[judge], truth, random.integers(0, 3, len(item))
    )
    names = tuple(f"judge {j}" for j in range(judges))
    labels = Labels(item, judge, label, item, names, ("<", "=", ">"), (2, 1, 0))
    return Evidence(labels, across=True, within=False, counted=np.ones(len(labels), bool))


def ends(given, over_texts=False):
    tally = tally_of(given)
    found = coefficient_spreads(given, given.columns.astype(float), 2, kappas_of_sums)
    variance, degrees = found.variance, found.degrees
    if over_texts:
        variance, degrees = found.over_texts, np.array([1e4])
    values = np.array([tally.kappa]), np.array([tally.p_e])
    low, high = kappa_ends(*values, variance, degrees, tally.comparable, 0.95)
    return low[0], high[0]


@pytest.mark.slow
def test_intervals_hold_for_other_judges():
    truth = tally_of(evidence(np.random.default_rng(0), 3000, 40_000)).kappa
    given = [evidence(np.random.default_rng(seed)) for seed in range(1, 201)]
    covered = np.mean([low <= truth <= high for low, high in map(ends, given)])
    alone = np.mean([low <= truth <= high for low, high in (ends(e, True) for e in given)])
    assert covered > 0.88
    assert alone < covered - 0.1  # segments alone forget that other judges agree otherwise


def test_few_judges_stand_for_themselves():
    few = evidence(np.random.default_rng(1), judges=3)
    assert auto_unit(few) == "segment"
    assert population(few, auto_unit(few)) == "for other segments like these, by these 3 judges"
    assert auto_unit(evidence(np.random.default_rng(1))) == "judge+segment"


@pytest.mark.parametrize("unit", ["auto", "segment", "judge"])
def test_perfect_agreement_has_an_interval_of_some_width(unit):
    number = 60
    votes = adjudge.from_comparisons(
        ["A"] * number,
        ["B"] * number,
        [1 if i // 6 % 2 else -1 for i in range(number)],
        judge=[f"j{i % 6}" for i in range(number)],
        segment=[f"s{i // 6}" for i in range(number)],
    )
    inter = votes.agreement(unit=unit, replicates=50)[0]
    assert inter.tally.kappa == 1
    assert 0 < inter.low < 1
    assert inter.high == 1
    of_all = votes.agreement("coefficient", unit=unit, replicates=50)[0]
    assert all(c.low < c.high for c in of_all.coefficients)


def votes(random, able, pairs_of_judges):
    """Two outputs of every segment, judged by these; they find the truth as they are able to."""
    rows = []
    for segment, judges in enumerate(pairs_of_judges):
        truth = random.integers(-1, 2)
        for judge in judges:
            said = truth if random.random() < able[judge] else random.integers(-1, 2)
            rows.append(("A", "B", said, f"j{judge}", f"s{segment}", f"d{segment // 4}"))
    names = ("left", "right", "outcome", "judge", "segment", "document")
    columns = map(list, zip(*rows, strict=True))
    return adjudge.from_comparisons(**dict(zip(names, columns, strict=True)))


def test_parts_hold_for_whom_they_say():
    random = np.random.default_rng(1)
    able = np.clip(0.6 + 0.2 * random.normal(size=8), 0.05, 0.98)
    four = [random.choice(8, 4, replace=False) for _ in range(120)]
    judged = votes(random, able, four)
    # Of one document the segments are all that varies, and eight judges are enough.
    documents = [part for part in judged.agreement("document") if part.kind == "inter"]
    for_whom = "for other judges and segments like these, of this document"
    assert {part.holds_for for part in documents} == {for_whom}
    judge = judged.agreement("judge")[0]
    assert judge.inter.holds_for == "for other judges and documents like these"
    few = judged.select(judge=["j0", "j1", "j2"]).agreement("judge")[0].inter
    assert few.holds_for == "for other documents like these, compared with these 2 judges"
    by_segment = judged.agreement("judge", unit="segment")[0].inter
    assert by_segment.holds_for.startswith("for other segments like these, compared with these 7")
    assert by_segment.high - by_segment.low < judge.inter.high - judge.inter.low


@pytest.mark.slow
def test_intervals_of_one_judge_hold_for_others_to_compare_with():
    """κ with a judge who finds the truth as often as p is the product of both p."""
    covered, alone = [], []
    for seed in range(40):
        random = np.random.default_rng(seed)
        able = np.append(0.7, random.uniform(0.3, 0.9, 10))
        judged = votes(random, able, [(0, random.integers(1, 11)) for _ in range(400)])
        for unit, held in (("auto", covered), ("segment", alone)):
            inter = judged.agreement("judge", unit=unit)[0].inter
            held.append(inter.low <= 0.7 * 0.6 <= inter.high)
    assert np.mean(covered) > 0.85
    assert np.mean(alone) < np.mean(covered) - 0.05
