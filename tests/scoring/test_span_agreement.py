"""F1 of marked characters, beside a slow and plain way to count them."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.score_table import score_table
from adjudge.scoring.span_agreement import span_agreement
from adjudge.stats.resampling import Resampling

LENGTH = 12


def table(markings: list[dict[str, Any]]) -> pl.DataFrame:
    usual = {"pair": "en-de", "scale": "error-spans", "score": 1.0, "text": "a" * LENGTH}
    return score_table(
        pl.DataFrame(
            [{**usual, "item": n, **one} for n, one in enumerate(markings)],
            schema_overrides={
                "spans": pl.List(
                    pl.Struct(
                        {"start": pl.Int32, "end": pl.Int32,
                         "severity": pl.String, "category": pl.String}
                    )
                )
            },
        )
    )  # fmt: skip


def marking(
    segment: str, judge: str, *places: tuple[int | None, int | None, str]
) -> dict[str, Any]:
    spans = [
        {"start": start, "end": end, "severity": severity, "category": None}
        for start, end, severity in places
    ]
    return {"segment": segment, "judge": judge, "output": "A", "spans": spans}


def test_half_of_what_one_marks() -> None:
    (inter,) = span_agreement(
        table(
            [
                marking("1", "x", (0, 4, "minor"), (None, None, "major")),
                marking("1", "y", (2, 6, "major")),
                marking("2", "x"),
                marking("2", "y"),
                marking("3", "x", (0, 12, "minor")),  # nobody else saw it
            ]
        )
    )
    assert (inter.between, inter.compared, inter.both_marked, inter.none_marked) == (
        *("inter", 2), *(1, 1),
    )  # fmt: skip
    assert inter.f1 == pytest.approx(0.5)
    assert inter.f1_with_severity == 0
    assert inter.f1_by_chance == pytest.approx(2 * (4 * 4 / LENGTH) / 8)


def test_nothing_marked_is_no_agreement_on_places() -> None:
    (inter,) = span_agreement(table([marking("1", "x"), marking("1", "y")]))
    assert (inter.f1, inter.f1_by_chance) == (None, None)
    assert span_agreement(table([marking("1", "x")])) == ()


def plainly(markings: list[dict[str, Any]], same: bool) -> Iterator[tuple[set, set]]:
    for a, b in combinations(markings, 2):
        if a["segment"] == b["segment"] and (a["judge"] == b["judge"]) == same:
            yield tuple(
                {
                    (at, span["severity"])
                    for span in one["spans"]
                    if span["start"] is not None
                    for at in range(span["start"], span["end"])
                }
                for one in (a, b)
            )


@st.composite
def markings(draw: st.DrawFn) -> dict[str, Any]:
    ends = sorted(draw(st.lists(st.integers(0, LENGTH), max_size=4, unique=True)))
    severity = st.sampled_from(["minor", "major"])
    pairs = zip(ends[::2], ends[1::2], strict=False)
    places = [(start, end, draw(severity)) for start, end in pairs]
    return marking(draw(st.sampled_from("12")), draw(st.sampled_from("xyz")), *places)


@settings(deadline=None, max_examples=40)
@given(st.lists(markings(), min_size=2, max_size=8))
def test_as_counted_plainly(said: list[dict[str, Any]]) -> None:
    found = {one.between: one for one in span_agreement(table(said))}
    for kind, same in (("inter", False), ("intra", True)):
        pairs = list(plainly(said, same))
        assert (found[kind].compared if kind in found else 0) == len(pairs)
        total = sum(len(a) + len(b) for a, b in pairs)
        if not total:
            continue
        common = sum(len({at for at, _ in a} & {at for at, _ in b}) for a, b in pairs)
        assert found[kind].f1 == pytest.approx(2 * common / total)
        alike = sum(len(a & b) for a, b in pairs)
        assert found[kind].f1_with_severity == pytest.approx(2 * alike / total)


def marked_by(random: np.random.Generator, judges: int, outputs: int) -> pl.DataFrame:
    """Two judges an output; each marks the true error as often as they are able to."""
    able = random.uniform(0.2, 1.0, judges)
    said = []
    for output in range(outputs):
        for judge in random.choice(judges, 2, replace=False):
            start = 0 if random.random() < able[judge] else 6
            said.append(marking(str(output), f"j{judge}", (start, start + 6, "minor")))
    return table(said)


@pytest.mark.slow
def test_intervals_hold_for_other_judges_and_outputs() -> None:
    """Two agree where both are right, or both wrong: 0.6² + 0.4² of the characters."""
    covered, alone = [], []
    for seed in range(80):
        given_table = marked_by(np.random.default_rng(seed), 12, 80)
        for unit, held in (("auto", covered), ("segment", alone)):
            (inter,) = span_agreement(given_table, Resampling(unit))
            assert inter.f1_low < inter.f1 < inter.f1_high
            held.append(inter.f1_low <= 0.6**2 + 0.4**2 <= inter.f1_high)
    assert inter.holds_for == "for other segments like these, by these 12 judges"
    assert np.mean(covered) > 0.88
    assert np.mean(alone) <= np.mean(covered)


def test_perfect_agreement_has_an_interval_of_some_width() -> None:
    both = [marking(str(n), judge, (0, 3, "major")) for n in range(8) for judge in "xy"]
    (inter,) = span_agreement(table(both))
    assert inter.f1 == 1
    assert inter.f1_low < inter.f1_high == 1
    assert inter.holds_for == "for other segments like these, by these 2 judges"
