"""Scores (`adjudge scores`), read as the rankings they imply (`scores_as_rankings`)."""

import polars as pl

from adjudge.files.input_file import InputFile
from adjudge.files.jsonl import first_object
from adjudge.files.parquet import parquet_columns
from adjudge.judgements.formats import Format
from adjudge.judgements.scores_as_rankings import implied_rankings
from adjudge.judgements.scores_files import read_score_file
from adjudge.judgements.scores_metrics_eval import is_metrics_eval
from adjudge.judgements.scores_mqm_tsv import is_mqm_tsv


def _recognise(file: InputFile) -> bool:
    columns = first_object(file).keys() | set(parquet_columns(file))
    return columns >= {"ranking", "score"} or is_metrics_eval(file) or is_mqm_tsv(file)


def _read(file: InputFile) -> pl.DataFrame:
    return implied_rankings(read_score_file(file))


FORMAT = Format(
    name="scores",
    description="Adjudge scores, mt-metrics-eval human scores, WMT MQM annotations",
    suffix=".score",
    recognise=_recognise,
    read=_read,
)
