"""Choosing which judgements to look at."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from adjudge.errors import AdjudgeError, InputError
from adjudge.files.input_file import InputFile
from adjudge.judgements.judgement_table import is_reference
from adjudge.judgements.outputs import join_systems, systems_of


@dataclass(frozen=True)
class Selection:
    """What to keep; an empty tuple or None keeps everything."""

    pairs: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
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
    for column, names, keep in named_filters(selection):
        require(names, table[column].unique().drop_nulls().to_list(), column)
        table = table.filter(keep)
    table = _select_time(table, selection)
    table = _select_length(table, selection)
    return _select_systems(table, selection)


def named_filters(selection: Selection) -> Iterator[tuple[str, tuple[str, ...], pl.Expr]]:
    """The columns chosen by name: which, the names, and the condition that keeps a row."""
    for column, names in (
        ("pair", selection.pairs),
        ("protocol", selection.protocols),
        ("judge", selection.judges),
        ("group", selection.groups),
    ):
        if names:
            yield column, names, pl.col(column).is_in(names)
    if selection.without_judges:
        keep = pl.col("judge").is_in(selection.without_judges).not_() | pl.col("judge").is_null()
        yield "judge", selection.without_judges, keep


def require(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Refuse a name that is not known, and say which are."""
    available = sorted(known)
    for name in names:
        if name not in available:
            shown = ", ".join(available[:12]) + (", …" if len(available) > 12 else "")
            raise AdjudgeError(
                f"no {what} {name!r} in the judgements; there are: {shown or 'none'}"
            )


def one_protocol(table: pl.DataFrame) -> pl.DataFrame:
    """The judgements, refused where several protocols are among them: they measure differently."""
    found = sorted(table["protocol"].unique().drop_nulls().to_list())
    if len(found) > 1:
        raise AdjudgeError(
            f"the judgements are of {len(found)} protocols ({', '.join(found)}), which do not mix; "
            "choose one with --protocol"
        )
    return table


def by_protocol(table: pl.DataFrame) -> list[tuple[str | None, pl.DataFrame]]:
    """The judgements of each protocol, in the order of their names; the unknown first."""
    if table["protocol"].n_unique() == 1:
        return [(table["protocol"][0], table)]
    parts = table.partition_by("protocol", as_dict=True).items()
    named = [(None if key[0] is None else str(key[0]), part) for key, part in parts]
    return sorted(named, key=lambda one: one[0] or "")


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
    outputs = table["output"].unique().drop_nulls().to_list()
    require((*selection.systems, *selection.without_systems), known_systems(outputs), "system")
    return keep_systems(table, selection)


def known_systems(outputs: Iterable[str]) -> set[str]:
    """Every system that produced one of the outputs."""
    return {system for output in outputs for system in systems_of(output)}


def keep_systems(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """Drop unwanted systems from the outputs they share, and outputs with nobody left."""
    kept = kept_outputs(table["output"].unique().drop_nulls().to_list(), selection)
    if all(output == name for output, name in kept.items()):
        return table
    names = pl.DataFrame(
        {"output": list(kept), "kept": list(kept.values())},
        schema={"output": table.schema["output"], "kept": table.schema["output"]},
    )
    skipped = pl.col("output").is_null()
    joined = table.join(names, on="output", how="left", maintain_order="left")
    return (
        joined.filter(skipped | pl.col("kept").is_not_null())
        .with_columns(pl.col("kept").alias("output"))
        .drop("kept")
    )


def kept_outputs(outputs: Iterable[str], selection: Selection) -> dict[str, str | None]:
    """What is left of each output: its systems without the unwanted ones, None where none is.

    An output of no known system stays unless systems were chosen by name.
    """
    keeps = _keeps(selection)
    kept: dict[str, str | None] = {}
    for output in outputs:
        systems = systems_of(output)
        left = [system for system in systems if keeps(system)]
        kept[output] = join_systems(left) if left else None
        if not systems and not selection.systems:
            kept[output] = output
    return kept


def _keeps(selection: Selection) -> Callable[[str], bool]:
    def keeps(system: str) -> bool:
        return (
            (not selection.systems or system in selection.systems)
            and system not in selection.without_systems
            and not (selection.without_reference and is_reference(system))
        )

    return keeps


def with_source(table: pl.DataFrame, path: str) -> pl.DataFrame:
    """The judgements with their source text: line n of the file is segment n."""
    lines = InputFile(path).text.removesuffix("\n").split("\n")
    segments = table["segment"].unique().drop_nulls().cast(pl.String)
    numbers = segments.cast(pl.Int64, strict=False)
    wrong = segments.filter(~numbers.is_between(1, len(lines)).fill_null(False))
    if len(wrong):
        raise InputError(
            f"has {len(lines):,} lines but no line {wrong[0]!r}, which is a segment; give the "
            "source of this test set, one line a segment",
            file=path,
        )
    text = pl.Series([lines[number - 1] for number in numbers], dtype=pl.String)
    source = table["segment"].cast(pl.String).replace_strict(segments, text, default=None)
    return table.with_columns(source.cast(pl.Categorical).alias("source"))
