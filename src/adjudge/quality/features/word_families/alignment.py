"""The source word a word is linked to, and its neighbours (alignment context; LIG, WMT13 §6.7)."""

import numpy as np

from adjudge.quality.features.column import Column, label, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.prepared import Prepared, share
from adjudge.quality.features.windows import neighbour, spelled
from adjudge.resources.corpus import encode


def _columns(prepared: Prepared) -> list[Column]:
    links = prepared.links
    source = encode([[token.lower() for token in line] for line in prepared.source_tokens])
    tokens = int(prepared.target_start[-1])
    target_place = prepared.target_start[links.row] + links.target
    source_place = source.start[links.row] + links.source
    linked = np.full(tokens, -1)
    # Of several links the first one counts, so it is written last.
    linked[target_place[::-1]] = source_place[::-1]
    columns = []
    for by in (-1, 0, 1):
        codes = np.append(neighbour(source, by), -1)[linked]
        name = f"source_word{by:+d}" if by else "source_word"
        what = "the source word it is linked to" + (f", {by:+d} tokens on" if by else "")
        columns.append(label(name, what, spelled(codes, source.vocabulary)))
    links_here = np.bincount(target_place, minlength=tokens)
    fertility = np.bincount(source_place, minlength=len(source.word))
    columns += [
        number("links", "links of the word", links_here),
        number(
            "links_of_source",
            "links of the source word it is linked to",
            np.append(fertility, 0)[linked],
        ),
        number("off_diagonal", "how far its link is from the diagonal", _off(prepared, linked)),
    ]
    if prepared.resources is not None:
        words = prepared.target_translated
        columns += [
            number("best_translation", "p of the best source word for it", words.best),
            number(
                "log_given_source", "log10 p(word | source) by IBM Model 1", words.log_probability()
            ),
        ]
    return columns


def _off(
    prepared: Prepared, linked: "np.typing.NDArray[np.int64]"
) -> "np.typing.NDArray[np.float64]":
    """Distance of relative places, 0 for a word without a link."""
    lengths = prepared.target_lengths
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(row)) - prepared.target_start[row]
    source_start = np.append(0, np.cumsum(prepared.source_lengths))
    of_source = share(linked - source_start[row], prepared.source_lengths[row])
    distance = np.abs(of_source - share(place, lengths[row]))
    return np.where(linked >= 0, distance, 0.0)


FAMILY = Family(
    "alignment",
    "the source word it is linked to, with its neighbours, and how likely that is",
    "WMT13 §6.7 (LIG)",
    _columns,
    ("alignment",),
)
