"""Token windows over all translations end to end."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from adjudge.quality.features.column import Column, Numbers, label
from adjudge.text.resources.corpus import Corpus

BEFORE, AFTER = "<s>", "</s>"  # beside the first and the last token of a text


def neighbour(text: Corpus, by: int) -> Numbers:
    """Code of the token at this offset; −2 before the text begins, −1 after it ends."""
    place = np.arange(len(text.word)) + by
    lengths = np.diff(text.start)
    first, last = np.repeat(text.start[:-1], lengths), np.repeat(text.start[1:], lengths)
    inside = (place >= first) & (place < last)
    codes = text.word[np.where(inside, place, 0)].astype(np.int64) if len(text.word) else place
    return np.where(inside, codes, np.where(place < first, -2, -1))


def spelled(codes: Numbers, vocabulary: Sequence[str]) -> pl.Series:
    """Decode words."""
    words = pl.Series([*vocabulary, BEFORE, AFTER], dtype=pl.String)
    return words.gather(np.where(codes < 0, len(words) + codes, codes))


WHERE = {-2: "two places before", -1: "before", 0: "here", 1: "after", 2: "two places after"}


def window(name: str, what: str, text: Corpus, places: Sequence[int]) -> list[Column]:
    """Column of labels for each position relative to a token, 0 being the token itself."""
    return [
        label(
            f"{name}{place:+d}" if place else name,
            f"{what} {WHERE[place]}",
            spelled(neighbour(text, place), text.vocabulary),
        )
        for place in places
    ]


def joined(*columns: pl.Series) -> pl.Series:
    """Join columns of labels into one label."""
    return pl.select(pl.concat_str(columns, separator=" ")).to_series()
