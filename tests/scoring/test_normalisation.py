"""Scores made comparable between judges."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import NotEnoughData
from adjudge.data.score_table import score_table
from adjudge.scoring.normalisation import default_normalisation, normalised, percentiles, z_scores
from adjudge.scoring.score_matrix import Scored, by_scale, code

GIVEN = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 100)), min_size=1, max_size=40)


def arrays(given: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    judge, value = zip(*given, strict=True)
    return np.array(value, float), np.array(judge)


@settings(deadline=None)
@given(GIVEN)
def test_a_place_is_the_share_below_and_half_the_share_equal(given) -> None:
    value, judge = arrays(given)
    expected = [
        np.mean([other < own for other in value[judge == j]])
        + np.mean([other == own for other in value[judge == j]]) / 2
        for own, j in zip(value, judge, strict=True)
    ]
    found = percentiles(value, judge)
    np.testing.assert_allclose(found, expected)
    for j in set(judge):
        assert found[judge == j].mean() == pytest.approx(0.5)


@settings(deadline=None)
@given(GIVEN)
def test_z_scores_are_those_of_each_judge(given) -> None:
    value, judge = arrays(given)
    found = z_scores(value, judge)
    for j in set(judge):
        own = value[judge == j]
        if len(set(own)) < 2:
            assert np.isnan(found[judge == j]).all()
        else:
            np.testing.assert_allclose(found[judge == j], (own - own.mean()) / own.std(ddof=1))


@settings(deadline=None)
@given(GIVEN, st.floats(0.1, 10), st.floats(-50, 50))
def test_neither_sees_how_strict_a_judge_is(given, factor: float, shift: float) -> None:
    value, judge = arrays(given)
    moved = np.where(judge == 0, value * factor + shift, value)
    np.testing.assert_allclose(percentiles(moved, judge), percentiles(value, judge))
    np.testing.assert_allclose(z_scores(moved, judge), z_scores(value, judge), atol=1e-9)


def scored(*rows: tuple[str | None, str, float]) -> Scored:
    frame = pl.DataFrame(
        [
            {
                "pair": "en-cs",
                "item": number,
                "segment": f"s{number}",
                "judge": judge,
                "output": output,
                "scale": "mqm",
                "score": score,
            }
            for number, (judge, output, score) in enumerate(rows, 1)
        ]
    )
    (part,) = by_scale(score_table(frame))
    return code(*part)


def test_judges_without_a_scale_of_their_own_are_left_out_and_named() -> None:
    given = scored(
        ("good", "A", 1), ("good", "B", 3), ("once", "A", 7), ("same", "A", 0.1),
        ("same", "B", 0.1), ("same", "A", 0.1), (None, "B", 9),
    )  # fmt: skip
    kept, notes = normalised(given, "z")
    assert {kept.judges[code] for code in kept.judge} == {"good"}
    np.testing.assert_allclose(kept.value, [-np.sqrt(0.5), np.sqrt(0.5)])
    assert any("1 scores by unknown judges" in note for note in notes)
    assert any("4 scores are left out: once, same gave" in note for note in notes)
    assert normalised(given, "raw")[0] is given
    placed, _ = normalised(given, "wmt07")
    assert len(placed) == 6


@pytest.mark.parametrize(
    ("scale", "usual"),
    [("direct-assessment", "z"), ("mqm", "raw"), ("standardised-direct-assessment", "raw")],
)
def test_some_scales_are_taken_as_they_are(scale: str, usual: str) -> None:
    assert default_normalisation(scale, True) == usual


def test_without_judges_nothing_can_be_normalised() -> None:
    given = scored((None, "A", 1), (None, "B", 2))
    assert default_normalisation(given.scale, False) == "raw"
    with pytest.raises(NotEnoughData, match=r"`normalise=\"raw\"`"):
        normalised(given, "wmt07")
    with pytest.raises(NotEnoughData, match="no judge gave two different scores"):
        normalised(scored(("x", "A", 1), ("y", "B", 2)), "z")
