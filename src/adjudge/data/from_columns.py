"""Tables from columns that are already in memory: lists, NumPy, Polars, pandas, Arrow.

No library but Polars and NumPy is imported: a column of another one is taken through the Arrow
PyCapsule interface (`__arrow_c_stream__`) or as an array (`__array__`).
"""

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter, InputError, MissingExtra
from adjudge.data.judgement_table import SCHEMA, judgement_table
from adjudge.data.outcomes import EXPECTED, SHORT, SIDES, label_of, side_of, simplified
from adjudge.data.outputs import breaks_names
from adjudge.data.ranking_rows import to_rows
from adjudge.data.score_table import SCORE_SCHEMA, score_table

Column = Any  # a list, a NumPy array, or a column of Polars, pandas or Arrow


def from_comparisons(
    left: Column,
    right: Column,
    outcome: Column,
    *,
    judge: Column | None = None,
    segment: Column | None = None,
    document: Column | None = None,
    pair: Column | None = None,
    protocol: Column | None = None,
    group: Column | None = None,
    hit: Column | None = None,
    seconds: Column | None = None,
    time: Column | None = None,
    comment: Column | None = None,
    source: Column | None = None,
    reference: Column | None = None,
) -> pl.DataFrame:
    """Judgements from comparisons of two systems, one ranking a comparison.

    Parameters
    ----------
    left, right
        The names of the systems, a column each. `left` was shown first.
    outcome
        Who is better: numbers (positive: left, negative: right, 0: a tie), the winner's name, or a
        word of docs/formats.md in any case: ``left``, ``model_a``, ``A``, …, ``tie``, ``both
        fine``, ``both wrong`` or ``both bad``, of which the last three are ties with that label.
        A missing outcome is a missing label: such a row compares nothing.
    judge, segment, document, pair, protocol, group, hit, seconds, time, comment, source, reference
        What else is known, a column each, or one value for all rows. `pair` is ``comparisons``
        where it is not given.

    Returns
    -------
    polars.DataFrame
        A judgement table; row n of the columns is ranking n, counted from 1.

    Raises
    ------
    BadParameter
        Columns of different lengths, or a value that none of them can have; the message names
        the row, counted from 1.

    Examples
    --------
    >>> votes = from_comparisons(["A", "A"], ["B", "C"], ["left", "tie"], judge=["ann", "bob"])
    >>> votes["output"].to_list(), votes["rank"].to_list()
    (['A', 'B', 'A', 'C'], [1, 2, 1, 1])
    """
    sides = {"left": _names(left, "left"), "right": _names(right, "right")}
    frame = _columns(
        {**sides, "outcome": outcome},
        {
            "judge": judge,
            "segment": segment,
            "document": document,
            "pair": "comparisons" if pair is None else pair,
            "protocol": protocol,
            "group": group,
            "hit": hit,
            "seconds": seconds,
            "time": time,
            "comment": comment,
            "source": source,
            "reference": reference,
        },
        SCHEMA,
    )
    _refuse(frame, pl.col("left") == pl.col("right"), "left", "is compared with itself; mend it")
    won = _outcome(frame)
    side = won["won"]
    ranked = frame.drop("outcome").with_columns(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("ranking"),
        pl.when(side < 0).then(2).when(side >= 0).then(1).cast(pl.Int32).alias("left_rank"),
        pl.when(side > 0).then(2).when(side <= 0).then(1).cast(pl.Int32).alias("right_rank"),
        won["label"],
    )
    rows = to_rows(
        ranked,
        [pl.col("left"), pl.col("right")],
        [pl.col("left_rank"), pl.col("right_rank")],
    )
    return judgement_table(rows.drop("left", "right", "left_rank", "right_rank"))


def from_rankings(frame: Any) -> pl.DataFrame:
    """Judgements from a frame that has their columns, one row per judged output.

    Parameters
    ----------
    frame
        A frame of Polars, pandas or Arrow, or a mapping of columns, with `pair`, `ranking`,
        `output` and `rank`, and any of the other columns of `SCHEMA`. An output is named by its
        system; one of several systems by `join_systems`.

    Returns
    -------
    polars.DataFrame
        A judgement table.

    Raises
    ------
    InputError
        A column that judgements do not have, or a row that cannot be; the message names it.

    Examples
    --------
    >>> columns = {"pair": "x-y", "ranking": [1, 1], "output": ["A", "B"], "rank": [2, 1]}
    >>> from_rankings(columns)["rank"].to_list()
    [2, 1]
    """
    given = as_frame(frame)
    for name in ("pair", "ranking", "output", "rank"):
        if name not in given.columns:
            raise InputError(f"no column {name!r}; rankings need it, add it")
    known = [name for name in SCHEMA if name in given.columns]
    cast = given.with_columns(_cast(given[name], name, SCHEMA[name]) for name in known)
    return judgement_table(cast.with_row_index("line", offset=1))


def from_scores(
    system: Column,
    segment: Column,
    score: Column,
    *,
    judge: Column | None = None,
    scale: Column = "score",
    document: Column | None = None,
    pair: Column | None = None,
    protocol: Column | None = None,
    group: Column | None = None,
    hit: Column | None = None,
    seconds: Column | None = None,
    time: Column | None = None,
    comment: Column | None = None,
    source: Column | None = None,
    reference: Column | None = None,
    text: Column | None = None,
    spans: Column | None = None,
) -> pl.DataFrame:
    """Scores from columns, one item a row.

    Parameters
    ----------
    system, segment, score
        Whose output, of which segment, was given which score; higher is better. A missing score
        was not given.
    scale
        What was scored. ``adequacy`` and ``fluency`` go from 1 to 5, ``direct-assessment`` and
        ``error-spans`` from 0 to 100, other scales where they like.
    judge, document, pair, protocol, group, hit, seconds, time, comment, source, reference, text
        What else is known, a column each, or one value for all rows. `pair` is ``scores`` where
        it is not given; `text` is the output that was judged.
    spans
        The errors marked in each output, a list of dicts with `start`, `end`, `severity` and
        `category` (docs/formats.md); an empty list where there are none, None where none were
        asked for.

    Returns
    -------
    polars.DataFrame
        A score table; row n of the columns is item n, counted from 1.

    Raises
    ------
    BadParameter
        Columns of different lengths, or a value that none of them can have; the message names
        the row, counted from 1.

    Examples
    --------
    >>> from_scores(["A", "B"], [1, 1], [71, 64.5], judge="ann")["score"].to_list()
    [71.0, 64.5]
    """
    frame = _columns(
        {"system": _names(system, "system"), "segment": segment, "score": score},
        {
            "judge": judge,
            "scale": scale,
            "document": document,
            "pair": "scores" if pair is None else pair,
            "protocol": protocol,
            "group": group,
            "hit": hit,
            "seconds": seconds,
            "time": time,
            "comment": comment,
            "source": source,
            "reference": reference,
            "text": text,
        },
        SCORE_SCHEMA,
    )
    if spans is not None:
        frame = frame.with_columns(_spans(spans, len(frame)))
    rows = frame.rename({"system": "output"}).with_row_index("line", offset=1)
    return score_table(rows.with_columns(pl.col("line").cast(pl.Int64).alias("item")))


def _spans(given: Column, rows: int) -> pl.Series:
    """Lists of marked errors."""
    lists = given.to_list() if isinstance(given, pl.Series) else list(given)
    if len(lists) != rows:
        raise BadParameter(
            f"`spans` has {len(lists):,} rows, `system` has {rows:,}; give columns of one length"
        )
    try:
        return pl.Series("spans", lists, dtype=SCORE_SCHEMA["spans"])
    except (TypeError, pl.exceptions.PolarsError):
        raise BadParameter(
            "`spans` holds no lists of dicts with start, end, severity and category; give one list "
            "a row, empty where nothing is marked"
        ) from None


def _series(given: Column, parameter: str) -> pl.Series:
    """A column of any library as one of Polars."""
    if isinstance(given, str | bytes | Mapping):
        raise BadParameter(f"`{parameter}` is {given!r}; give a column, one value a row")
    try:
        if isinstance(given, pl.Series):
            column = given
        elif hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
            column = pl.Series(given)
        elif hasattr(given, "__array__"):
            array = np.asarray(given)
            column = _of_values(array.tolist()) if array.dtype == object else pl.Series(array)
        else:
            column = _of_values(list(given))
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        raise BadParameter(
            f"`{parameter}` is no column of values; give a list or an array, one value a row"
        ) from None
    if isinstance(column.dtype, pl.List | pl.Array | pl.Struct) or column.dtype == pl.Binary:
        raise BadParameter(f"`{parameter}` holds lists, objects or bytes; give one value a row")
    return column.fill_nan(None) if column.dtype.is_float() else column


def _of_values(values: list[Any]) -> pl.Series:
    """A column of Python values; refuses one that would be lost."""
    column = pl.Series(values, strict=False)
    for row in column.is_null().arg_true():
        # Missing: None, NaN, or what pandas calls NA, which is unequal to itself as well.
        if values[row] is not None and (values[row] == values[row]) is True:
            raise ValueError(f"row {row + 1}")
    return column


def _names(given: Column, parameter: str) -> pl.Series:
    """A column of names of systems, none of them missing."""
    column = _as_text(_series(given, parameter), parameter)
    distinct = column.unique()
    for bad, reason in (
        (distinct.is_null(), "is missing; name the system"),
        (breaks_names(distinct), "holds a control character; rename the system"),
    ):
        if bad.any():
            wrong = column.is_in(distinct.filter(bad).implode(), nulls_equal=True)
            row = wrong.arg_max() or 0
            raise BadParameter(f"row {row + 1}: `{parameter}` {column[row]!r} {reason}")
    return column


def _columns(
    required: Mapping[str, Column],
    optional: Mapping[str, Column],
    schema: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    """The columns side by side, as long as the first; one value stands for all rows."""
    columns: dict[str, pl.Series] = {}
    size = None
    for name, given in (*required.items(), *optional.items()):
        if given is None and name in optional:
            continue
        if name in optional and (isinstance(given, str | bytes) or not _has_length(given)):
            column = pl.Series([given]).extend_constant(given, (size or 0) - 1) if size else None
        else:
            column = _series(given, name)
        if column is None:
            continue
        size = len(column) if size is None else size
        if len(column) != size:
            raise BadParameter(
                f"`{name}` has {len(column):,} rows, `{next(iter(required))}` has {size:,}; give "
                "columns of one length"
            )
        columns[name] = _cast(column, name, schema[name]) if name in schema else column
    if not size:
        raise BadParameter(f"`{next(iter(required))}` has no rows; give some")
    return pl.DataFrame(columns)


def _has_length(given: Column) -> bool:
    return hasattr(given, "__len__") or isinstance(given, Iterable)


def _cast(column: pl.Series, name: str, dtype: pl.DataType) -> pl.Series:
    """The column with the type its table has; the first row that cannot is named."""
    if dtype == pl.Categorical:
        return _as_text(column, name).alias(name)
    if isinstance(dtype, pl.Datetime) and column.dtype == pl.String:
        cast = column.str.to_datetime(strict=False, time_unit="us", time_zone="UTC")
    elif isinstance(dtype, pl.Datetime) and isinstance(column.dtype, pl.Datetime):
        moved = column if column.dtype.time_zone else column.dt.replace_time_zone("UTC")
        cast = moved.dt.convert_time_zone("UTC").cast(dtype)
    else:
        cast = column.cast(dtype, strict=False)
    lost = cast.is_null() & column.is_not_null()
    if lost.any():
        row = lost.arg_max() or 0
        raise BadParameter(f"row {row + 1}: `{name}` cannot be {column[row]!r}; mend it")
    return cast.alias(name)


def _as_text(column: pl.Series, parameter: str) -> pl.Series:
    """Names as text; whole numbers are names too."""
    if column.dtype.is_float():
        whole = column.cast(pl.Int64, strict=False)
        if (
            whole.cast(pl.Float64) == column
        ).all():  # a column of numbers in which some are missing
            column = whole
    if column.dtype == pl.Object:
        raise BadParameter(f"`{parameter}` holds different types; give names as text")
    return column.cast(pl.String)


def _outcome(frame: pl.DataFrame) -> pl.DataFrame:
    """`won`: +1 where left is better, −1 where right is, 0 for a tie; and the `label`."""
    outcome = frame["outcome"]
    if outcome.dtype.is_numeric():
        return pl.DataFrame({"won": outcome.sign().cast(pl.Int8)}).with_columns(
            label=pl.lit(None, pl.String)
        )
    if outcome.dtype == pl.Null:
        return pl.DataFrame({"won": outcome.cast(pl.Int8), "label": outcome.cast(pl.String)})
    words = _as_text(outcome, "outcome")
    left, right = frame["left"], frame["right"]
    used = pl.select(simplified(pl.lit(words.unique().drop_nulls()))).to_series()
    systems = pl.concat([left.unique(), right.unique()])
    called = {*pl.select(simplified(pl.lit(systems))).to_series()}.intersection(SIDES, used)
    if called - SHORT:
        raise BadParameter(
            f"`outcome` {min(called - SHORT)!r} is the name of a system too; give the outcomes as "
            "numbers"
        )
    word = pl.col("outcome")
    side = pl.when(~simplified(word).is_in(called)).then(side_of(word))
    judged = frame.select("left", "right", words.alias("outcome")).with_columns(
        pl.when(words == left)
        .then(1)
        .when(words == right)
        .then(-1)
        .otherwise(side)
        .cast(pl.Int8)
        .alias("won"),
        label_of(word).alias("label"),
    )
    _refuse(
        judged,
        pl.col("outcome").is_not_null() & pl.col("won").is_null(),
        "outcome",
        f"is unknown; use {EXPECTED}",
    )
    return judged.select("won", "label")


def _refuse(frame: pl.DataFrame, bad: pl.Expr, parameter: str, reason: str) -> None:
    wrong = frame.select(bad).to_series()
    if wrong.any():
        row = wrong.fill_null(False).arg_max() or 0
        value = frame[parameter][row]
        raise BadParameter(f"row {row + 1}: `{parameter}` {value!r} {reason}")


def as_frame(given: Any) -> pl.DataFrame:
    """A frame of any library as one of Polars."""
    if isinstance(given, pl.LazyFrame):
        return given.collect()
    if isinstance(given, pl.DataFrame):
        return given
    try:
        if isinstance(given, Mapping):
            return pl.DataFrame(given, strict=False)
        if isinstance(given, list) and given and all(isinstance(row, Mapping) for row in given):
            return pl.from_dicts(given, infer_schema_length=None, strict=False)
        if hasattr(given, "__arrow_c_stream__"):
            return pl.DataFrame(given)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        raise BadParameter(
            "`frame` is no table: its columns have different lengths, or values that no column "
            "can have; mend it"
        ) from None
    raise BadParameter(
        f"`frame` is a {type(given).__name__}; give a frame of Polars, pandas or Arrow, a list of "
        "dicts, or a mapping of columns"
    )


def to_pandas(frame: pl.DataFrame) -> Any:
    """A frame of pandas, which must be installed beside Adjudge."""
    for module in ("pandas", "pyarrow"):
        if find_spec(module) is None:
            raise MissingExtra(f"to_pandas() needs {module}: pip install pandas pyarrow")
    return frame.to_pandas()
