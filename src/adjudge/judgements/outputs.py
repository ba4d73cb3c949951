"""The column `output`: which systems produced a judged output, packed into one name.

An output of several systems is one candidate; an output of which only the text is known is a
candidate too, but of no system. Everything that packs or unpacks the column is here.
"""

from collections.abc import Iterable

import polars as pl

from adjudge.files.careful_reading import refuse

# Joins the names of systems with one output; no file format can carry it inside a name.
JOINT = "\x1f"


def join_systems(names: Iterable[str]) -> str:
    """One output of several systems, the same whatever order the names come in."""
    return JOINT.join(sorted(set(names), key=lambda name: (name.lower(), name)))


def unattributed(text: str) -> str:
    """An output of which only the text is known: a candidate of its own, but of no system."""
    return JOINT + text


def systems_of(output: str) -> tuple[str, ...]:
    """The systems that produced `output`; none where nobody knows."""
    return () if output.startswith(JOINT) else tuple(output.split(JOINT))


def join_column(column: pl.Series, separator: str) -> pl.Series:
    """A column of names joined by `separator` as outputs; each distinct one worked out once."""
    distinct = column.unique().drop_nulls()
    outputs = [join_systems(names.split(separator)) for names in distinct.to_list()]
    if outputs == distinct.to_list():
        return column
    return column.replace_strict(distinct, outputs, default=None, return_dtype=pl.String)


def system_names(frame: pl.DataFrame, columns: Iterable[str]) -> None:
    """Refuse a name with the character that joins the names of systems in our table."""
    for column in columns:
        if frame[column].unique().drop_nulls().str.contains(JOINT, literal=True).any():
            refuse(
                frame,
                pl.col(column).str.contains(JOINT, literal=True),
                f"{column} {{}} contains a control character; rename the system",
                column,
            )
