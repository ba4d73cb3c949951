"""Tuples of frozen results, with a data frame on request."""

from typing import Any, Protocol, TypeVar, runtime_checkable

import polars as pl


@runtime_checkable
class OneRow(Protocol):
    """Result that is one row of a table (docs/json.md)."""

    def row(self) -> dict[str, Any]:
        """Return the result as flat keys."""
        ...


class ManyRows(Protocol):
    """Result that is several rows."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the result as flat rows."""
        ...


T_co = TypeVar("T_co", bound=OneRow | ManyRows, covariant=True)


class Results(tuple[T_co, ...]):
    """Tuple of results of one kind."""

    __slots__ = ()

    def to_frame(self) -> pl.DataFrame:
        """Return the rows of all results as a data frame."""
        rows: list[dict[str, Any]] = []
        for result in self:
            rows += [result.row()] if isinstance(result, OneRow) else result.rows()
        return pl.DataFrame(rows, infer_schema_length=None)
