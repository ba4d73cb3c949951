"""Reading and writing scores, the format found by looking at the file."""

import polars as pl

from adjudge.files.input_file import InputFile
from adjudge.files.output import open_output, uncompressed_name
from adjudge.judgements.files import joined
from adjudge.judgements.native_tables import NativeTable
from adjudge.judgements.score_table import SCORE_SCHEMA, score_table
from adjudge.judgements.scores_metrics_eval import is_metrics_eval, read_metrics_eval
from adjudge.judgements.scores_metrics_eval_writing import write_metrics_eval
from adjudge.judgements.scores_mqm_tsv import is_mqm_tsv, read_mqm_tsv, write_mqm_tsv

SCORES = NativeTable(
    "score", SCORE_SCHEMA, ("pair", "ranking", "systems", "scale", "score"), score_table
)


def read_scores(*paths: str) -> pl.DataFrame:
    """The scores of one or more files, items renumbered where files repeat numbers."""
    return joined(read_score_file(InputFile(path)) for path in paths)


def read_score_file(file: InputFile) -> pl.DataFrame:
    """The scores of one file."""
    if is_metrics_eval(file):
        return read_metrics_eval(file)
    return read_mqm_tsv(file) if is_mqm_tsv(file) else SCORES.read_file(file)


def write_scores(table: pl.DataFrame, path: str) -> None:
    """Write scores whole or not at all, in the format the path's ending stands for.

    `.tsv`: marked errors as WMT's MQM annotations; `PAIR.SCALE.seg.score` or `.sys.score`: means
    for mt-metrics-eval; `.parquet`; else JSONL.
    """
    name = uncompressed_name(path)
    if name.endswith(".tsv"):
        with open_output(path) as stream:
            write_mqm_tsv(table, stream)
    elif name.endswith(".score"):
        with open_output(path) as stream:
            write_metrics_eval(table, path, stream)
    else:
        SCORES.write(table, path)
