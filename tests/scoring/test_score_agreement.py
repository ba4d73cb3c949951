"""Agreement on values and on the ranks they imply."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from adjudge.data.score_table import score_table
from adjudge.scoring.agreement import ScoreAgreement, score_agreement
from adjudge.scoring.score_matrix import by_scale
from adjudge.stats.resampling import Resampling


def rows(seed: int = 1, scale: str = "adequacy", points: int = 5) -> list[dict]:
    """Three judges, one screen a segment with four outputs; one judge sees some screens twice."""
    rng = np.random.default_rng(seed)
    found = []
    screens = [(j, s) for j in range(3) for s in range(12)] + [(0, s) for s in range(5)]
    for ranking, (judge, segment) in enumerate(screens, 1):
        for output in range(4):
            value = (segment * 7 + output * 3) % points + 1 + rng.integers(-1, 2)
            found.append(
                {
                    "pair": "en-cs",
                    "segment": str(segment),
                    "item": ranking,
                    "judge": f"j{judge}",
                    "output": "ABCD"[output],
                    "scale": scale,
                    "score": float(np.clip(value, 1, points)),
                }
            )
    return found


def agreement(given: list[dict]) -> dict[tuple[str, str], dict]:
    (part,) = by_scale(score_table(pl.DataFrame(given)))
    found: list[ScoreAgreement] = score_agreement(*part, Resampling(replicates=50))
    return {(one.of, one.agreed.kind): one.row() for one in found}


def counted(given: list[dict], of: str, kind: str) -> tuple[int, int]:
    """Pairs of judgements that agree, and that can be compared, looked at one by one."""
    said: list[tuple[tuple, str, object]] = []
    if of == "values":
        said = [((r["segment"], r["output"]), r["judge"], r["score"]) for r in given]
    else:
        for a, b in combinations(given, 2):
            if a["item"] == b["item"]:
                first, second = sorted((a, b), key=lambda r: r["output"])
                order = np.sign(first["score"] - second["score"])
                said.append(((a["segment"], first["output"], second["output"]), a["judge"], order))
    pairs = [
        (one, other)
        for one, other in combinations(said, 2)
        if one[0] == other[0] and (one[1] == other[1]) == (kind == "intra")
    ]
    return sum(one[2] == other[2] for one, other in pairs), len(pairs)


@pytest.mark.parametrize("of", ["values", "ranks"])
@pytest.mark.parametrize("kind", ["inter", "intra"])
def test_counts_are_those_of_every_pair_of_judgements(of: str, kind: str) -> None:
    given = rows()
    row = agreement(given)[of, kind]
    assert (row["agree"], row["comparable"]) == counted(given, of, kind)
    chance = 1 / 5 if of == "values" else 1 / 3
    assert row["p_e"] == pytest.approx(chance)
    assert row["k"] == pytest.approx((row["p_a"] - chance) / (1 - chance))
    assert row["k_low"] < row["k"] < row["k_high"]


def test_all_five_points_count_also_where_judges_used_fewer() -> None:
    given = [{**row, "score": min(row["score"], 3.0)} for row in rows()]
    assert agreement(given)["values", "inter"]["p_e"] == pytest.approx(1 / 5)


def test_on_a_fine_scale_values_have_alpha_and_ranks_have_k() -> None:
    given = rows(scale="direct-assessment", points=100)
    found = agreement(given)
    values = found["values", "inter"]
    assert values["k"] is None
    assert values["alpha"] > 0.99  # one point of a hundred is nothing
    assert found["ranks", "inter"]["k"] is not None


def test_values_finer_than_a_hundred_steps() -> None:
    rng = np.random.default_rng(3)
    given = [
        {**row, "score": row["score"] + rng.uniform(-0.3, 0.3)}
        for row in rows(scale="mqm", points=400)
    ]
    assert agreement(given)["values", "inter"]["alpha"] > 0.99


def test_without_judges_there_is_no_agreement() -> None:
    given = [{**row, "judge": None} for row in rows()]
    (part,) = by_scale(score_table(pl.DataFrame(given)))
    assert score_agreement(*part, Resampling(replicates=5)) == ()


def test_one_judge_alone_agrees_with_nobody() -> None:
    found = agreement([row for row in rows() if row["judge"] == "j1"])
    assert found["values", "inter"]["comparable"] == 0
    assert found["values", "inter"]["k"] is None
