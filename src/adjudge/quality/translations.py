"""Table of translations: one row per machine translation.

| column      | meaning                                                              | null when  |
|-------------|----------------------------------------------------------------------|------------|
| split       | part of the data: `train`, `dev`, `test`, …                          | one only   |
| pair        | language pair                                                        | unknown    |
| document    | document the segment belongs to                                      | unknown    |
| segment     | segment of the test set: its name, or the number of its line         | never      |
| position    | where the segment stands in its document, from 1                     | unknown    |
| system      | who made the translation                                             | unknown    |
| translator  | who post-edited it                                                   | unknown    |
| ranking     | number of the ranking this candidate is in (Task 1.2)                | not ranked |
| rank        | 1 is best; equal ranks are ties                                      | no label   |
| source, target | the source segment and its machine translation                    | gold alone |
| reference   | an independent translation by a person                               | unknown    |
| post_edit   | the machine translation as a person corrected it                     | unknown    |
| alignment   | links of source and target tokens, from 0: `0-0 1-2`                 | unknown    |
| tags        | a label for each token of the target (Task 2)                        | unknown    |
| source_tags, target_tags | parts of speech, one for each token between blanks      | unknown    |
| file, line  | what was read, and the line in it                                    | no file    |

A column `pseudo_reference:NAME` has the translations of another system. Every further column is a
number: what is to be predicted (`hter`, `effort`, `seconds`, …), or a feature given with the data
(`feature_1`, …). Tokens are what spaces separate.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import InputError, NotEnoughData

TRANSLATION_SCHEMA: dict[str, pl.DataType] = {
    "split": pl.String(),
    "pair": pl.String(),
    "document": pl.String(),
    "segment": pl.String(),
    "position": pl.Int32(),
    "system": pl.String(),
    "translator": pl.String(),
    "ranking": pl.Int64(),
    "rank": pl.Int32(),
    "source": pl.String(),
    "target": pl.String(),
    "reference": pl.String(),
    "post_edit": pl.String(),
    "alignment": pl.String(),
    "tags": pl.List(pl.String()),
    "source_tags": pl.String(),
    "target_tags": pl.String(),
    "file": pl.String(),
    "line": pl.Int64(),
}
FEATURE = "feature_"  # begins the names of features that are given with the data
PSEUDO_REFERENCE = "pseudo_reference:"  # and of translations of other systems
_LINK = r"^(\d+-\d+( \d+-\d+)*)?$"

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Place:
    """Origin of a table: its file, and the files of single columns if there are several."""

    file: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)

    def of(self, column: str) -> str | None:
        """File that holds a column."""
        return self.files.get(column, self.file)


def translation_table(frame: pl.DataFrame, place: Place | None = None) -> pl.DataFrame:
    """Convert `frame` to a table of translations: add missing columns as nulls, cast types,
    check.
    """
    place = place or Place()
    numbers = [name for name in frame.columns if is_number(name)]
    others = [name for name in frame.columns if name.startswith(PSEUDO_REFERENCE)]
    given = (*frame.columns, "file")
    table = frame.with_columns(file=pl.lit(place.file, pl.String)).select(
        *(
            (pl.col(name) if name in given else pl.lit(None)).cast(dtype).alias(name)
            for name, dtype in TRANSLATION_SCHEMA.items()
        ),
        *(pl.col(name).cast(pl.String) for name in others),
        *(pl.col(name).cast(pl.Float64) for name in numbers),
    )
    check = _Check(table, place)
    if not len(table):
        raise InputError("holds no translation; give at least one", file=place.file)
    check.refuse(table["segment"].is_null(), "segment", "the segment has no name; number it")
    empty = table["source"].str.strip_chars() == ""
    check.refuse(empty, "source", "an empty source segment; remove it")
    check.refuse(
        table["position"] < 1, "position", "position {position} is not 1 or more; correct it"
    )
    check.refuse(table["rank"] < 1, "rank", "rank {rank} is not 1 or more; correct it")
    check.refuse(
        table["rank"].is_not_null() & table["ranking"].is_null(),
        "ranking",
        "a rank without the number of its ranking; number the rankings",
    )
    _check_alignment(check)
    _check_tags(check)
    for name in numbers:
        check.refuse(~table[name].is_finite(), name, f"{name} is not a finite number; correct it")
    return table


def number_columns(table: pl.DataFrame) -> list[str]:
    """Numeric columns with a value for at least one translation."""
    further = [name for name in table.columns if is_number(name)]
    return [name for name in further if table[name].null_count() < len(table)]


def is_number(column: str) -> bool:
    """Test whether a column of this name is an additional number."""
    return column not in TRANSLATION_SCHEMA and not column.startswith(PSEUDO_REFERENCE)


def require_texts(table: pl.DataFrame) -> None:
    """Refuse a table without sources or without translations."""
    for column in ("source", "target"):
        if table[column].null_count():
            raise NotEnoughData(f"not every translation has a {column}; give data with texts")


def document_groups(table: pl.DataFrame) -> Codes:
    """Group of every row for cross-validation, from 0.

    A group is a document; if the document is unknown, the translations of one source; if that is
    unknown too, a single row.
    """
    row = pl.int_range(pl.len()).cast(pl.String)
    key = table.select(
        pl.when(pl.col("document").is_not_null())
        .then(pl.lit("d\0") + pl.col("document"))
        .when(pl.col("source").is_not_null())
        .then(pl.lit("s\0") + pl.col("source"))
        .otherwise(pl.lit("r\0") + row)
        .alias("key")
    )["key"]
    return codes_of(key)[0]


def codes_of(names: pl.Series) -> tuple[Codes, tuple[str, ...]]:
    """Index of each name among the distinct ones, in the order of first use; null is −1."""
    different = names.drop_nulls().unique(maintain_order=True)
    place = {name: code for code, name in enumerate(different.to_list())}
    codes = np.array([place.get(name, -1) for name in names.to_list()], np.int64)
    return codes, tuple(place)


@dataclass(frozen=True, eq=False)
class _Check:
    table: pl.DataFrame
    place: Place

    def refuse(self, bad: pl.Series, column: str, reason: str) -> None:
        """Raise at the first row that is `bad`; `reason` may contain the row's columns in
        braces.
        """
        if bad.any():
            self.refuse_row(bad.fill_null(False).arg_max() or 0, column, reason)

    def refuse_row(self, row: int, column: str, reason: str) -> None:
        """Raise at this row."""
        raise InputError(
            reason.format(**self.table.row(row, named=True)),
            file=self.place.of(column),
            line=self.table["line"][row],
        )


def _check_alignment(check: _Check) -> None:
    table = check.table
    if table["alignment"].null_count() == len(table):
        return
    check.refuse(
        ~table["alignment"].str.contains(_LINK),
        "alignment",
        "{alignment:.60} is not an alignment; write links like 0-0 1-2",
    )
    links = table["alignment"].str.split(" ").list.eval(pl.element().filter(pl.element() != ""))
    for side, name in enumerate(("source", "target")):
        tokens = table[name].str.split(" ").list.eval(pl.element().filter(pl.element() != ""))
        highest = links.list.eval(
            pl.element().str.split("-").list.get(side).cast(pl.Int64)
        ).list.max()
        check.refuse(
            highest >= tokens.list.len(),
            "alignment",
            f"links a {name} token that is not there; tokens count from 0",
        )


def _check_tags(check: _Check) -> None:
    table = check.table
    if table["tags"].null_count() == len(table):
        return
    known = table["tags"].is_not_null() & table["target"].is_not_null()
    tokens = pl.Series([len((text or "").split()) for text in table["target"].to_list()])
    bad = known & (table["tags"].list.len() != tokens)
    if bad.any():
        row = bad.arg_max() or 0
        check.refuse_row(
            row,
            "tags",
            f"has {len(table['tags'][row])} tags for the {tokens[row]} tokens of the translation; "
            "give one for each token",
        )
