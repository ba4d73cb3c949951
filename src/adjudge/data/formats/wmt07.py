"""The CSV of WMT07 and WMT08: rankings of sentences and constituents, and scores, in one file.

TASK, TYPE, ITEM_ID, ANNOTATOR_ID, TIME, then SYSTEM_n, SCORE_n_A, SCORE_n_B for as many outputs
as were shown, from n = 0; a row ends after its last output. TASK is the campaign, the language
pair and the domain (`WMT07 Czech-English News Commentary`), TIME the seconds that the row took.
TYPE says what the numbers are (WMT07 §3):

- NIST: A is adequacy, B is fluency, 1 to 5, − where none was given
- RANK: A is the grade of the sentence among those beside it, 5 is best
- CONSTITUENT: the same of a phrase of the sentence; ITEM_ID numbers phrases, not sentences
- CONSTITUENT_ACCEPT (WMT08): is the phrase acceptable? 1 is yes, 2 no, 3 not sure

In WMT08 1 is the best grade, as its page of results says (statmt.org/wmt08/results.html).

Which of A and B is adequacy, and which end of a grade is best, WMT07 does not say. The data do:
with A for adequacy the agreement of Table 5 comes out (P(A) 0.380, and 0.400 for fluency), and
systems with higher adequacy have higher grades in every task.
"""

import re

import polars as pl

from adjudge.core.files.checked_table import refuse, require_columns, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import check_system_names
from adjudge.data.score_table import score_table

_SYSTEM = re.compile(r"SYSTEM_(\d+)")
_REQUIRED = ("TASK", "TYPE", "ITEM_ID", "ANNOTATOR_ID", "TIME")
_RANKED = {"RANK": "ranking", "CONSTITUENT": "constituent"}
_SCORED = {"NIST": "adequacy-fluency", "CONSTITUENT_ACCEPT": "constituent-acceptability"}
_PROTOCOLS = _RANKED | _SCORED
_SCALES = {"A": "adequacy", "B": "fluency"}
_ACCEPTABLE = {"1": 1.0, "2": 0.0, "3": None}
_BEST = 5
_NONE = "-"  # where a score is missing


def _recognise(file: InputFile) -> bool:
    return {*_REQUIRED, "SYSTEM_0", "SCORE_0_A"} <= {*file.header}


def _read_rankings(file: InputFile) -> pl.DataFrame:
    return read_delimited(file, _rankings, shorter=True, check=judgement_table)


def _read_scores(file: InputFile) -> pl.DataFrame:
    return read_delimited(file, _scores, shorter=True, check=score_table)


def _rankings(frame: pl.DataFrame) -> pl.DataFrame:
    shown = _outputs(frame, "ranking").filter(pl.col("TYPE").is_in(list(_RANKED)))
    _refuse_no_grade(shown, "A")
    grade = to_number(shown, "A")
    rank = pl.when("one_is_best").then(grade).otherwise(_BEST + 1 - grade)
    return shown.with_columns(rank=rank).drop("TYPE", "A", "B", "one_is_best")


def _scores(frame: pl.DataFrame) -> pl.DataFrame:
    shown = _outputs(frame, "item").filter(pl.col("TYPE").is_in(list(_SCORED)))
    asked = pl.col("TYPE") == "CONSTITUENT_ACCEPT"
    both = shown.filter(~asked)
    for letter in _SCALES:
        _refuse_no_grade(both, letter)
    both = both.with_columns(pl.col(list(_SCALES)).replace(_NONE, None))
    parts = [
        both.with_columns(
            pl.lit(scale).alias("scale"), to_number(both, letter, pl.Float64).alias("score")
        )
        for letter, scale in _SCALES.items()
    ]
    parts.append(_acceptability(shown.filter(asked)))
    return (
        pl.concat(parts)
        .sort("item", "position", maintain_order=True)
        .drop("TYPE", "A", "B", "one_is_best")
    )


def _acceptability(shown: pl.DataFrame) -> pl.DataFrame:
    """Answers to CONSTITUENT_ACCEPT as scores: 1 for yes, 0 for no, none for not sure."""
    refuse(
        shown,
        ~pl.col("A").is_in(list(_ACCEPTABLE)).fill_null(False),
        "A is {} where CONSTITUENT_ACCEPT has 1 (yes), 2 (no) or 3 (not sure); correct it",
        "A",
    )
    score = pl.col("A").replace_strict(_ACCEPTABLE, default=None, return_dtype=pl.Float64)
    return shown.with_columns(pl.lit("acceptability").alias("scale"), score.alias("score"))


def _outputs(frame: pl.DataFrame, number: str) -> pl.DataFrame:
    """One row per output of the rows of every type, its two numbers as they are."""
    places = sorted(int(match[1]) for name in frame.columns if (match := _SYSTEM.fullmatch(name)))
    columns = [f"{kind}_{n}{end}" for n in places for kind, end in _COLUMNS]
    require_columns(frame, (), (*_REQUIRED, *columns), "the CSV of WMT07")
    require_values(frame, (*_REQUIRED, "SYSTEM_0"))
    refuse(
        frame,
        ~pl.col("TYPE").is_in(list(_PROTOCOLS)),
        f"TYPE {{}} is none of {', '.join(_PROTOCOLS)}; mend it",
        "TYPE",
    )
    names = [f"SYSTEM_{n}" for n in places]
    check_system_names(frame, names)
    rows = frame.with_columns(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias(number),
        to_number(frame, "TIME", pl.Float64).alias("seconds"),
    )
    about = rows.select(
        "TYPE",
        pl.col("TASK").str.starts_with("WMT08").alias("one_is_best"),
        pl.col("TASK").str.replace(r"^WMT\d\d ", "").alias("pair"),
        pl.col("TYPE").replace_strict(_PROTOCOLS, default=None).alias("protocol"),
        pl.col("ITEM_ID").alias("segment"),
        pl.col("ANNOTATOR_ID").alias("judge"),
        *(name for name in (number, "seconds", "line") if name in rows.columns),
    )
    shown = (
        about.with_columns(
            frame[f"SYSTEM_{n}"].alias("output"),
            frame[f"SCORE_{n}_A"].alias("A"),
            frame[f"SCORE_{n}_B"].alias("B"),
            pl.lit(place, pl.Int32).alias("position"),
        )
        for place, n in enumerate(places, 1)
    )
    outputs = pl.concat(shown).sort(number, "position", maintain_order=True)
    refuse(
        outputs,
        pl.col("output").is_null() & (pl.col("A").is_not_null() | pl.col("B").is_not_null()),
        "has a score for no system; name the system",
    )
    return outputs.drop_nulls("output")


_COLUMNS = (("SYSTEM", ""), ("SCORE", "_A"), ("SCORE", "_B"))


def _refuse_no_grade(shown: pl.DataFrame, letter: str) -> None:
    refuse(
        shown,
        pl.col(letter).is_null(),
        f"{{}} has no score {letter}; the row is cut or wrong, mend it",
        "output",
    )


_EXAMPLE = """\
TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B
WMT07 English-Czech News Commentary,RANK,7,3,24,A,5,,Překladač,2,
WMT07 English-Czech News Commentary,CONSTITUENT,9,3,11,A,4,
WMT07 English-Czech News Commentary,NIST,7,4,40,Překladač,3,-,A,4,5
"""


FORMAT = Format(
    name="wmt07",
    description="CSV of WMT07 and WMT08: rankings, and scores beside them",
    kind="judgements",
    suffix=".csv",
    recognise=_recognise,
    read=_read_rankings,
    also={"scores": _read_scores},
    example={"wmt07.csv": _EXAMPLE.encode()},
    carries=frozenset(
        {"pair", "protocol", "segment", "judge", "output", "rank", "position", "seconds"}
    ),
)
