"""Predictions as files: TSV, which `adjudge quality evaluate` reads, CSV or JSON.

Tags of words are a line a translation, as tags are in the data of WMT14 to WMT17; in CSV and JSON
the chance that each word is to be changed stands beside them.
"""

import json
from typing import IO

import polars as pl

DIGITS = 6


def write_predictions(predicted: pl.DataFrame, stream: IO[bytes], form: str) -> None:
    """Write what a model predicts, a row a translation."""
    if form == "json":
        rows = [
            {name: _rounded(value) for name, value in row.items()} for row in predicted.to_dicts()
        ]
        stream.write((json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode())
        return
    if "tags" in predicted.columns and form == "tsv":
        lines = (f"{' '.join(tags)}\n" for tags in predicted["tags"].to_list())
        stream.write("".join(lines).encode())
        return
    flat = predicted.with_columns(
        pl.col(name).cast(pl.List(pl.String)).list.join(" ")
        if name == "tags"
        else pl.col(name)
        .list.eval(pl.element().round(DIGITS))
        .cast(pl.List(pl.String))
        .list.join(" ")
        for name in ("tags", "chances")
        if name in predicted.columns
    )
    flat.write_csv(stream, separator="\t" if form == "tsv" else ",", float_precision=DIGITS)


def _rounded(value: object) -> object:
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, DIGITS) if isinstance(value, float) else value
