"""Statuses, scores of systems, agreement and new references, from small tables of edits."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl
import pytest

from adjudge.core.errors import NotEnoughData
from adjudge.data.edit_table import edit_table
from adjudge.data.selection import Selection, select_edits
from adjudge.scoring.edits.agreement import acceptability_agreement
from adjudge.scoring.edits.data_rows import data_rows, mark_repeated
from adjudge.scoring.edits.references import new_references, references
from adjudge.scoring.edits.results import understood
from adjudge.scoring.edits.understandability import Understandability, understandability
from adjudge.stats.resampling import Resampling

FEW = Resampling(replicates=200)


def edit(number: int, text: str | None = "edited", **more: Any) -> dict[str, Any]:
    about = {"pair": "en-cs", "protocol": "blind-edit", "item": number, "segment": "1"}
    said = {"edit": text, "incomprehensible": text is None}
    return about | {"output": "a", "judge": "editor"} | said | more


def review(number: int, of: int, verdict: str | None, text: str | None = None, **more: Any) -> Any:
    about = {"pair": "en-cs", "protocol": "review", "item": number, "reviewed": of}
    said = {"verdict": verdict, "edit": text}
    return about | {"segment": "1", "output": "a", "judge": "reviewer"} | said | more


def table(*rows: dict[str, Any]) -> pl.DataFrame:
    return edit_table(pl.DataFrame(rows, infer_schema_length=None))


@pytest.mark.parametrize(
    ("text", "verdict", "changed", "status", "final"),
    [
        ("edited", "yes", None, "GOOD", "edited"),
        ("edited", "yes", "edited", "GOOD", "edited"),  # nothing was changed
        ("edited", "yes", "polished", "ALMOST", "polished"),
        ("edited", "no", "corrected", "BAD", "corrected"),
        ("edited", "no", None, "BAD", None),
        (None, None, "from scratch", "EMPTY", "from scratch"),
    ],
)
def test_statuses(
    text: str | None, verdict: str | None, changed: str | None, status: str, final: str | None
) -> None:
    rows = data_rows(table(edit(1, text), review(2, 1, verdict, changed)))
    assert rows["status"].to_list() == [status]
    assert rows["final"].to_list() == [final]


def test_an_edit_waits_for_its_review_unless_it_is_empty() -> None:
    made = table(
        edit(1),
        edit(2, None, segment="2"),
        edit(3, segment="3"),
        review(4, 3, None, segment="3", output=None),  # skipped
    )
    assert data_rows(made)["item"].to_list() == [2]


def test_one_row_for_every_review() -> None:
    made = table(edit(1), review(2, 1, "yes"), review(3, 1, "no", judge="another"), edit(4, None))
    assert data_rows(made)["status"].to_list() == ["GOOD", "BAD", "EMPTY"]


def test_repeated_by_time_and_by_whoever_saw_the_segment() -> None:
    hours = [datetime(2013, 5, 1, hour, tzinfo=UTC) for hour in range(6)]
    made = table(
        edit(1, None, time=hours[5], output="b"),  # made last
        edit(2, None, time=hours[1]),
        edit(3, time=hours[0], judge="first", output="c"),
        review(4, 3, "yes", time=hours[2], judge="second"),
        edit(5, None, time=hours[3], judge="second", output="d"),  # has reviewed it
        edit(6, None, time=hours[4], judge="second", segment="2"),
        edit(7, None, time=hours[4], judge=None),
    )
    rows = data_rows(made)
    assert rows.filter("repeated")["item"].to_list() == [1, 5]
    without_times = made.with_columns(time=pl.lit(None, pl.Datetime("us", "UTC")))
    assert data_rows(without_times).filter("repeated")["item"].to_list() == [2, 5]


def test_what_was_chosen_stays_repeated() -> None:
    made = table(edit(1, None, output="b"), edit(2, None, output="a"))
    chosen = select_edits(mark_repeated(made), Selection(system=("a",)))
    assert data_rows(chosen)["repeated"].to_list() == [True]


def judged(shares: dict[str, tuple[int, int]], **more: Any) -> pl.DataFrame:
    """So many edits of each system accepted, of so many."""
    rows: list[dict[str, Any]] = []
    for system, (accepted, of) in shares.items():
        for i in range(of):
            about = {"segment": f"{system} {i}", "output": system}
            rows.append(edit(len(rows) + 1, **about, judge=f"editor {i % 3}", **more))
            verdict = "yes" if i < accepted else "no"
            rows.append(review(len(rows) + 1, len(rows), verdict, judge=f"r{i % 4}", **about))
    return data_rows(table(*rows))


def test_systems_in_order_with_counts() -> None:
    rows = judged({"a": (2, 10), "b": (9, 10), "ref": (10, 10)})
    found = understandability(rows, Resampling("row", 200))
    assert found.systems == ("ref", "b", "a")
    assert found.share.tolist() == pytest.approx([1, 0.9, 0.2])
    assert found.counts.tolist() == [[10, 0, 0, 0], [9, 0, 1, 0], [2, 0, 8, 0]]
    assert found.average == pytest.approx((0.9 + 0.2) / 2)  # without the reference
    assert found.rank_low.tolist() == [1, 1, 3]
    assert found.rank_high.tolist() == [2, 2, 3]
    assert found.cluster.tolist() == [1, 1, 2]


def test_an_output_of_two_systems_counts_for_both() -> None:
    rows = judged({"a": (2, 4), "a\x1fb": (4, 4)})
    found = understandability(rows, FEW)
    assert dict(zip(found.systems, found.share, strict=True)) == {"b": 1.0, "a": 0.75}


def test_leaving_one_person_out() -> None:
    """One reviewer accepted everything, the other nothing."""
    rows = judged({"a": (2, 10)}).with_columns(
        pl.when(pl.col("status") == "GOOD")
        .then(pl.lit("kind"))
        .otherwise(pl.lit("strict"))
        .cast(pl.Categorical)
        .alias("reviewer")
    )
    found = understandability(rows, FEW)
    assert found.reviewer_effect.tolist() == pytest.approx([0.8])  # 2 of 10, then 2 of 2


def test_somebody_alone_has_no_effect_that_is_known() -> None:
    rows = judged({"a": (2, 10)}).with_columns(pl.lit("all").cast(pl.Categorical).alias("editor"))
    assert np.isnan(understandability(rows, FEW).editor_effect).all()


@pytest.mark.parametrize("unit", ["segment", "editor", "reviewer"])
def test_rows_that_come_together_are_drawn_together(unit: str) -> None:
    """Three rows of every unit that all say the same: intervals are √3 times as wide."""
    rows = judged({"a": (60, 120), "b": (60, 120)})
    rows = rows.with_columns(pl.int_range(pl.len()).cast(pl.String).alias("whole"))
    one = understandability(rows, Resampling("row", replicates=1000))
    thrice = pl.concat([rows.with_columns(pl.col("whole").cast(pl.Categorical).alias(unit))] * 3)
    found = understandability(thrice, Resampling(unit, replicates=1000))  # type: ignore[arg-type]
    assert width(found) == pytest.approx(width(one), rel=0.1)
    alone = understandability(thrice, Resampling("row", replicates=1000))
    assert width(alone) * 3**0.5 == pytest.approx(width(one), rel=0.1)


def width(found: Understandability) -> float:
    return float((found.high - found.low).mean())


def test_a_unit_nobody_knows_is_refused() -> None:
    rows = judged({"a": (2, 10)})
    with pytest.raises(NotEnoughData, match="no document is known"):
        understandability(rows, replace(FEW, unit="document"))
    with pytest.raises(NotEnoughData, match="only one document"):
        understandability(
            rows.with_columns(pl.lit("d").cast(pl.Categorical).alias("document")),
            replace(FEW, unit="document"),
        )


def test_a_system_missing_from_a_sample_keeps_its_share() -> None:
    found = understandability(judged({"a": (1, 1), "b": (30, 60)}), FEW)
    assert np.isfinite(found.low).all()
    assert np.isfinite(found.high).all()


def test_the_same_seed_gives_the_same() -> None:
    rows = judged({"a": (4, 10), "b": (9, 10)})
    one, two = (understandability(rows, Resampling("row", seed=7)) for _ in range(2))
    assert one.rows() == two.rows()
    other = understandability(rows, Resampling("row", seed=8))
    assert one.low.tolist() != other.low.tolist()


def test_the_same_text_of_two_editors_is_one_item() -> None:
    made = table(
        edit(1, "same", output="a"),
        edit(2, "same", output="b", judge="other"),
        edit(3, "same", output="a", judge="third", segment="2"),
        review(4, 1, "yes"),
        review(5, 2, "yes", judge="second", output="b"),
        review(6, 3, "no", judge="second", segment="2"),
    )
    found = acceptability_agreement(data_rows(made), FEW)
    assert {(one.agreed.kind, one.agreed.agree, one.agreed.comparable) for one in found} == {
        ("inter", 1, 1)
    }


def test_new_references_are_distinct_and_new() -> None:
    official = {"reference": "official"}
    made = table(
        edit(1, "one text", **official),
        edit(2, "official", judge="b", **official),
        edit(3, "wrong", judge="c", **official),
        edit(4, None, segment="2", **official),
        review(5, 1, "yes", **official),
        review(6, 1, "no", " one  text ", judge="again", **official),
        review(7, 2, "yes", **official),
        review(8, 3, "no", "mended", **official),
    )
    rows = data_rows(made)
    assert references(rows).select("segment", "status", "reference").rows() == [
        ("1", "GOOD", "one text"),
        ("1", "BAD", "mended"),
    ]
    (found,) = new_references(rows)
    assert found.segments == (1, 0, 1)  # the second segment has none
    assert (found.number, found.mean, found.deviation) == (2, 1.0, 1.0)


def test_edits_without_any_review_say_nothing() -> None:
    with pytest.raises(NotEnoughData, match="have the edits reviewed"):
        understood(table(edit(1)))


def test_every_language_pair_by_itself() -> None:
    made = table(
        edit(1),
        review(2, 1, "yes"),
        edit(3, segment="2"),
        review(4, 3, "no", segment="2"),
        edit(5, None, pair="de-en"),
        edit(6, None, pair="de-en", segment="2"),
        edit(7, segment="3"),
    )
    found = understood(made, resampling=FEW)
    assert [one.pair for one in found.systems] == ["de-en", "en-cs"]
    assert found.waiting == 1
