"""The judgement table: one row per judged output.

| column    | meaning                                                              | null when |
|-----------|----------------------------------------------------------------------|-----------|
| pair      | language pair, or campaign where there is none                       | never     |
| protocol  | how the judge was asked (`ranking`, `pairwise`, `constituent`, …)     | unknown   |
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
| design    | version of the campaign under which it was given out                 | one only  |
| label     | what the protocol said beyond the rank (`both fine`, `garbage`, …)   | nothing   |
| comment   | what the judge wrote about it; of a skipped one, why                 | nothing   |
| source, reference, text | the source segment, its reference, the judged output   | unknown   |

A ranking its judge skipped is one row with neither output nor rank, so that it still counts
as shown. Identifiers are categoricals: a campaign repeats few of them many times.
"""

import re
from os import PathLike

import polars as pl

from adjudge.data.validation import Checker

ID = pl.Categorical()

SCHEMA: dict[str, pl.DataType] = {
    "pair": ID,
    "protocol": ID,
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
    "design": ID,
    "label": ID,
    "comment": ID,
    "source": ID,
    "reference": ID,
    "text": ID,
}

# Columns that say something about the whole ranking (or item): the same in all its rows.
ITEM_COLUMNS = ("pair", "protocol", "document", "segment", "hit", "judge", "group")

# How two outputs tie (Bojar 2011 §2.5.2): the labels of such rows.
BOTH = ("both fine", "both wrong")

# What campaigns called the human reference: _ref, ref, refA, reference, Human-A, human.0, …
_REFERENCE = re.compile(r"_?(ref|reference|human)([-_. ]?[a-z])?([-_. ]\d)?", re.IGNORECASE)
_MARK = " (reference)"


def is_reference(system: str) -> bool:
    """Is this the human reference, slipped in among the systems (Bojar 2011 §2.1)?"""
    return _REFERENCE.fullmatch(system) is not None or system.endswith(_MARK)


def as_reference(system: str) -> str:
    """The name of a system that is known to be the human reference."""
    return system if is_reference(system) else system + _MARK


def judgement_table(frame: pl.DataFrame, file: str | PathLike[str] | None = None) -> pl.DataFrame:
    """`frame` as a judgement table: missing columns added as nulls, types cast, rows checked.

    A column `line` (where in `file` a row came from) is used in messages and dropped.
    """
    check = Checker(frame, SCHEMA, "a judgement table", "ranking", file)
    _check(check)
    return check.table


def _check(check: Checker) -> None:
    table = check.table
    check.common()
    check.refuse(table["rank"] < 1, "rank {rank} is not 1 or more; leave a missing label empty")
    check.refuse(
        table["output"].is_null() & table["rank"].is_not_null(),
        "ranking {ranking} has a rank for no system; name the system",
    )
    for column in (*ITEM_COLUMNS, "output"):
        check.names(column)
    check.one_per_item(ITEM_COLUMNS)
    check.once_per_item(table["output"].to_physical())
