"""The judgement table: one row per judged output.

| column    | meaning                                                              | null when |
|-----------|----------------------------------------------------------------------|-----------|
| pair      | language pair, or campaign where there is none                       | never     |
| document  | document the segment belongs to                                      | unknown   |
| segment   | segment of the test set                                              | unknown   |
| ranking   | number of the ranking (block) this row belongs to, unique in a table | never     |
| hit       | the screen or task in which it was judged                            | unknown   |
| judge     | who judged                                                           | unknown   |
| group     | the judge's group (researchers, crowd, …)                            | unknown   |
| output    | the systems that produced it (`join_systems`), or `unattributed`     | skipped   |
| rank      | 1 is best; equal ranks are ties                                      | no label  |
| position  | where the output was shown, from 1                                   | unknown   |
| seconds   | time spent on the whole ranking                                      | unknown   |
| time      | when it was submitted (UTC)                                          | unknown   |
| label     | what the protocol said beyond the rank (`both bad`, `garbage`)       | nothing   |
| source, reference, text | the source segment, its reference, the judged output   | unknown   |

A ranking its judge skipped is one row with neither output nor rank, so that it still counts
as shown. Identifiers are categoricals: a campaign repeats few of them many times.
"""

from collections.abc import Iterable
from os import PathLike

import polars as pl

from adjudge.errors import InputError

ID = pl.Categorical()

SCHEMA: dict[str, pl.DataType] = {
    "pair": ID,
    "document": ID,
    "segment": ID,
    "ranking": pl.Int64(),
    "hit": ID,
    "judge": ID,
    "group": ID,
    "output": ID,
    "rank": pl.Int32(),
    "position": pl.Int32(),
    "seconds": pl.Float64(),
    "time": pl.Datetime("us", "UTC"),
    "label": ID,
    "source": ID,
    "reference": ID,
    "text": ID,
}

# Columns that say something about the ranking and so are the same in all its rows.
RANKING_COLUMNS = ("pair", "document", "segment", "hit", "judge", "group")

# Joins the names of systems with one output; no file format can carry it inside a name.
JOINT = "\x1f"

LONGEST_NAME = 10_000
UNREADABLE = r"[\x00-\x1e\x7f]"
REFERENCE_NAMES = frozenset({"_ref", "ref", "reference"})


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


def is_reference(system: str) -> bool:
    """Is this the human reference, slipped in among the systems (Bojar 2011 §2.1)?"""
    return system.lower() in REFERENCE_NAMES


def judgements(frame: pl.DataFrame, file: str | PathLike[str] | None = None) -> pl.DataFrame:
    """`frame` as a judgement table: missing columns added as nulls, types cast, rows checked.

    A column `line` (where in `file` a row came from) is used in messages and dropped.
    """
    lines = frame["line"] if "line" in frame.columns else None
    unknown = [name for name in frame.columns if name not in SCHEMA and name != "line"]
    if unknown:
        raise InputError(f"no such column in a judgement table: {', '.join(unknown)}", file=file)
    table = frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in SCHEMA.items()
    )
    _check(table, lines, file)
    return table


class _Checker:
    """Refuses the first bad row, by its line in the file."""

    def __init__(
        self, table: pl.DataFrame, lines: pl.Series | None, file: str | PathLike[str] | None
    ) -> None:
        self.table = table
        self.lines = lines
        self.file = file
        numbers = table["ranking"]
        self.order = None if numbers.is_sorted() else numbers.arg_sort()

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
                f"a {column} of more than {LONGEST_NAME:,} bytes is no name; mend the line",
            ),
            (
                names.str.contains(UNREADABLE),
                f"a {column} holds a control character; rename it",
            ),
        ):
            if bad.any():
                self.refuse(values.cast(pl.String).is_in(names.filter(bad).implode()), reason)

    def by_ranking(self, values: pl.Series) -> pl.Series:
        """The values with those of a ranking next to each other."""
        return values if self.order is None else values.gather(self.order)

    def refuse_ordered(self, bad: pl.Series, reason: str) -> None:
        """`refuse`, of rows in the order of `by_ranking`."""
        if bad.any():
            row = bad.fill_null(False).arg_max() or 0
            self.refuse_row(row if self.order is None else int(self.order[row]), reason)

    def one_per_ranking(self) -> None:
        """A ranking has one judge, one segment, … and each output once."""
        numbers = self.by_ranking(self.table["ranking"])
        same = numbers == numbers.shift()
        for column in RANKING_COLUMNS:
            if self.table[column].null_count() == len(self.table):
                continue
            codes = self.by_ranking(self.table[column].to_physical())
            self.refuse_ordered(
                same & codes.ne_missing(codes.shift()),
                f"ranking {{ranking}} has more than one {column}: the same ranking number "
                "was used twice; give each ranking its own",
            )
        output = self.by_ranking(self.table["output"].to_physical()).cast(pl.Int64)
        ranking = (~same).fill_null(True).cum_sum().cast(pl.Int64)
        shown = (ranking * 2**32 + output).drop_nulls()
        if shown.n_unique() < len(shown):
            key = pl.struct(ranking.alias("ranking"), output.alias("output"), eager=True)
            self.refuse_ordered(
                ~key.is_first_distinct() & output.is_not_null(),
                "ranking {ranking} is there twice, or shows one output twice; remove the repeat",
            )


def _check(table: pl.DataFrame, lines: pl.Series | None, file: str | PathLike[str] | None) -> None:
    check = _Checker(table, lines, file)
    check.refuse(table["pair"].is_null(), "no language pair; give one in the file")
    check.refuse(table["ranking"].is_null(), "no ranking number; number the rankings from 1")
    check.refuse(table["rank"] < 1, "rank {rank} is not 1 or more; leave a missing label empty")
    check.refuse(
        ~(table["seconds"].is_finite() & (table["seconds"] >= 0)),
        "{seconds} seconds are no time a ranking took; mend it or leave it out",
    )
    check.refuse(
        table["output"].is_null() & table["rank"].is_not_null(),
        "ranking {ranking} has a rank for no system; name the system",
    )
    for column in (*RANKING_COLUMNS, "output"):
        check.names(column)
    check.one_per_ranking()
