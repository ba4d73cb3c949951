"""The table of edits: one row per edit of an output, or review of such an edit (WMT13 §4).

| column    | meaning                                                              | null when   |
|-----------|----------------------------------------------------------------------|-------------|
| pair      | language pair, or campaign where there is none                       | never       |
| protocol  | `blind-edit` (without source and reference) or `review`              | never       |
| document  | document the segment belongs to                                      | unknown     |
| segment   | segment of the test set, unique within its document                  | unknown     |
| item      | number of the edit or review, unique in a table                      | never       |
| hit       | the screen or task in which it was made                              | unknown     |
| judge     | who edited, who reviewed                                             | unknown     |
| group     | the judge's group (readers of the target language, translators, …)   | unknown     |
| output    | the systems that produced it (`join_systems`), or `unattributed`     | skipped     |
| position  | where the output was shown, from 1                                   | unknown     |
| edit      | the text as edited                                                   | see below   |
| incomprehensible | of an edit: the editor could not make sense of the output     | review      |
| verdict   | of a review: `yes`, the edit is an acceptable translation, or `no`   | see below   |
| reviewed  | of a review: the number of the edit (its `item`)                     | edit        |
| seconds   | time spent on it                                                     | unknown     |
| time      | when it was submitted (UTC)                                          | unknown     |
| design    | version of the campaign under which it was given out                 | one only    |
| comment   | what the judge wrote about it; of a skipped one, why                 | nothing     |
| source, reference, text | the source segment, its reference, the system's output | unknown     |

A blind edit has either a text or the mark that it is incomprehensible. A review has a verdict,
and a text where the reviewer changed the edit. An edit that is incomprehensible is nothing to
accept: its review, if there is one, has a text, or a verdict where reviewers were asked all the
same (WMT10). What was skipped is a row without an output.
"""

from os import PathLike

import polars as pl

from adjudge.data.judgement_table import ID
from adjudge.data.validation import Checker

BLIND_EDIT = "blind-edit"
REVIEW = "review"

EDIT_SCHEMA: dict[str, pl.DataType] = {
    "pair": ID,
    "protocol": ID,
    "document": ID,
    "segment": ID,
    "item": pl.Int64(),
    "hit": ID,
    "judge": ID,
    "group": ID,
    "output": ID,
    "position": pl.Int32(),
    "edit": pl.String(),
    "incomprehensible": pl.Boolean(),
    "verdict": ID,
    "reviewed": pl.Int64(),
    "seconds": pl.Float64(),
    "time": pl.Datetime("us", "UTC"),
    "design": ID,
    "comment": ID,
    "source": ID,
    "reference": ID,
    "text": ID,
}

_NAMES = ("pair", "document", "segment", "hit", "judge", "group", "output")


def edit_table(frame: pl.DataFrame, file: str | PathLike[str] | None = None) -> pl.DataFrame:
    """`frame` as a table of edits: missing columns added as nulls, types cast, rows checked.

    A column `line` (where in `file` a row came from) is used in messages and dropped.
    """
    check = Checker(frame, EDIT_SCHEMA, "a table of edits", "item", file)
    table = check.table
    check.common()
    check.refuse(
        ~table["item"].is_first_distinct(),
        "{item} numbers two edits; give each its own number",
    )
    protocol = table["protocol"].cast(pl.String)
    check.refuse(
        ~protocol.is_in([BLIND_EDIT, REVIEW]).fill_null(False),
        f"protocol {{protocol}} is neither {BLIND_EDIT} nor {REVIEW}; name one",
    )
    check.refuse(
        table["edit"].str.strip_chars() == "",
        "edit {item} is empty; mark it incomprehensible, or leave out an edit that changes nothing",
    )
    for column in _NAMES:
        check.names(column)
    skipped = table["output"].is_null()
    _check_edits(check, (protocol == BLIND_EDIT) & ~skipped)
    _check_reviews(check, (protocol == REVIEW) & ~skipped)
    check.refuse(
        skipped & (table["edit"].is_not_null() | table["verdict"].is_not_null()),
        "edit {item} is of no system; name the system",
    )
    return table


def _check_edits(check: Checker, is_edit: pl.Series) -> None:
    table = check.table
    incomprehensible = table["incomprehensible"].fill_null(False)
    check.refuse(
        is_edit & (incomprehensible == table["edit"].is_not_null()),
        "edit {item} has either a text or the mark that it is incomprehensible; give one",
    )
    check.refuse(
        is_edit & (table["verdict"].is_not_null() | table["reviewed"].is_not_null()),
        "edit {item} has a verdict or reviews another; only a review does, mend it",
    )


def _check_reviews(check: Checker, is_review: pl.Series) -> None:
    table = check.table
    check.refuse(
        is_review & table["incomprehensible"].fill_null(False),
        "review {item} is marked incomprehensible; only an edit is, mend it",
    )
    verdict = table["verdict"].cast(pl.String)
    check.refuse(
        verdict.is_not_null() & ~verdict.is_in(["yes", "no"]),
        "verdict {verdict} is neither yes nor no; mend it",
    )
    known = table.filter(pl.col("protocol").cast(pl.String) == BLIND_EDIT).select(
        pl.col("item").alias("reviewed"),
        *(pl.col(name).alias(f"its_{name}") for name in ("pair", "segment", "edit", "output")),
    )
    edit = table.select("reviewed").join(known, on="reviewed", how="left", maintain_order="left")
    check.refuse(
        is_review & edit["its_output"].is_null(),
        "review {item} is of no edit in this file ({reviewed}); put edits and reviews into one",
    )
    for column in ("pair", "segment"):
        check.refuse(
            is_review
            & table[column].cast(pl.String).ne_missing(edit[f"its_{column}"].cast(pl.String)),
            f"review {{item}} has another {column} than the edit {{reviewed}}; mend it",
        )
    check.refuse(
        is_review & verdict.is_null() & edit["its_edit"].is_not_null(),
        "review {item} has no verdict on edit {reviewed}; give one, or leave the system out",
    )
