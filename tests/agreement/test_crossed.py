"""Agreement over other judges and texts."""

import numpy as np
import pytest

import adjudge
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed import auto_unit, coefficient_spreads, kappa_ends, population
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
