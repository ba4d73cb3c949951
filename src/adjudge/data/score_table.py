"""The score table: one row per score a judge gave to an output on a scale.

| column    | meaning                                                              | null when |
|-----------|----------------------------------------------------------------------|-----------|
| pair      | language pair, or campaign where there is none                       | never     |
| protocol  | how judges were asked (`adequacy-fluency`, `direct-assessment`, …)   | unknown   |
| document  | document the segment belongs to                                      | unknown   |
| segment   | segment of the test set, unique within its document                  | unknown   |
| item      | number of the item (the answer) this row is of, unique in a table    | never     |
| hit       | the screen or task in which it was judged                            | unknown   |
| judge     | who judged                                                           | unknown   |
| group     | the judge's group (researchers, crowd, …)                            | unknown   |
| output    | the systems that produced it (`join_systems`), or `unattributed`     | skipped   |
| scale     | what was scored (`adequacy`, `fluency`, `direct-assessment`, …)      | skipped   |
| score     | higher is better                                                     | no label  |
| position  | where the output was shown, from 1                                   | unknown   |
| seconds   | time spent on the whole item                                         | unknown   |
| time      | when it was submitted (UTC)                                          | unknown   |
| design    | version of the campaign under which it was given out                 | one only  |
| spans     | the errors marked in the output, an empty list where there are none  | not asked |
| comment   | what the judge wrote about it; of a skipped one, why                 | nothing   |
| source, reference, text | the source segment, its reference, the judged output   | unknown   |

A span is `start`, `end` (characters of `text`, the end exclusive; both null for something left
out), `severity` and `category`. An item its judge skipped is one row with neither output nor
score. An output scored on two scales is two rows.
"""

from os import PathLike

import polars as pl

from adjudge.data.judgement_table import ID, ITEM_COLUMNS
from adjudge.data.validation import Checker

SPAN = pl.Struct(
    {
        "start": pl.Int32(),
        "end": pl.Int32(),
        "severity": pl.String(),
        "category": pl.String(),
    }
)

SCORE_SCHEMA: dict[str, pl.DataType] = {
    "pair": ID,
    "protocol": ID,
    "document": ID,
    "segment": ID,
    "item": pl.Int64(),
    "hit": ID,
    "judge": ID,
    "group": ID,
    "output": ID,
    "scale": ID,
    "score": pl.Float64(),
    "position": pl.Int32(),
    "seconds": pl.Float64(),
    "time": pl.Datetime("us", "UTC"),
    "design": ID,
    "spans": pl.List(SPAN),
    "comment": ID,
    "source": ID,
    "reference": ID,
    "text": ID,
}

# Scores that are z-scores of their judges in the file they come from.
STANDARDISED = "standardised-direct-assessment"

# The scales whose ends are fixed; of others (`mqm`, …) nothing is known.
ENDS: dict[str, tuple[float, float]] = {
    "adequacy": (1, 5),
    "fluency": (1, 5),
    "direct-assessment": (0, 100),
    "error-spans": (0, 100),
}


def score_table(frame: pl.DataFrame, file: str | PathLike[str] | None = None) -> pl.DataFrame:
    """`frame` as a score table: missing columns added as nulls, types cast, rows checked.

    A column `line` (where in `file` a row came from) is used in messages and dropped.
    """
    check = Checker(frame, SCORE_SCHEMA, "a score table", "item", file)
    table = check.table
    check.common()
    check.refuse(
        table["output"].is_null() & (table["score"].is_not_null() | table["spans"].is_not_null()),
        "item {item} has a score for no system; name the system",
    )
    check.refuse(
        table["output"].is_not_null() & table["scale"].is_null(),
        "item {item} does not say on which scale; name the scale",
    )
    _check_scores(check)
    _check_spans(check)
    for column in (*ITEM_COLUMNS, "output", "scale"):
        check.names(column)
    check.one_per_item(ITEM_COLUMNS)
    output, scale = (table[name].to_physical().rank("dense") for name in ("output", "scale"))
    check.once_per_item(output.cast(pl.Int64) * (table["scale"].n_unique() + 1) + scale)
    return table


def _check_scores(check: Checker) -> None:
    score = check.table["score"]
    check.refuse(~score.is_finite(), "{score} is no score; write a number or leave it empty")
    scale = check.table["scale"].cast(pl.String)
    for name, (low, high) in ENDS.items():
        check.refuse(
            (scale == name) & ~score.is_between(low, high),
            f"score {{score:g}} lies outside the scale {name}, from {low:g} to {high:g}; mend it",
        )


def _check_spans(check: Checker) -> None:
    table = check.table
    if table["spans"].null_count() == len(table):
        return
    spans = (
        table.select("spans", pl.col("text").cast(pl.String).str.len_chars().alias("length"))
        .with_row_index("row")
        .drop_nulls("spans")
        .explode("spans", empty_as_null=False)
        .unnest("spans")
    )
    start, end = spans["start"], spans["end"]
    for bad, reason in (
        (start.is_null() != end.is_null(), "has a start or an end, not both; mend it"),
        ((start < 0) | (end <= start), "is empty or begins before the text; mend it"),
        (end > spans["length"], "goes beyond the text; characters count from 0"),
        (spans["severity"].is_null(), "has no severity; name it"),
    ):
        if bad.any():
            row = bad.fill_null(False).arg_max() or 0
            span = spans.row(row, named=True)
            check.refuse_row(span["row"], f"span {span['start']}–{span['end']} {reason}")
