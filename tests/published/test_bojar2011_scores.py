"""Bojar 2011 §2: four ways to score a block of ranks, and how ties swap two systems."""

import numpy as np
import polars as pl
import pytest

from adjudge.core.parallel import Engine
from adjudge.data.comparisons import compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS
from adjudge.stats.resampling import Resampling

# One block of five, as on a WMT10 screen: B and C are equal, so are D and E.
ONE_BLOCK = {"A": 1, "B": 2, "C": 2, "D": 4, "E": 4}


def by(name: str, *blocks: dict[str, int]) -> dict[str, float]:
    rows = [
        {"pair": "eng-ces", "ranking": number, "output": system, "rank": rank}
        for number, block in enumerate(blocks)
        for system, rank in block.items()
    ]
    comparisons = compare(judgement_table(pl.DataFrame(rows)))
    made = estimate(comparisons, METHODS.named(name), Resampling("none"), Engine())
    return dict(zip(made.systems, made.scores.tolist(), strict=True))


def test_a_block_of_five_gives_ten_comparisons():
    rows = [
        {"pair": "eng-ces", "ranking": 1, "output": system, "rank": rank}
        for system, rank in ONE_BLOCK.items()
    ]
    assert len(compare(judgement_table(pl.DataFrame(rows)))) == 10


def test_section_2_1_each_comparison_is_rewarded():
    assert by("at-least-others", ONE_BLOCK) == {
        "A": 1,
        "B": 3 / 4,
        "C": 3 / 4,
        "D": 1 / 4,
        "E": 1 / 4,
    }
    assert by("others-strict", ONE_BLOCK) == {"A": 1, "B": 2 / 4, "C": 2 / 4, "D": 0, "E": 0}


def test_section_2_1_only_a_whole_block_is_rewarded():
    shared_top = {"A": 1, "B": 1, "C": 3, "D": 3, "E": 5}
    top = by("block-top", ONE_BLOCK, shared_top)
    assert top == {"A": 1, "B": 1 / 2, "C": 0, "D": 0, "E": 0}
    sole = by("block-sole", ONE_BLOCK, shared_top)
    assert sole == {"A": 1 / 2, "B": 0, "C": 0, "D": 0, "E": 0}


def test_section_2_3_wins_over_wins_and_losses():
    assert by("win-ratio", ONE_BLOCK) == {"A": 1, "B": 2 / 3, "C": 2 / 3, "D": 0, "E": 0}


@pytest.mark.arithmetic
def test_section_2_3_cu_bojar_and_pc_trans_swap():
    """1,500 comparisons each against all others: Table 2's shares won, tied, lost."""
    systems = ("CU-BOJAR", "PC-TRANS", "others")
    wins = np.zeros((3, 3), np.int64)
    ties = np.zeros((3, 3), np.int64)
    for at, (at_least, strictly) in enumerate([(65.6, 45.0), (62.1, 49.4)]):
        won, tied = round(15 * strictly), round(15 * at_least) - round(15 * strictly)
        wins[at, 2], wins[2, at] = won, 1500 - won - tied
        ties[at, 2] = ties[2, at] = tied
    counts = WinCounts(systems, wins, ties)

    def scores(name: str) -> list[float]:
        return (100 * METHODS.named(name).scores(counts)[:2]).tolist()

    assert scores("at-least-others") == pytest.approx([65.6, 62.1], abs=0.05)
    assert scores("others-strict") == pytest.approx([45.0, 49.4], abs=0.05)
    bojar, pc_trans = scores("win-ratio")
    assert bojar == pytest.approx(45.0 / (100 - (65.6 - 45.0)) * 100, abs=0.05)
    assert pc_trans == pytest.approx(49.4 / (100 - (62.1 - 49.4)) * 100, abs=0.05)
