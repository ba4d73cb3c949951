"""WMT16 and WMT17: tokenised files `src`, `mt`, `pe`, `hter`, `tags`, `align`.

File names are `dev.src`, `dev.mt`, …, or `src`, `mt`, … in a folder of their own. `tags` has OK or
BAD for every token of `mt`.
"""

import polars as pl

from adjudge.quality.layouts import Layout
from adjudge.quality.line_files import files_of, read_line_files

_NAMES = {
    "source": (".src", "src"),
    "target": (".mt", "mt"),
    "post_edit": (".pe", "pe"),
    "reference": (".ref", "ref"),
    "hter": (".hter", "hter"),
    "tags": (".tags", "tags"),
    "alignment": (".align", "align"),
    "features": (".features", "features17.tsv"),
}
# What MLQE-PE has beside them.
MARKS = {"source_tags": (".source_tags",), "links": (".src-mt.alignments",)}


def _files(path: str) -> dict[str, str]:
    return files_of(path, _NAMES)


def _recognise(path: str) -> bool:
    return {"source", "target"} <= _files(path).keys() and not files_of(path, MARKS)


def _read(path: str) -> pl.DataFrame:
    return read_line_files(path, _files(path), every_other_tag=False)


LAYOUT = Layout(
    name="wmt16",
    description="NAME.src, NAME.mt, NAME.pe, NAME.hter, NAME.tags, NAME.align, or without NAME",
    recognise=_recognise,
    read=_read,
    files=lambda path: list(_files(path).values()),
    example={
        "dev.src": b"the tank is empty .\npress twice\n",
        "dev.mt": "der Tank ist voll .\nzweimal Drücken\n".encode(),
        "dev.pe": "der Tank ist leer .\nzweimal drücken\n".encode(),
        "dev.hter": b"0.200000\n0.000000\n",
        "dev.tags": b"OK OK OK BAD OK\nOK OK\n",
        "dev.align": b"0-0 1-1 2-2 3-3 4-4\n0-1 1-0\n",
    },
    path="dev",
)
