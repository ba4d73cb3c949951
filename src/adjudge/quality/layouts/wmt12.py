"""WMT12, and Task 1.1 of WMT13, whose training data it is: untokenised texts, effort, HTER.

`source.LNG`, `target_system.LNG`, `target_postedited.LNG`, `target_reference.LNG`,
`target_system.effort` (1 to 5), and where there are any `hter.txt` and `features17.tsv`.
"""

from pathlib import Path

import polars as pl

from adjudge.core.files.output import uncompressed_name
from adjudge.quality.layouts import Layout
from adjudge.quality.line_files import files_of, read_line_files

_TEXTS = {
    "source": "source",
    "target": "target_system",
    "post_edit": "target_postedited",
    "reference": "target_reference",
}
_OTHERS = {
    "effort": ("target_system.effort",),
    "hter": ("hter.txt",),
    "features": ("features17.tsv",),
}
_NO_LANGUAGE = ("effort", "effort3scores", "effort3weights", "train", "test", "tags")


def _files(path: str) -> dict[str, str]:
    if not Path(path).is_dir():
        return {}
    names = {uncompressed_name(each.name) for each in Path(path).iterdir()}
    texts = {
        column: [
            name
            for name in sorted(names)
            if name.partition(".")[0] == stem and name.partition(".")[2] not in ("", *_NO_LANGUAGE)
        ]
        for column, stem in _TEXTS.items()
    }
    return files_of(path, {**texts, **_OTHERS})


def _recognise(path: str) -> bool:
    return {"source", "target"} <= _files(path).keys()


def _read(path: str) -> pl.DataFrame:
    return read_line_files(path, _files(path), every_other_tag=False)


LAYOUT = Layout(
    name="wmt12",
    description="a folder with source.LNG, target_system.LNG, target_system.effort, …",
    recognise=_recognise,
    read=_read,
    files=lambda path: list(_files(path).values()),
    example={
        "source.eng": b"The tank is empty.\nPress the button twice.\n",
        "target_system.spa": "El tanque está vacío.\nPrensa el botón dos.\n".encode(),
        "target_postedited.spa": "El tanque está vacío.\nPulse el botón dos veces.\n".encode(),
        "target_system.effort": b"5.0\n2.3\n",
    },
)
