"""Files of predictions: TSV, which `adjudge quality evaluate` reads, CSV or JSON.

Word tags are one line per translation, as in the data of WMT14 to WMT17; CSV and JSON also contain
the probability that each word needs a change.
"""

import json
from typing import IO

import polars as pl

DIGITS = 6


def write_predictions(predicted: pl.DataFrame, stream: IO[bytes], form: str) -> None:
    """Write the predictions of a model, one row per translation."""
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
