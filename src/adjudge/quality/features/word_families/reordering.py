"""Reordering: source words of the neighbours, and their distance in the source.

If the source words of two neighbours are neighbours too, they may have been translated as one.
"""

import numpy as np
import polars as pl

from adjudge.quality.features.column import Column, Numbers, label
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.features.links import first_links
from adjudge.quality.features.windows import joined, neighbour, spelled
from adjudge.text.resources.corpus import Corpus, encode

FAR = 4  # places; further is as far
_BESIDE = {-1: "the word before", 1: "the next word"}


def _columns(prepared: Prepared) -> list[Column]:
    source = encode([[token.lower() for token in line] for line in prepared.source_tokens])
    place = first_links(prepared.links, source.start, prepared.target_start)
    unlinked = len(source.vocabulary)
    words = np.append(source.word, unlinked)[place].astype(np.int32)
    linked = Corpus((*source.vocabulary, ""), words, prepared.target_start)
    target = encode([[token.lower() for token in line] for line in prepared.target_tokens])
    word = spelled(neighbour(target, 0), target.vocabulary)
    own = spelled(neighbour(linked, 0), linked.vocabulary)
    columns = []
    for by, which in _BESIDE.items():
        beside = spelled(neighbour(linked, by), linked.vocabulary)
        name, what = f"source_word_of{by:+d}", f"the source word of {which}"
        columns += [
            label(name, what, beside),
            label(f"word:{name}", f"the word, and {what}", joined(word, beside)),
            label(f"source_word:{name}", f"its source word, and {what}", joined(own, beside)),
            label(
                f"jump{by:+d}",
                f"how far from its source word {what} is, {FAR} and more alike",
                _jump(place, prepared.target_start, by),
            ),
        ]
    return columns


def _jump(place: Numbers, start: Numbers, by: int) -> pl.Series:
    """Jump as a label, since near jumps differ in kind; `none` without a link or neighbour."""
    text = Corpus((), np.arange(len(place), dtype=np.int32), start)
    beside = neighbour(text, by)
    known = (place >= 0) & (beside >= 0) & (np.append(place, -1)[beside] >= 0)
    jump = np.clip(np.append(place, 0)[beside] - place, -FAR, FAR)
    return pl.Series(
        [f"{far:+d}" if there else "none" for far, there in zip(jump, known, strict=True)]
    )


FAMILY = Family(
    "reordering",
    "the source words of its neighbours, and how far they are from its own",
    "WMT13 §6.7 (LIG)",
    _columns,
    ("alignment",),
)
