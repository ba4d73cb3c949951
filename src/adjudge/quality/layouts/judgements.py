"""Judgements with texts, from `adjudge campaign export` or in any format of docs/formats.md.

* Rankings: every output shown becomes a candidate with its rank.
* Scores: every output becomes a translation; each scale is a column, the mean over judges.
* Blind edits: the output and its edit, which makes HTER and tags of words, and the seconds it
  took its editor. Reviews are left out, and so is what was incomprehensible or skipped.

An output that several systems made is one translation.
"""

from pathlib import Path

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.data.edit_table import BLIND_EDIT
from adjudge.data.outputs import shown_name
from adjudge.data.table_files import is_known, read_any
from adjudge.quality.layouts import Layout
from adjudge.quality.translations import Place, translation_table

_TEXTS = (
    pl.col("output")
    .cast(pl.String)
    .map_elements(shown_name, return_dtype=pl.String)
    .alias("system"),
    pl.col("source").cast(pl.String),
    pl.col("reference").cast(pl.String),
    pl.col("text").cast(pl.String).alias("target"),
)
_PLACE = ("pair", "document", "segment")


def _recognise(path: str) -> bool:
    return Path(path).is_file() and is_known(InputFile(path))


def _read(path: str) -> pl.DataFrame:
    loaded = read_any(path)
    table = loaded.frame.filter(pl.col("output").is_not_null())
    if table["text"].null_count() or table["source"].null_count():
        raise InputError(
            "holds judgements without texts; quality estimation needs the source and the output "
            "of each, as adjudge campaign export writes them",
            file=path,
        )
    made = {"judgements": _rankings, "scores": _scores, "edits": _edits}[loaded.kind](table)
    return translation_table(made, Place(path))


def _rankings(table: pl.DataFrame) -> pl.DataFrame:
    return table.select(*_PLACE, *_TEXTS, "ranking", "rank")


def _scores(table: pl.DataFrame) -> pl.DataFrame:
    wide = table.select(*_PLACE, *_TEXTS, pl.col("scale").cast(pl.String), "score")
    return wide.drop_nulls("score").pivot(
        "scale",
        index=[name for name in wide.columns if name not in ("scale", "score")],
        values="score",
        aggregate_function="mean",
    )


def _edits(table: pl.DataFrame) -> pl.DataFrame:
    edited = table.filter(
        (pl.col("protocol").cast(pl.String) == BLIND_EDIT) & pl.col("edit").is_not_null()
    )
    return edited.select(
        *_PLACE,
        *_TEXTS,
        pl.col("judge").cast(pl.String).alias("translator"),
        pl.col("edit").alias("post_edit"),
        "seconds",
    )


LAYOUT = Layout(
    name="judgements",
    description="rankings, scores or edits with texts, as adjudge campaign export writes them",
    recognise=_recognise,
    read=_read,
    files=lambda path: [path],
    example={
        "edits.jsonl": (
            b'{"pair": "en-de", "protocol": "blind-edit", "segment": "1", "item": 1, "judge": "A", '
            b'"systems": ["S"], "edit": "Der Tank ist leer.", "incomprehensible": false, '
            b'"seconds": 12.5, "source": "The tank is empty.", "text": "Der Tank ist Leere."}\n'
        )
    },
    path="edits.jsonl",
)
