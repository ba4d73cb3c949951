"""MLQE-PE, and WMT18 on: files as in WMT17, with tags of gaps between words.

`NAME.src`, `NAME.mt`, `NAME.pe`, `NAME.hter`, `NAME.src-mt.alignments`; a line of `NAME.tags` has a
tag for the gap before the first word, for the first word, for the gap after it, and so on; a line
of `NAME.source_tags` one for every source token. The tags of words are read.
"""

import polars as pl

from adjudge.quality.layouts import Layout
from adjudge.quality.layouts.wmt16 import MARKS
from adjudge.quality.line_files import files_of, read_line_files

_NAMES = {
    "source": (".src",),
    "target": (".mt",),
    "post_edit": (".pe",),
    "hter": (".hter",),
    "tags": (".tags",),
    "alignment": (".src-mt.alignments",),
}


def _files(path: str) -> dict[str, str]:
    return files_of(path, _NAMES)


def _recognise(path: str) -> bool:
    return {"source", "target"} <= _files(path).keys() and bool(files_of(path, MARKS))


def _read(path: str) -> pl.DataFrame:
    return read_line_files(path, _files(path), every_other_tag=True)


LAYOUT = Layout(
    name="mlqe-pe",
    description="NAME.src, NAME.mt, NAME.pe, NAME.hter, NAME.tags with gaps, NAME.source_tags, …",
    recognise=_recognise,
    read=_read,
    files=lambda path: list(_files(path).values()),
    example={
        "dev.src": b"the tank is empty .\npress twice\n",
        "dev.mt": "der Tank ist voll .\nzweimal Drücken\n".encode(),
        "dev.pe": "der Tank ist leer .\nzweimal drücken\n".encode(),
        "dev.hter": b"0.200000\n0.000000\n",
        "dev.tags": b"OK OK OK OK OK OK OK BAD OK OK OK\nOK OK OK OK OK\n",
        "dev.source_tags": b"OK OK OK BAD OK\nOK OK\n",
    },
)
