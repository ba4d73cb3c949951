"""The three kinds of tables: judgements, scores, edits."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from adjudge.core.errors import BadParameter
from adjudge.core.files.checked_table import Check
from adjudge.data.edit_table import EDIT_SCHEMA, edit_table
from adjudge.data.judgement_table import SCHEMA, judgement_table
from adjudge.data.score_table import SCORE_SCHEMA, score_table

KindName = Literal["judgements", "scores", "edits"]


@dataclass(frozen=True)
class Kind:
    """What one kind of table is made of.

    `check` makes a table of a frame, or refuses it. `numbers` are the columns that number what
    judges answered: the first one is the number of a row's own ranking or item. `always` are the
    columns that a file of ours has whether or not they hold a value. `taken_by` says what to do
    with such a table, for those who gave it to something else.
    """

    name: KindName
    schema: Mapping[str, pl.DataType]
    check: Check
    numbers: tuple[str, ...]
    always: tuple[str, ...]
    taken_by: str

    @property
    def number(self) -> str:
        """The column that numbers rankings or items."""
        return self.numbers[0]


KINDS: dict[KindName, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "judgements",
            SCHEMA,
            judgement_table,
            ("ranking",),
            ("pair", "ranking", "output", "rank"),
            "`adjudge rank`, or adjudge.read() in Python",
        ),
        Kind(
            "scores",
            SCORE_SCHEMA,
            score_table,
            ("item",),
            ("pair", "item", "output", "scale", "score"),
            "`adjudge scores`, or adjudge.read() in Python",
        ),
        Kind(
            "edits",
            EDIT_SCHEMA,
            edit_table,
            ("item", "reviewed"),
            ("pair", "protocol", "item", "output", "edit"),
            "`adjudge understandability`, or adjudge.read() in Python",
        ),
    )
}


def own_columns(name: KindName) -> frozenset[str]:
    """The columns that only tables of this kind have."""
    others = (kind.schema for kind in KINDS.values() if kind.name != name)
    return frozenset(KINDS[name].schema).difference(*others)


def kind_of(columns: Collection[str]) -> Kind:
    """The kind of a table with these columns."""
    for kind in KINDS.values():
        if {*kind.always} <= {*columns}:
            return kind
    raise BadParameter(
        "`table` is no table of judgements, scores or edits; make one with judgement_table(), "
        "score_table() or edit_table()"
    )
