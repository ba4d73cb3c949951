"""The column `output`: which systems produced a judged output, packed into one name.

An output of several systems is one candidate; an output of which only the text is known is a
candidate too, but of no system. Everything that packs or unpacks the column is here, as
functions of one output and as Polars expressions of a column of them.
"""

from collections.abc import Iterable

import polars as pl

from adjudge.core.files.checked_table import refuse
from adjudge.data.judgement_table import is_reference

# Joins the names of systems with one output; no file format can carry it inside a name. An
# output of no known system begins with it.
_JOINT = "\x1f"


def system_order(names: Iterable[str]) -> list[str]:
    """The distinct names in the order in which an output names its systems."""
    return sorted(set(names), key=lambda name: (name.lower(), name))


def join_systems(names: Iterable[str]) -> str:
    """One output of several systems, the same whatever order the names come in."""
    return _JOINT.join(system_order(names))


def unattributed(text: str) -> str:
    """An output of which only the text is known: a candidate of its own, but of no system."""
    return _JOINT + text


def systems_of(output: str) -> tuple[str, ...]:
    """The systems that produced `output`; none where nobody knows."""
    return () if output.startswith(_JOINT) else tuple(output.split(_JOINT))


def systems_among(outputs: Iterable[str]) -> set[str]:
    """Every system that produced one of the outputs."""
    return {system for output in outputs for system in systems_of(output)}


def shown_name(output: str) -> str:
    """The output for people to read: its systems, or its text where nobody knows them."""
    return output.strip(_JOINT).replace(_JOINT, ", ")


def includes_reference(output: str) -> bool:
    """Is the human reference among those who produced it?"""
    return any(map(is_reference, systems_of(output)))


def is_system_name(name: str) -> bool:
    """Can a system be called so?"""
    return bool(name) and _JOINT not in name and name == name.strip()


def attributed(column: str = "output") -> pl.Expr:
    """Is a system known that produced the output? Null where there is no output."""
    return ~_packed(column).str.starts_with(_JOINT)


def has_one_system(column: str = "output") -> pl.Expr:
    """Did exactly one system produce the output? Null where there is no output."""
    return ~_packed(column).str.contains(_JOINT, literal=True)


def list_systems(column: str = "output") -> pl.Expr:
    """The systems of each output as a list, empty where none is known, null without output."""
    output = _packed(column)
    nobody = pl.lit([], pl.List(pl.String))
    return (
        pl.when(attributed(column))
        .then(output.str.split(_JOINT))
        .otherwise(pl.when(output.is_not_null()).then(nobody))
    )


def known_text(column: str = "output") -> pl.Expr:
    """The text of an output of no known system; null for all others."""
    return pl.when(~attributed(column)).then(_packed(column).str.slice(1))


def separate_systems(separator: str, column: str = "output") -> pl.Expr:
    """The systems of each output, `separator` between them; empty where none is known."""
    names = _packed(column).str.replace_all(_JOINT, separator, literal=True)
    return (
        pl.when(attributed(column)).then(names).when(pl.col(column).is_not_null()).then(pl.lit(""))
    )


def join_column(column: pl.Series, separator: str) -> pl.Series:
    """A column of names joined by `separator` as outputs; each distinct one worked out once."""
    distinct = column.unique().drop_nulls()
    outputs = [join_systems(names.split(separator)) for names in distinct.to_list()]
    if outputs == distinct.to_list():
        return column
    return column.replace_strict(distinct, outputs, default=None, return_dtype=pl.String)


def join_lists(systems: pl.Series) -> pl.Series:
    """A column of lists of names as outputs; an empty list gives an empty text."""
    return join_column(systems.list.join(_JOINT), _JOINT)


def join_group(column: str) -> pl.Expr:
    """In a `group_by`, the systems of each group, already in `system_order`, as an output."""
    return pl.col(column).drop_nulls().str.join(_JOINT)


def replace_separator(column: str, separator: str) -> pl.Expr:
    """Names joined by `separator`, in the order they have, as outputs; for streaming."""
    return pl.col(column).str.replace_all(separator, _JOINT, literal=True)


def text_output(text: pl.Expr) -> pl.Expr:
    """A column of texts as outputs of no known system (`unattributed`)."""
    return pl.lit(_JOINT) + text


def breaks_names(names: pl.Series) -> pl.Series:
    """Which names hold the character that joins the names of systems?"""
    return names.str.contains(_JOINT, literal=True)


def check_system_names(frame: pl.DataFrame, columns: Iterable[str]) -> None:
    """Refuse a name with the character that joins the names of systems."""
    for column in columns:
        if breaks_names(frame[column].unique().drop_nulls()).any():
            refuse(
                frame,
                pl.col(column).str.contains(_JOINT, literal=True),
                f"{column} {{}} contains a control character; rename the system",
                column,
            )


def _packed(column: str) -> pl.Expr:
    return pl.col(column).cast(pl.String)
