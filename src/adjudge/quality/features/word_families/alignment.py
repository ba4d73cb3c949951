"""Alignment context: the linked source word and its neighbours (LIG, WMT13 §6.7).

The combination of a word with its source word, or with that word's neighbours, is a label of its
own: it carries most of the lexical information for a learner of labels.
"""

import numpy as np
import polars as pl

from adjudge.quality.features.column import Column, label, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, share
from adjudge.quality.features.links import first_links
from adjudge.quality.features.windows import joined, neighbour, spelled
from adjudge.text.resources.corpus import encode

_SOURCE = {
    -1: "the source word before the one it is linked to",
    0: "the source word it is linked to, </s> if there is none",
    1: "the source word after the one it is linked to",
}


def _columns(prepared: Prepared) -> list[Column]:
    links = prepared.links
    source = encode([[token.lower() for token in line] for line in prepared.source_tokens])
    tokens = int(prepared.target_start[-1])
    target_place = prepared.target_start[links.row] + links.target
    source_place = source.start[links.row] + links.source
    linked = first_links(links, source.start, prepared.target_start)
    source_word = {
        by: spelled(np.append(neighbour(source, by), -1)[linked], source.vocabulary)
        for by in (-1, 0, 1)
    }
    columns = [
        label(f"source_word{by:+d}" if by else "source_word", _SOURCE[by], values)
        for by, values in source_word.items()
    ]
    columns += _together(prepared, source_word)
    links_here = np.bincount(target_place, minlength=tokens)
    fertility = np.bincount(source_place, minlength=len(source.word))
    columns += [
        number("links", "links of the word", links_here),
        number(
            "links_of_source",
            "links of the source word it is linked to",
            np.append(fertility, 0)[linked],
        ),
        number(
            "off_diagonal",
            "distance of its link from the diagonal, as a share of the sentence",
            _off(prepared, linked),
        ),
    ]
    if prepared.resources is not None:
        words = prepared.target_translated
        columns += [
            number(
                "best_translation", "p(word | source word) of the likeliest source word", words.best
            ),
            number(
                "log_given_source", "log10 p(word | source) by IBM Model 1", words.log_probability()
            ),
        ]
    return columns


def _together(prepared: Prepared, source: dict[int, pl.Series]) -> list[Column]:
    """Joint labels of words of the translation and of the source."""
    lower = encode([[token.lower() for token in line] for line in prepared.target_tokens])
    word = {by: spelled(neighbour(lower, by), lower.vocabulary) for by in (-1, 0, 1)}
    together: dict[str, tuple[str, *tuple[pl.Series, ...]]] = {
        "word:source_word": ("the word, its source word", word[0], source[0]),
        "word:source_word-1": ("the word, the one before its source word", word[0], source[-1]),
        "word:source_word+1": ("the word, the one after its source word", word[0], source[1]),
        "source_word-1:0": ("its source word and the one before", source[-1], source[0]),
        "source_word:+1": ("its source word and the one after", source[0], source[1]),
        "word:source_word-1:0": (
            "the word, its source word and the one before", word[0], source[-1], source[0],
        ),
        "word:source_word:+1": (
            "the word, its source word and the one after", word[0], source[0], source[1],
        ),
        "word-1:0:source_word": (
            "the word and the one before, its source word", word[-1], word[0], source[0],
        ),
        "word:+1:source_word": (
            "the word and the one after, its source word", word[0], word[1], source[0],
        ),
    }  # fmt: skip
    return [label(name, what, joined(*columns)) for name, (what, *columns) in together.items()]


def _off(
    prepared: Prepared, linked: "np.typing.NDArray[np.int64]"
) -> "np.typing.NDArray[np.float64]":
    """Distance of relative positions, 0 for a word without a link."""
    lengths = prepared.target_lengths
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(row)) - prepared.target_start[row]
    source_start = np.append(0, np.cumsum(prepared.source_lengths))
    of_source = share(linked - source_start[row], prepared.source_lengths[row])
    distance = np.abs(of_source - share(place, lengths[row]))
    return np.where(linked >= 0, distance, 0.0)


FAMILY = Family(
    "alignment",
    "the source word it is linked to, its neighbours, both words together, and how likely that is",
    "WMT13 §6.7 (LIG)",
    _columns,
    ("alignment",),
)
