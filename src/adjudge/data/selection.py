"""Choosing which judgements to look at."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from os import PathLike

import polars as pl

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, instead_of, within
from adjudge.core.files.input_file import InputFile
from adjudge.data.judgement_table import as_reference, is_reference
from adjudge.data.outputs import join_systems, systems_among, systems_of

Names = str | Iterable[str]
Moment = datetime | date | str


@dataclass(frozen=True, init=False)
class Selection:
    """What to keep; what is not given keeps everything.

    Parameters
    ----------
    pair, protocol, judge, group, system
        Keep only these: one name or several.
    without_judge, without_system
        Keep all but these.
    reference
        Take these systems for the human reference, besides those whose names say so.
    without_reference
        Leave the human reference out.
    shortest, longest
        How many words the source segment has, at least and at most.
    since, until
        When it was submitted: from `since` on, before `until`. A `datetime`, a `date` or a text
        like ``2015-05-01`` or ``2015-05-01T12:00``; UTC where it names no time zone.

    Raises
    ------
    BadParameter
        A value that cannot be one of these.

    Examples
    --------
    >>> Selection(pair="fre-eng", without_judge=["judge7", "judge9"]).without_judge
    ('judge7', 'judge9')
    """

    pair: tuple[str, ...]
    protocol: tuple[str, ...]
    judge: tuple[str, ...]
    without_judge: tuple[str, ...]
    group: tuple[str, ...]
    system: tuple[str, ...]
    without_system: tuple[str, ...]
    reference: tuple[str, ...]
    without_reference: bool
    shortest: int | None
    longest: int | None
    since: datetime | None
    until: datetime | None

    def __init__(
        self,
        *,
        pair: Names | None = None,
        protocol: Names | None = None,
        judge: Names | None = None,
        without_judge: Names | None = None,
        group: Names | None = None,
        system: Names | None = None,
        without_system: Names | None = None,
        reference: Names | None = None,
        without_reference: bool = False,
        shortest: int | None = None,
        longest: int | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
    ) -> None:
        if not isinstance(without_reference, bool):
            raise BadParameter(f"`without_reference` is true or false, not {without_reference!r}")
        values = {
            "pair": _names(pair, "pair"),
            "protocol": _names(protocol, "protocol"),
            "judge": _names(judge, "judge"),
            "without_judge": _names(without_judge, "without_judge"),
            "group": _names(group, "group"),
            "system": _names(system, "system"),
            "without_system": _names(without_system, "without_system"),
            "reference": _names(reference, "reference"),
            "without_reference": without_reference,
            "shortest": _words(shortest, "shortest"),
            "longest": _words(longest, "longest"),
            "since": _moment(since, "since"),
            "until": _moment(until, "until"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _names(given: object, parameter: str) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else () if given is None else given
    if not isinstance(names, Iterable) or isinstance(names, bytes):
        raise BadParameter(f"`{parameter}` is a name or several, not {given!r}")
    several = tuple(names)
    for name in several:
        if not isinstance(name, str) or not name:
            raise BadParameter(f"`{parameter}` is a name or several; {name!r} is no name")
    return several


def _words(given: object, parameter: str) -> int | None:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool):
        raise BadParameter(f"`{parameter}` is a whole number of words, not {given!r}")
    within(given, parameter, 0)
    return given


def _moment(given: object, parameter: str) -> datetime | None:
    if given is None:
        return None
    moment = given
    if isinstance(given, str):
        try:
            moment = datetime.fromisoformat(given)
        except ValueError:
            moment = None
    elif isinstance(given, date) and not isinstance(given, datetime):
        moment = datetime(given.year, given.month, given.day)
    if not isinstance(moment, datetime):
        raise BadParameter(f"`{parameter}` is a time like 2015-05-01T12:00, not {given!r}")
    return moment.replace(tzinfo=moment.tzinfo or UTC)


def select(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """The rows that `selection` keeps; a name that is not there is an error.

    Parameters
    ----------
    table
        Judgements, scores or edits. Of edits, `select_edits` also drops the reviews of what is
        not kept.
    selection
        What to keep.

    Raises
    ------
    AdjudgeError
        No row has a name that was asked for, or nothing has the times or texts it needs.
    """
    for column, names, keep in named_filters(selection):
        require(names, table[column].unique().drop_nulls().to_list(), column)
        table = table.filter(keep)
    table = _select_time(table, selection)
    table = _select_length(table, selection)
    return _select_systems(table, selection)


def select_edits(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """The edits that `selection` keeps, and those reviews it keeps whose edit it keeps."""
    kept = select(table, selection)
    return kept.filter(
        pl.col("reviewed").is_null()
        | pl.col("reviewed").is_in(kept["item"].implode(), nulls_equal=False)
    )


def named_filters(selection: Selection) -> Iterator[tuple[str, tuple[str, ...], pl.Expr]]:
    """The columns chosen by name: which, the names, and the condition that keeps a row."""
    for column, names in (
        ("pair", selection.pair),
        ("protocol", selection.protocol),
        ("judge", selection.judge),
        ("group", selection.group),
    ):
        if names:
            yield column, names, pl.col(column).is_in(names)
    if selection.without_judge:
        keep = pl.col("judge").is_in(selection.without_judge).not_() | pl.col("judge").is_null()
        yield "judge", selection.without_judge, keep


def require(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Refuse a name that is not known, and say which are."""
    available = sorted(known)
    for name in names:
        if name not in available:
            raise AdjudgeError(
                f"no {what} {name!r} in the judgements; {instead_of(name, available, 12)}"
            )


def one_protocol(table: pl.DataFrame) -> pl.DataFrame:
    """The judgements, refused where several protocols are among them: they measure differently."""
    protocols = sorted(table["protocol"].unique().drop_nulls().to_list())
    if len(protocols) > 1:
        raise AdjudgeError(
            f"the judgements are of {len(protocols)} protocols ({', '.join(protocols)}), which do "
            "not mix; choose one with `protocol`"
        )
    return table


def by_protocol(table: pl.DataFrame) -> list[tuple[str | None, pl.DataFrame]]:
    """The judgements of each protocol, in the order of their names; the unknown first."""
    if table["protocol"].n_unique() == 1:
        return [(table["protocol"][0], table)]
    parts = table.partition_by("protocol", as_dict=True).items()
    named = [(None if key[0] is None else str(key[0]), part) for key, part in parts]
    return sorted(named, key=lambda part: part[0] or "")


def _select_time(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    if selection.since is None and selection.until is None:
        return table
    if table["time"].null_count() == len(table):
        raise AdjudgeError("these judgements carry no times; leave `since` and `until` out")
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
            "these judgements carry no source text to measure; give it with `source`"
        )
    length = source_lengths(table)
    low = 0 if selection.shortest is None else selection.shortest
    high = length.max() if selection.longest is None else selection.longest
    return table.filter(length.is_between(low, high))


def _select_systems(table: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    outputs = table["output"].unique().drop_nulls().to_list()
    require_systems(selection, systems_among(outputs))
    return keep_systems(table, selection)


def require_systems(selection: Selection, systems: Collection[str]) -> None:
    """Refuse a system that is not there, and to leave out a reference that is not."""
    named = (*selection.system, *selection.without_system, *selection.reference)
    require(named, systems, "system")
    if selection.without_reference and not any(map(_is_reference(selection), systems)):
        raise AdjudgeError(
            "no system is called like a human reference (ref, refA, Human-A, …), so there is none "
            "to leave out; name it with `reference`, or do without `without_reference`"
        )


def _is_reference(selection: Selection) -> Callable[[str], bool]:
    return lambda system: system in selection.reference or is_reference(system)


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

    An output of no known system stays unless systems were chosen by name. Who was named as the
    reference is called so.
    """
    keeps, named = _keeps(selection), selection.reference
    kept: dict[str, str | None] = {}
    for output in outputs:
        systems = systems_of(output)
        left = [as_reference(s) if s in named else s for s in systems if keeps(s)]
        kept[output] = join_systems(left) if left else None
        if not systems and not selection.system:
            kept[output] = output
    return kept


def _keeps(selection: Selection) -> Callable[[str], bool]:
    is_one = _is_reference(selection)

    def keeps(system: str) -> bool:
        return (
            (not selection.system or system in selection.system)
            and system not in selection.without_system
            and not (selection.without_reference and is_one(system))
        )

    return keeps


def with_source(table: pl.DataFrame, path: str | PathLike[str]) -> pl.DataFrame:
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
