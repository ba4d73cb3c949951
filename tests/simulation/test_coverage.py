"""Intervals hold the truth as often as they say when the right unit is drawn."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.comparisons import compare
from adjudge.ranking import Resampling, rank
from adjudge.ranking.methods.expected_wins import METHOD
from adjudge.simulation import simulate
from adjudge.simulation.coverage import BLOCKS, DOCUMENTS, JUDGES, coverage


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "right", "wrong"),
    [
        pytest.param(BLOCKS, "ranking", "comparison", id="blocks"),
        pytest.param(JUDGES, "judge", "ranking", id="judges"),
        pytest.param(DOCUMENTS, "document", "ranking", id="documents"),
    ],
)
def test_the_unit_that_matches_the_effect_covers(design, right, wrong):
    matching, other = coverage(design, [right, wrong], campaigns=40, replicates=200)
    # 40 campaigns of 6 systems: a standard error of about two percent.
    assert 0.89 < matching.covered <= 1
    assert other.covered < matching.covered - 0.05
    assert other.width < matching.width


def test_coverage_uses_the_intervals_that_rank_prints():
    design = replace(JUDGES, tasks=replace(JUDGES.tasks, rankings=200))
    seed = 5
    for unit in ("judge", "judge+segment"):
        (one, _) = coverage(design, [unit, "none"], campaigns=2, replicates=50, seed=seed)
        widths, held = [], []
        for number in range(2):
            campaign = simulate(design, seed + number)
            drawn = Resampling(unit, 50, seed + number)
            ranking = rank(compare(campaign.judgements), METHOD, drawn)
            true = dict(zip(campaign.truth.systems, campaign.truth.expected_wins, strict=True))
            truth = np.array([true[system] for system in ranking.systems])
            held.append(((ranking.low <= truth) & (truth <= ranking.high)).mean())
            widths.append((ranking.high - ranking.low).mean())
        assert one.width == pytest.approx(np.mean(widths))
        assert one.covered == pytest.approx(np.mean(held))
