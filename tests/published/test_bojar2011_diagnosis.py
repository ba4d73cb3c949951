"""Bojar 2011: the tables that diagnose a campaign, by their definitions and figures."""

import numpy as np
import polars as pl
import pytest

from adjudge.data.judgement_table import judgement_table
from adjudge.diagnosis.diagnose import diagnose
from adjudge.diagnosis.findings.repeats import random_reversal
from adjudge.stats.tests import correlation

# Table 4: blocks of English-Czech by their sole winner.
SOLE_WINNERS = {
    "ref": 305,
    "CU-TECTO": 73,
    "PC-TRANS": 71,
    "DCU-COMBO": 70,
    "RWTH-COMBO": 57,
    "ONLINEB": 54,
    "CU-BOJAR": 53,
    "EUROTRANS": 46,
    "UEDIN": 41,
    "UPV-COMBO": 41,
}
OTHERS, NOBODY, BLOCKS = 175, 409, 1395


def table(blocks, judge="j"):
    """Blocks of (segment, {system: rank})."""
    return judgement_table(
        pl.DataFrame(
            [
                {
                    "pair": "en-cs",
                    "ranking": number,
                    "segment": segment,
                    "judge": judge,
                    "output": system,
                    "rank": rank,
                    "position": place,
                }
                for number, (segment, ranks) in enumerate(blocks, 1)
                for place, (system, rank) in enumerate(ranks.items(), 1)
            ]
        )
    )


@pytest.mark.arithmetic
def test_table_4_sole_winners():
    winners = [name for name, number in SOLE_WINNERS.items() for _ in range(number)]
    winners += [f"other-{i % 8}" for i in range(OTHERS)]
    fillers = ("filler-1", "filler-2", "filler-3", "filler-4")
    blocks = [{name: 2, **dict.fromkeys(fillers, 3)} for name in winners]
    # A shared first place is nobody's.
    blocks += [dict.fromkeys(fillers, 1) | {"UEDIN": 2} for _ in range(NOBODY)]
    (found,) = diagnose(
        table([(f"s{i}", ranks) for i, ranks in enumerate(blocks)]), only=["sole-winners"]
    )
    won = {row["system"]: row["sole_wins"] for row in found.answer.details}
    assert {name: won[name] for name in SOLE_WINNERS} == SOLE_WINNERS
    assert sum(number for name, number in won.items() if name.startswith("other-")) == OTHERS
    assert won["(no sole winner)"] == NOBODY
    assert sum(won.values()) == BLOCKS
    assert found.answer.value == pytest.approx((BLOCKS - NOBODY) / BLOCKS)


def with_correlation(r, number):
    """Two series of that many systems with just that correlation."""
    x, y = np.random.default_rng(number).normal(size=(2, number))
    x = (x - x.mean()) / np.linalg.norm(x - x.mean())
    y = y - y.mean() - x * (x @ (y - y.mean()))
    return x, r * x + np.sqrt(1 - r * r) * y / np.linalg.norm(y)


# Systems without the reference (Table 1), Table 5 and Table 10, and whether the correlation is
# told apart from nothing: the strongest one only, and none of those with the reference.
CORRELATIONS = {
    "en-cs": (17, -0.558, True, -0.145),
    "en-es": (16, -0.434, False, -0.411),
    "cs-en": (12, -0.290, False, -0.041),
    "es-en": (14, -0.240, False, 0.341),
    "en-fr": (19, -0.227, False, 0.164),
    "en-de": (18, -0.161, False, -0.433),
    "fr-en": (24, -0.024, False, 0.098),
    "de-en": (25, 0.146, False, 0.088),
}


@pytest.mark.arithmetic
@pytest.mark.parametrize("pair", CORRELATIONS)
def test_tables_5_and_10_with_intervals(pair):
    systems, blocks, beyond_chance, reference = CORRELATIONS[pair]
    found = correlation(*with_correlation(blocks, systems), "blocks")
    assert found.value == pytest.approx(blocks)
    assert found.excludes_zero is beyond_chance
    assert not correlation(*with_correlation(reference, systems), "the reference").excludes_zero


def exposed():
    """Five systems against X and the reference, judged ever more often and losing ever more."""
    blocks = []
    for i in range(1, 6):
        system = f"S{i}"
        lost = [{"X": 1, system: 2}] * i
        met = [{"ref": 1, system: 2}] * (i - 1)
        blocks += [{system: 1, "X": 2}] * 2 + lost + met
    return table([(f"s{n}", ranks) for n, ranks in enumerate(blocks)])


def test_table_5_number_of_blocks_against_score():
    (found,) = diagnose(exposed(), only=["block-count"])
    rows = {row["system"]: row for row in found.answer.details}
    assert "ref" not in rows
    blocks = [rows[f"S{i}"]["blocks"] for i in range(1, 6)]
    scores = [rows[f"S{i}"]["at_least_others"] for i in range(1, 6)]
    assert blocks == [3, 5, 7, 9, 11]
    assert scores == pytest.approx([2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11])
    x = (rows["X"]["blocks"], rows["X"]["at_least_others"])
    assert x == (25, pytest.approx(15 / 25))
    expected = np.corrcoef([*blocks, x[0]], [*scores, x[1]])[0, 1]
    assert found.answer.value == pytest.approx(expected)


def test_table_10_share_of_blocks_with_the_reference():
    (found,) = diagnose(exposed(), only=["reference-share"])
    rows = {row["system"]: row for row in found.answer.details}
    shares = [rows[f"S{i}"]["reference_share"] for i in range(1, 6)]
    assert shares == pytest.approx([0, 1 / 5, 2 / 7, 3 / 9, 4 / 11])
    assert rows["X"]["reference_share"] == 0
    expected = np.corrcoef([*shares, 0], [row_score(rows, i) for i in range(1, 6)] + [15 / 25])
    assert found.answer.value == pytest.approx(expected[0, 1])


def row_score(rows, i):
    return rows[f"S{i}"]["at_least_others"]


def test_table_9_two_rankings_by_the_same_annotator():
    blocks = [("s", {"PC-TRANS": 2, "CU-BOJAR": 5}), ("s", {"PC-TRANS": 5, "CU-BOJAR": 4})]
    blocks += [(f"t{i}", {"PC-TRANS": 1, "CU-BOJAR": 2}) for i in range(2)] * 2
    judged = table(blocks)
    (found,) = diagnose(judged, only=["contradictions"])
    assert found.answer.value == pytest.approx(1 / 3)
    (worst,) = found.answer.details
    assert worst["output"] in ("PC-TRANS", "CU-BOJAR")
    assert {worst["ranks"], worst["ranks_again"]} in ({"2 : 5", "5 : 4"}, {"5 : 2", "4 : 5"})

    same = judged.with_columns(pl.lit("To není úplně ideální.").cast(pl.Categorical).alias("text"))
    (equal,) = diagnose(same, only=["identical-outputs"])
    assert equal.answer.value == 1
    assert equal.answer.details[0]["text"] == "To není úplně ideální."
    assert {equal.answer.details[0]["rank"], equal.answer.details[0]["other_rank"]} == {2, 5}


def test_random_clicks_over_five_ranks_reverse():
    """§2.2.2: P(=) = 1/5 and P(>) = P(<) = 2/5 for a random clicker."""
    assert random_reversal(1 / 5) == pytest.approx(2 * (2 / 5) ** 2)
