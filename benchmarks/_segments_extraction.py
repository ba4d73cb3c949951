"""Extraction on the data of Macháček 2014, beside what came out there.

- Our alignment beside GIZA++'s: how many candidates are the same, with the same trees. (GIZA++ had
  844,000 more sentence pairs to learn from; ours has the outputs and the reference only.)
- From plain text: how many of the 8,482 source segments that judges saw are found. No parser can be
  asked for much more than 73 %: that is what two models of the author's own parser share.
"""

import html
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import polars as pl

import adjudge
from adjudge.core.files.input_file import InputFile

Stretch = tuple[int, int, int]  # sentence, first and last character, blanks not counted


def main(data: Path) -> None:
    """Print times and what agrees; `data` is the folder of all data."""
    run = data / "segranks" / "extraction"
    names = sorted(path.name.removesuffix(".txt.gz") for path in (run / "alignments").iterdir())
    tokenized = [str(run / "tokenized" / f"{name}.txt.gz") for name in ("source", "reference")]
    outputs = {name: str(run / "tokenized" / f"{name}.txt.gz") for name in names}
    trees = str(run / "trees.txt.gz")
    links = {name: str(run / "alignments" / f"{name}.txt.gz") for name in names}
    began = perf_counter()
    theirs = adjudge.extract_segments(*tokenized, outputs, trees=trees, alignment=links)
    print(f"3,003 trees, 10 alignments: {perf_counter() - began:.1f} s, {len(theirs.merged):,}")
    began = perf_counter()
    ours = adjudge.extract_segments(*tokenized, outputs, trees=trees)
    seconds = perf_counter() - began
    same = (ours.rows["candidate"] == theirs.rows["candidate"]).mean()
    print(f"the same, aligned here: {seconds:.1f} s, {same:.1%} of candidates are GIZA++'s")
    published = _published(data / "segranks")
    _compare("segments of the author's first run", theirs.rows, published)
    _from_plain_text(data, names, published)


def _from_plain_text(data: Path, names: list[str], published: set[Stretch]) -> None:
    """With a parser that learnt from a treebank: no pipeline can be had from PyPI."""
    from benchmarks import _treebank_parser

    plain = data / "segranks"
    with TemporaryDirectory() as folder:
        began = perf_counter()
        attached = _treebank_parser.train(data / "corpora" / "pud" / "en.conllu.gz", folder)
        print(
            f"a parser from 900 sentences of PUD, {attached:.0%} of words attached right in 100 "
            f"others: {perf_counter() - began:.0f} s"
        )
        began = perf_counter()
        extraction = adjudge.extract_segments(
            str(plain / "source.txt.gz"),
            str(plain / "reference.txt.gz"),
            {name: str(plain / "systems" / f"{name}.txt.gz") for name in names},
            parser=folder,
        )
    print(f"plain texts of 10 systems, parsed and aligned here: {perf_counter() - began:.1f} s")
    _compare("segments of that parser", extraction.rows, published)


def _compare(what: str, rows: pl.DataFrame, published: set[Stretch]) -> None:
    unique = rows.select("sentence", "source", "indices").unique()
    ours = {_stretch(line, html.unescape(source), at) for line, source, at in unique.iter_rows()}
    both = len(ours & published)
    print(f"{what}: precision {both / len(ours):.1%}, recall {both / len(published):.1%}")


def _published(folder: Path) -> set[Stretch]:
    """The source segments that judges were asked about."""
    sources = {row[0]: row[1] for row in _rows(folder / "sentences.tsv.gz")}
    segments = _rows(folder / "source-segments.tsv.gz")
    return {_stretch(int(line), sources[line], places) for line, _, places in segments}


def _rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in InputFile(path).text.rstrip("\n").split("\n")]


def _stretch(line: int, source: str, places: str) -> Stretch:
    """Segments can be compared whatever the texts were tokenised with."""
    words, own = source.split(" "), [int(place) for place in places.split(" ")]
    first = sum(map(len, words[: own[0]]))
    return line, first, first + sum(map(len, words[own[0] : own[-1] + 1]))
