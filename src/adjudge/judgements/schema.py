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
| output    | the systems that produced the judged output, see `join_systems`      | skipped   |
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
REFERENCE_NAMES = frozenset({"_ref", "ref", "reference"})


def join_systems(names: Iterable[str]) -> str:
    """One output of several systems, the same whatever order the names come in."""
    return JOINT.join(sorted(set(names), key=lambda name: (name.lower(), name)))


def systems_of(output: str) -> tuple[str, ...]:
    """The systems that produced `output`."""
    return tuple(output.split(JOINT))


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

    def refuse(self, bad: pl.Series, reason: str) -> None:
        """Raise if any row is `bad`; `reason` may name the row's columns in braces."""
        if not bad.any():
            return
        row = bad.fill_null(False).arg_max() or 0
        raise InputError(
            reason.format(**self.table.row(row, named=True)),
            file=self.file,
            line=None if self.lines is None else int(self.lines[row]),
        )

    def names(self, column: str) -> None:
        """Identifiers are neither empty nor absurdly long."""
        values = self.table[column]
        sizes = values.unique().drop_nulls().cast(pl.String).str.len_bytes()
        if (sizes == 0).any():
            self.refuse(values == "", f"empty {column}; name it or leave it out")
        if (sizes > LONGEST_NAME).any():
            self.refuse(
                values.cast(pl.String).str.len_bytes() > LONGEST_NAME,
                f"a {column} of more than {LONGEST_NAME:,} bytes is no name; mend the line",
            )

    def one_per_ranking(self, column: str, order: pl.Series) -> None:
        """A ranking has one judge, one segment, …; else its number was used twice."""
        numbers = self.table["ranking"].gather(order)
        codes = self.table[column].to_physical().gather(order)
        changed = (numbers == numbers.shift()) & codes.ne_missing(codes.shift())
        if changed.any():
            bad = pl.Series([False]).new_from_index(0, len(order))
            bad[int(order[changed.fill_null(False).arg_max() or 0])] = True
            self.refuse(
                bad,
                f"ranking {{ranking}} has more than one {column}: the same ranking number "
                "was used twice; give each ranking its own",
            )


def _check(table: pl.DataFrame, lines: pl.Series | None, file: str | PathLike[str] | None) -> None:
    check = _Checker(table, lines, file)
    check.refuse(table["pair"].is_null(), "no language pair; give one in the file")
    check.refuse(table["ranking"].is_null(), "no ranking number; number the rankings from 1")
    check.refuse(table["rank"] < 1, "rank {rank} is not 1 or more; leave a missing label empty")
    check.refuse(
        table["output"].is_null() & table["rank"].is_not_null(),
        "ranking {ranking} has a rank for no system; name the system",
    )
    for column in (*RANKING_COLUMNS, "output"):
        check.names(column)
    order = table["ranking"].arg_sort()
    for column in RANKING_COLUMNS:
        check.one_per_ranking(column, order)
    repeated = table.select(pl.struct("ranking", "output").is_duplicated()).to_series()
    check.refuse(
        repeated & table["output"].is_not_null(),
        "ranking {ranking} is there twice, or shows one output twice; remove the repeat",
    )
