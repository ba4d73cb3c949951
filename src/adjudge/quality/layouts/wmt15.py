"""WMT15: tokenised files `source`, `target`, `tags`, `hter`, `pe`.

File names are `train.source`, `train.target`, `train.tags`, …, or `source`, `target` and
`target.tags` in a folder of their own.
"""

import polars as pl

from adjudge.quality.layouts import Layout
from adjudge.quality.line_files import files_of, read_line_files

_NAMES = {
    "source": (".source", "source"),
    "target": (".target", "target"),
    "post_edit": (".pe", "pe"),
    "hter": (".hter", "hter"),
    "tags": (".tags", "target.tags", "tags"),
}


def _files(path: str) -> dict[str, str]:
    return files_of(path, _NAMES)


def _recognise(path: str) -> bool:
    return {"source", "target"} <= _files(path).keys()


def _read(path: str) -> pl.DataFrame:
    return read_line_files(path, _files(path), every_other_tag=False)


LAYOUT = Layout(
    name="wmt15",
    description="NAME.source, NAME.target, NAME.tags, NAME.hter, or without NAME",
    recognise=_recognise,
    read=_read,
    files=lambda path: list(_files(path).values()),
    example={
        "source": b"the tank is empty .\npress twice\n",
        "target": "el tanque es vacío .\npulse dos\n".encode(),
        "target.tags": b"OK OK BAD OK OK\nOK BAD\n",
    },
)
