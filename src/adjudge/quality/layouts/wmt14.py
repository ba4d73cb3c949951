"""Task 2 of WMT14: `target.NAME`, one token per line, and `source.NAME`, one sentence per line.

A line of the target has the sentence, the number of the token from 0 and the token, and in
training data the MQM issue, its kind and OK or BAD. A line of the source has the sentence and its
text. Sentences of the source without a target are left out.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.core.files.input_file import InputFile
from adjudge.quality.layouts import Layout
from adjudge.quality.translations import Place, translation_table

_LINE = re.compile(r"\d+\.\d+\t0\t\S+(\t[^\t]+\t[^\t]+\t(OK|BAD))?")


def _recognise(path: str) -> bool:
    file = Path(path)
    return (
        file.is_file()
        and file.name.startswith("target.")
        and _LINE.fullmatch(InputFile(path).first_line) is not None
    )


def _beside(path: str) -> str:
    name = Path(path).name.removesuffix(".blind").replace("target.", "source.", 1)
    return str(Path(path).parent / name)


def _sources(file: InputFile) -> dict[str, str]:
    sources: dict[str, str] = {}
    for line, text in enumerate(file.text.rstrip("\n").split("\n"), 1):
        sentence, tab, source = text.partition("\t")
        if not tab or sentence in sources:
            raise file.bad_line(line, "is not a new sentence, a tab and its text; correct it")
        sources[sentence] = source.strip()
    return sources


def _read(path: str) -> pl.DataFrame:
    file = InputFile(path)
    sources = _sources(InputFile(_beside(path)))
    words: dict[str, list[str]] = {}
    tags: dict[str, list[str]] = {}
    first: dict[str, int] = {}
    width = 0
    for line, text in enumerate(file.text.rstrip("\n").split("\n"), 1):
        fields = text.split("\t")
        width = width or len(fields)
        if len(fields) != width:
            raise file.bad_line(line, f"has {len(fields)} fields instead of {width}; correct it")
        sentence, number, word = fields[:3]
        if sentence not in sources:
            raise file.bad_line(line, f"sentence {sentence[:60]} is not in {_beside(path)}")
        first.setdefault(sentence, line)
        if number != str(len(words.setdefault(sentence, []))):
            raise file.bad_line(line, f"token {number[:60]} is out of order; count from 0")
        words[sentence].append(word)
        if width > 3:
            tags.setdefault(sentence, []).append(fields[-1])
    frame = pl.DataFrame(
        {
            "segment": list(words),
            "source": [sources[sentence] for sentence in words],
            "target": [" ".join(each) for each in words.values()],
            "tags": pl.Series([tags.get(each) for each in words], dtype=pl.List(pl.String)),
            "line": list(first.values()),
        }
    )
    return translation_table(frame, Place(path, {"source": _beside(path)}))


LAYOUT = Layout(
    name="wmt14",
    description="target.NAME, a token a line with OK or BAD, beside source.NAME",
    recognise=_recognise,
    read=_read,
    files=lambda path: [path, _beside(path)],
    example={
        "source.train": b"0.1\tThe tank is empty.\n0.2\tThe tank is empty.\n",
        "target.train": (
            "0.1\t0\tEl\tOK\tOK\tOK\n0.1\t1\ttanque\tTerminology\tAccuracy\tBAD\n"
            "0.2\t0\tDepósito\tOK\tOK\tOK\n"
        ).encode(),
    },
    path="target.train",
)
