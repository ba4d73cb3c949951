"""Choosing which judgements to look at."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from adjudge.errors import AdjudgeError
from adjudge.judgements.schema import is_reference, join_systems, systems_of


@dataclass(frozen=True)
class Selection:
    """What to keep; an empty tuple or None keeps everything."""

    pairs: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    without_judges: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    without_systems: tuple[str, ...] = ()
    without_reference: bool = False
    shortest: int | None = None  # words of the source segment
    longest: int | None = None
    since: datetime | None = None
    until: datetime | None = None


def select(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """The judgements that `selection` keeps; a name that is not there is an error."""
    for column, names in (
        ("pair", selection.pairs),
        ("judge", selection.judges),
        ("group", selection.groups),
    ):
        if names:
            require(names, table[column].unique().drop_nulls().to_list(), column)
            table = table.filter(pl.col(column).is_in(names))
    if selection.without_judges:
        require(selection.without_judges, table["judge"].unique().drop_nulls().to_list(), "judge")
        table = table.filter(
            pl.col("judge").is_in(selection.without_judges).not_() | pl.col("judge").is_null()
        )
    table = _select_time(table, selection)
    table = _select_length(table, selection)
    return _select_systems(table, selection)


def require(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Refuse a name that is not known, and say which are."""
    available = sorted(known)
    for name in names:
        if name not in available:
            shown = ", ".join(available[:12]) + (", …" if len(available) > 12 else "")
            raise AdjudgeError(
                f"no {what} {name!r} in the judgements; there are: {shown or 'none'}"
            )


def _select_time(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    if selection.since is None and selection.until is None:
        return table
    if table["time"].null_count() == len(table):
        raise AdjudgeError("these judgements carry no times; leave --since and --until out")
    if selection.since is not None:
        table = table.filter(pl.col("time") >= selection.since)
    if selection.until is not None:
        table = table.filter(pl.col("time") < selection.until)
    return table


def source_lengths(table: pl.DataFrame) -> pl.Series:
    """Words of the source segment of every row (null where the text is missing)."""
    return table["source"].cast(pl.String).str.split(" ").list.len().alias("length")


def _select_length(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    if selection.shortest is None and selection.longest is None:
        return table
    if table["source"].null_count() == len(table):
        raise AdjudgeError(
            "these judgements carry no source text to measure; give it with --source"
        )
    length = source_lengths(table)
    low = 0 if selection.shortest is None else selection.shortest
    high = length.max() if selection.longest is None else selection.longest
    return table.filter(length.is_between(low, high))


def _select_systems(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """Drop systems from the outputs they share, and outputs with nobody left."""
    outputs = table["output"].unique().drop_nulls().to_list()
    known = {system for output in outputs for system in systems_of(output)}
    require((*selection.systems, *selection.without_systems), known, "system")
    kept = {system for system in known if _keeps(selection)(system)}
    if kept == known:
        return table
    renamed = {
        output: join_systems(left) if (left := kept.intersection(systems_of(output))) else None
        for output in outputs
    }
    names = pl.DataFrame(
        {"output": list(renamed), "kept": list(renamed.values())},
        schema={"output": table.schema["output"], "kept": table.schema["output"]},
    )
    skipped = pl.col("output").is_null()
    joined = table.join(names, on="output", how="left", maintain_order="left")
    return (
        joined.filter(skipped | pl.col("kept").is_not_null())
        .with_columns(pl.col("kept").alias("output"))
        .drop("kept")
    )


def _keeps(selection: Selection) -> Callable[[str], bool]:
    def keeps(system: str) -> bool:
        return (
            (not selection.systems or system in selection.systems)
            and system not in selection.without_systems
            and not (selection.without_reference and is_reference(system))
        )

    return keeps
