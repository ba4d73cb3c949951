"""Rows that were submitted twice: exact duplicates, and judgements that their judge repeated."""

import polars as pl

from adjudge.data.kinds import kind_of

_SAME = ("pair", "protocol", "document", "segment", "judge")


def without_repeats(table: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Of every output that a judge judged more than once the last judgement, and what was left out.

    Judgements are compared where judge and segment are known; the last is that of the latest time,
    or of the last row where no time is known.
    """
    number = kind_of(table.columns).number
    answers = _answers(table, number)
    known = answers.filter(pl.col("judge").is_not_null() & pl.col("segment").is_not_null())
    keys = [name for name in answers.columns if name not in (number, "time", "said")]
    distinct = known.unique([*keys, "said", "time"], keep="first", maintain_order=True)
    order = distinct.sort("time", maintain_order=True, nulls_last=False)
    last = order.unique(keys, keep="last")
    same, earlier = len(known) - len(distinct), len(distinct) - len(last)
    notes = []
    if same:
        notes.append(f"Left out: {_counted(same, 'exact duplicate')}.")
    if earlier:
        notes.append(
            f"Left out: {_counted(earlier, 'judgement')} that the same judge gave again later; "
            "the later one counts."
        )
    if not notes:
        return table, []
    dropped = known.join(last, on=number, how="anti")
    return table.filter(~pl.col(number).is_in(dropped[number].implode())), notes


def duplicates_note(table: pl.DataFrame) -> list[str]:
    """The number of exact duplicates, which count all the same.

    In a format that says so a judge may well have judged twice, so only answers that were also
    given at the same time are duplicates.
    """
    kind = kind_of(table.columns)
    value = ["rank"] if kind.number == "ranking" else ["score", "scale"]
    if kind.name == "edits" or table["time"].null_count() == len(table):
        return []
    known = pl.col("judge").is_not_null() & pl.col("segment").is_not_null()
    timed = table.filter(known & pl.col("time").is_not_null())
    if not timed.select(*_SAME, "output", *value, "time").is_duplicated().any():
        return []
    answers = _answers(timed, kind.number)
    same = len(answers) - answers.n_unique([c for c in answers.columns if c != kind.number])
    if not same:
        return []
    return [f"{_counted(same, 'exact duplicate')} (same judge, outputs and time); all count."]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _answers(table: pl.DataFrame, number: str) -> pl.DataFrame:
    """One row per ranking or item: who judged which outputs, when, and what was said."""
    value, scale = ("rank", []) if number == "ranking" else ("score", ["scale"])
    rows = table.select(
        number,
        *(pl.col(name).cast(pl.String) for name in (*_SAME, "output", *scale)),
        "time",
        pl.format("{} {}", pl.col("output").cast(pl.String), pl.col(value)).alias("said"),
    )
    first = [name for name in (*_SAME, *scale) if name in rows.columns]
    return rows.group_by(number, maintain_order=True).agg(
        pl.col(*first, "time").first(),
        pl.col("output").sort().str.join("\0"),
        pl.col("said").sort().str.join("\0"),
    )
