"""Checks that every table of judgements shares: the first bad row is refused, by its line."""

from collections.abc import Iterable, Mapping
from os import PathLike

import polars as pl

from adjudge.core.errors import InputError

LONGEST_NAME = 10_000
LONGEST_TIME = 1e9  # seconds: 30 years
UNREADABLE = r"[\x00-\x1e\x7f]"


class Checker:
    """`frame` as a table of the columns of `schema`, its first bad row refused.

    Missing columns are added as nulls, types cast. A column `line` (where in `file` a row came
    from) is used in messages and dropped. `what` is what the table is called, `number` the column
    that numbers what a judge answered: `ranking` or `item`, as messages call it too.
    """

    def __init__(
        self,
        frame: pl.DataFrame,
        schema: Mapping[str, pl.DataType],
        what: str,
        number: str,
        file: str | PathLike[str] | None,
    ) -> None:
        self.lines = frame["line"] if "line" in frame.columns else None
        self.file = file
        unknown = [name for name in frame.columns if name not in schema and name != "line"]
        if unknown:
            raise InputError(
                f"no such column in {what}: {', '.join(unknown)}; rename or remove it", file=file
            )
        self.table = frame.select(
            (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
            for name, dtype in schema.items()
        )
        self.number = number
        numbers = self.table[number]
        self.order = None if numbers.is_sorted() else numbers.arg_sort()

    def common(self) -> None:
        """What every row needs: a language pair, a number, a time that can be."""
        self.refuse(self.table["pair"].is_null(), "no language pair; give one in the file")
        self.refuse(
            self.table[self.number].is_null(),
            f"no {self.number} number; number the {self.number}s from 1",
        )
        seconds = self.table["seconds"]
        self.refuse(
            ~seconds.is_between(0, LONGEST_TIME),
            f"{{seconds}} seconds are no time {_article(self.number)} {self.number} took; "
            "mend it or leave it out",
        )

    def refuse(self, bad: pl.Series, reason: str) -> None:
        """Raise if any row is `bad`; `reason` may name the row's columns in braces."""
        if bad.any():
            self.refuse_row(bad.fill_null(False).arg_max() or 0, reason)

    def refuse_row(self, row: int, reason: str) -> None:
        """Raise at this row."""
        raise InputError(
            reason.format(**self.table.row(row, named=True)),
            file=self.file,
            line=None if self.lines is None else int(self.lines[row]),
        )

    def names(self, column: str) -> None:
        """Identifiers are neither empty nor absurdly long, and people can read them."""
        values = self.table[column]
        names = values.unique().drop_nulls().cast(pl.String)
        for bad, reason in (
            (names == "", f"empty {column}; name it or leave it out"),
            (
                names.str.len_bytes() > LONGEST_NAME,
                f"{_article(column)} {column} of more than {LONGEST_NAME:,} bytes is no name; "
                "mend the line",
            ),
            (
                names.str.contains(UNREADABLE),
                f"{_article(column)} {column} holds a control character; rename it",
            ),
        ):
            if bad.any():
                self.refuse(values.cast(pl.String).is_in(names.filter(bad).implode()), reason)

    def by_item(self, values: pl.Series) -> pl.Series:
        """The values with those of a ranking (or item) next to each other."""
        return values if self.order is None else values.gather(self.order)

    def refuse_ordered(self, bad: pl.Series, reason: str) -> None:
        """`refuse`, of rows in the order of `by_item`."""
        if bad.any():
            row = bad.fill_null(False).arg_max() or 0
            self.refuse_row(row if self.order is None else int(self.order[row]), reason)

    def one_per_item(self, columns: Iterable[str]) -> None:
        """A ranking (or item) has one judge, one segment, …"""
        number = self.number
        same = self._same_item()
        for column in columns:
            if self.table[column].null_count() == len(self.table):
                continue
            codes = self.by_item(self.table[column].to_physical())
            self.refuse_ordered(
                same & codes.ne_missing(codes.shift()),
                f"{number} {{{number}}} has more than one {column}: the same {number} number "
                f"was used twice; give each {number} its own",
            )

    def once_per_item(self, codes: pl.Series) -> None:
        """A ranking (or item) shows each output, as told apart by its code, once."""
        number = self.number
        block = (~self._same_item()).fill_null(True).cum_sum().cast(pl.Int64)
        value = self.by_item(codes).cast(pl.Int64)
        shown = (block * 2**32 + value).drop_nulls()
        if shown.n_unique() < len(shown):
            key = pl.struct(block.alias("block"), value.alias("value"), eager=True)
            self.refuse_ordered(
                ~key.is_first_distinct() & value.is_not_null(),
                f"{number} {{{number}}} is there twice, or shows one output twice; remove the "
                "repeat",
            )

    def _same_item(self) -> pl.Series:
        """Is a row, in the order of `by_item`, of the same ranking (or item) as the one before?"""
        numbers = self.by_item(self.table[self.number])
        return numbers == numbers.shift()


def _article(word: str) -> str:
    return "an" if word[0] in "aeio" else "a"
