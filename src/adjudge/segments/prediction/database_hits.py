"""Candidates of a new system for the segments of the database, found in its plain output.

Every word of the output is linked to the source word with the highest weight,

    √(p(target | source) · p(source | target)) · exp(−3 |i / length − j / length|),

by lexical tables (IBM Model 1, both directions) learned from the database itself: its segments with
their candidates, its references, and the new output. The candidate of a segment consists of the
words linked to its words, in their order, as in the extraction (Macháček 2014 §2.1). If a candidate
that judges ranked stands in the output and is nearly that, it is taken instead: tables make small
errors at the edges.

Punctuation is parted from words, in the output and in the candidates alike.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from adjudge.core.errors import InputError, NotEnoughData
from adjudge.segments.database import SegmentDatabase
from adjudge.stats.resampling import Floats
from adjudge.text.resources.corpus import encode
from adjudge.text.resources.lexical_table import LexicalTable, train

_TOKEN = re.compile(r"(?:\w\.){2,}|\d+(?:[.,:]\d+)*|\w+(?:[-'’]\w+)*|\.{2,}|[^\w\s]")
LETTERS = 5  # words with the same beginning are one word for the tables
ORDER = 3.0  # how much words keep their place in the sentence
UNLINKED = 2e-5  # a word below goes nowhere
NEARLY = 0.6  # twice the common words by the sum of both lengths
NEVER = 1e-6  # chance of words that never met


def found_candidates(
    database: SegmentDatabase, lines: Sequence[str], file: str, without: str | None = None
) -> list[str | None]:
    """Candidate of every annotation; None if the output has no word for the segment.

    Line 7 is sentence 7 if the database numbers its sentences; otherwise the lines are its
    sentences in order. Candidates made by `without` only are excluded from training.
    """
    outputs = [_tokens(lines[place]) for place in _places(database, len(lines), file)]
    sources = [str(source or "").split(" ") for source in database.sentences["source"]]
    if not any(any(words) for words in sources):
        raise NotEnoughData(
            f"{database.pair}: the database has no source sentences, and without them nothing says "
            "which words of the new output belong to a segment"
        )
    known = _known_candidates(database, without)
    tables = _tables(database, sources, outputs, known)
    found: list[str | None] = []
    links: dict[int, Floats] = {}
    for number, (sentence, name) in enumerate(
        zip(database.segments["sentence"], database.segments["segment"], strict=True)
    ):
        if sentence not in links:
            links[sentence] = _links(sources[sentence], outputs[sentence], tables)
        places = _segment_places(name, len(sources[sentence]))
        mine = np.flatnonzero(np.isin(links[sentence], places)).tolist()
        found.append(_candidate(outputs[sentence], mine, known.get(number, ())))
    return [found[segment] for segment in database.segment]


def _tokens(line: str) -> list[str]:
    return _TOKEN.findall(line)


def _places(database: SegmentDatabase, lines: int, file: str) -> list[int]:
    """Line of the output for each sentence of the database."""
    names = [str(name) for name in database.sentences["sentence"]]
    if all(name.isdecimal() for name in names):
        last = max(map(int, names))
        if 1 <= last <= lines:
            return [int(name) - 1 for name in names]
        expected = f"sentence {last} is the last one of the database"
    else:
        if lines == len(names):
            return list(range(lines))
        expected = f"the database has {len(names):,} sentences"
    raise InputError(
        f"has {lines:,} lines, but {expected}; give the output for the whole text that the "
        "segments were taken from",
        file=file,
    )


def _segment_places(name: str, words: int) -> list[int]:
    """Indices of the source words that a segment covers."""
    indices = name.rpartition(":")[2].split(",")
    if not all(index.isdecimal() for index in indices):
        raise NotEnoughData(
            f"the database does not say which words of its sentence the segment {name!r} covers; "
            "it needs the indices of words, as the protocol 'segments' and SegRanks's tables have"
        )
    return [int(index) for index in indices if int(index) < words]


def _known_candidates(database: SegmentDatabase, without: str | None) -> dict[int, list[str]]:
    """Texts that judges ranked, for every segment."""
    rows = database.candidates
    if without is not None:
        rows = rows.filter((pl.col("systems") != [without]) | pl.col("systems").is_null())
    segment = pl.Series(database.segment).gather(rows["annotation"])
    each = rows.select("text", segment=segment).unique(maintain_order=True)
    known: dict[int, list[str]] = {}
    for text, number in each.iter_rows():
        known.setdefault(number, []).append(database.texts[text])
    return known


def _tables(
    database: SegmentDatabase,
    sources: Sequence[list[str]],
    outputs: Sequence[list[str]],
    known: Mapping[int, Sequence[str]],
) -> tuple[LexicalTable, LexicalTable]:
    phrases = database.segments["source_segment"].to_list()
    left = [*sources, *sources]
    right = [*outputs, *(_tokens(str(line or "")) for line in database.sentences["reference"])]
    for number, texts in known.items():
        left += [phrases[number].split(" ")] * len(texts)
        right += [_tokens(text) for text in texts]
    source, target = (encode(map(_beginnings, side)) for side in (left, right))
    return train(source, target), train(target, source)


def _beginnings(words: Sequence[str]) -> list[str]:
    return [word.lower()[:LETTERS] for word in words]


def _links(
    source: Sequence[str], output: Sequence[str], tables: tuple[LexicalTable, LexicalTable]
) -> Floats:
    """Index of the source word linked to every word of the output, or −1."""
    if not output or not source:
        return np.full(len(output), -1.0)
    words, targets = _beginnings(source), _beginnings(output)
    forward = _chances(tables[0], words, targets)
    backward = _chances(tables[1], targets, words).T
    places = np.arange(len(source)) / len(source), np.arange(len(output)) / len(output)
    order = np.exp(-ORDER * np.abs(places[0][:, None] - places[1][None, :]))
    fit = np.sqrt((forward + NEVER) * (backward + NEVER)) * order
    return np.where(fit.max(axis=0) > UNLINKED, fit.argmax(axis=0), -1).astype(np.float64)


def _chances(table: LexicalTable, words: Sequence[str], targets: Sequence[str]) -> Floats:
    rows, codes = table.source_codes(words), table.target_codes(targets)
    pairs = table.probabilities(np.repeat(rows, len(codes)), np.tile(codes, len(rows)))
    return pairs.reshape(len(rows), len(codes))


def _candidate(output: Sequence[str], places: Sequence[int], known: Sequence[str]) -> str | None:
    """Words at these positions, or a ranked candidate that is nearly equal."""
    text = " ".join(output[place] for place in places)
    if text in known:
        return text
    best, chosen = (NEARLY, 0), text
    for candidate in known:
        words = _tokens(candidate)
        first = _where(words, output) if words else None
        if first is None:
            continue
        common = sum(first <= place < first + len(words) for place in places)
        nearness = (2 * common / (len(words) + len(places)), len(words))
        if nearness >= best:
            best, chosen = nearness, candidate
    return chosen or None


def _where(words: Sequence[str], output: Sequence[str]) -> int | None:
    length = len(words)
    for first in range(len(output) - length + 1):
        if output[first] == words[0] and list(output[first : first + length]) == list(words):
            return first
    return None
