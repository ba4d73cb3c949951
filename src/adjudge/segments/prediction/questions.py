"""Questions: would judges rank this unseen candidate above that ranked one, and their features.

One question is one unseen candidate of a *target* system beside one different candidate that was
ranked. Its features know only systems that are neither the target nor *hidden*: who else wrote the
candidate's words, how good the candidates like it are, how much of the reference is in either.
How good a ranked candidate is: the share of the visible systems it is ranked above, a tie counting
half. Nothing but the order of the visible ones is used: a gap between ranks would show where a
hidden candidate was.
"""

import warnings
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from adjudge.segments.prediction.similarity import Flags, Likeness, Parts
from adjudge.stats.resampling import Codes, Floats

NEARNESS = (4.0, 12.0)  # how fast the weight of a candidate falls with its distance
# Those that are multiplied with each other, too: how good, how alike, how many.
CROSSED = (
    "its_quality",
    "quality_of_like_4",
    "quality_of_words",
    "likeness_to_all",
    "more_of_reference",
    "its_makers",
    "likeness",
    "new_words",
    "candidates",
    "quality_of_own_words",
    "quality_of_its_words",
)


@dataclass(frozen=True, eq=False)
class Questions:
    """All questions about one target."""

    names: tuple[str, ...]  # of features
    features: Floats  # questions × features, NaN where there is nothing to say
    annotation: Codes
    opponent: Codes  # a column: the first system that made the ranked candidate
    makers: Floats  # how many visible systems made it
    outcome: Floats  # 1: the target's is better, 0: a tie, −1: worse; NaN: unknown


@dataclass(frozen=True, eq=False)
class _View:
    """Visible part of some annotations, without the target and the hidden systems."""

    rows: Codes
    visible: Flags  # rows × columns
    quality: Floats  # of ranked candidates, 0 where there is none
    makers: Floats
    first: Flags  # the first column with its text


def visible_columns(likeness: Likeness, target: int, hidden: Collection[int] = ()) -> Flags:
    """Mask of ranked candidates of other systems (annotations × columns)."""
    visible: Flags = (likeness.text >= 0) & ~np.isnan(likeness.rank)
    visible[:, [target, *hidden]] = False
    return visible


def is_hit(likeness: Likeness, target: int, visible: Flags) -> Flags:
    """Test for every annotation whether a visible candidate has the target's text."""
    own = likeness.text[:, [target]]
    hit: Flags = ((likeness.text == own) & visible).any(axis=1)
    return hit & (own[:, 0] >= 0)


def questions(likeness: Likeness, target: int, hidden: Collection[int] = ()) -> Questions:
    """Build the questions about every miss of the target."""
    visible = visible_columns(likeness, target, hidden)
    asked = (likeness.text[:, target] >= 0) & ~is_hit(likeness, target, visible)
    view = _view(likeness, visible, np.flatnonzero(asked & visible.any(axis=1)))
    row, opponent = np.nonzero(view.first)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a mean of nothing is NaN, as it should
        own = _of_target(likeness, view, target)
        features = {name: values[row] for name, values in own.items()}
        features |= _of_pair(likeness, view, target, own, row, opponent)
    annotation = view.rows[row]
    difference = likeness.rank[annotation, opponent] - likeness.rank[annotation, target]
    return Questions(
        names=tuple(features),
        features=np.column_stack(list(features.values())),
        annotation=annotation,
        opponent=opponent,
        makers=view.makers[row, opponent],
        outcome=np.sign(difference),
    )


def _view(likeness: Likeness, visible: Flags, rows: Codes) -> _View:
    seen = visible[rows]
    rank = likeness.rank[rows]
    both = seen[:, :, None] & seen[:, None, :]
    above = ((rank[:, :, None] < rank[:, None, :]) & both).sum(axis=2)
    ties = ((rank[:, :, None] == rank[:, None, :]) & both).sum(axis=2) - seen
    others = both.sum(axis=2) - seen
    quality = np.divide(above + ties / 2, others, out=np.full(seen.shape, 0.5), where=others > 0)
    text = likeness.text[rows]
    same = (text[:, :, None] == text[:, None, :]) & both
    first = seen & ~np.tril(same, -1).any(axis=2)
    return _View(rows, seen, np.where(seen, quality, 0), same.sum(axis=2).astype(float), first)


def _of_target(likeness: Likeness, view: _View, target: int) -> dict[str, Floats]:
    """Features of the unseen candidate among all visible ones."""
    rows, seen = view.rows, view.visible
    number = seen.sum(axis=1)
    edits = np.where(seen, likeness.edits[rows, target], np.nan)
    alike = np.where(seen, likeness.trigrams[rows, target], np.nan)
    others = np.where(seen, likeness.reference[rows], np.nan)
    between = likeness.trigrams[rows].copy()
    own = np.arange(seen.shape[1])
    between[:, own, own] = np.nan
    between = np.where(seen[:, :, None] & seen[:, None, :], between, np.nan)
    nearest = edits >= np.nanmax(edits, axis=1, keepdims=True) - 1e-6
    features = {
        "candidates": view.first.sum(axis=1) / number,
        "nearest": np.nanmax(edits, axis=1),
        "nearest_trigrams": np.nanmax(alike, axis=1),
        "likeness_to_all": np.nanmean(alike, axis=1),
        "edits_to_all": np.nanmean(edits, axis=1),
        "quality_of_nearest": (nearest * view.quality).sum(axis=1) / nearest.sum(axis=1),
        "nearest_systems": nearest.sum(axis=1) / number,
        "reference": likeness.reference[rows, target],
        "reference_beside_mean": likeness.reference[rows, target] - np.nanmean(others, axis=1),
        "reference_of_best": np.nanmax(others, axis=1),
        "length": likeness.length[rows, target],
        "length_beside_mean": likeness.length[rows, target]
        / np.nanmean(np.where(seen, likeness.length[rows], np.nan), axis=1),
        "agreement": np.nanmean(alike, axis=1) - np.nanmean(np.nanmean(between, axis=2), axis=1),
        "ties": _ties(likeness, view),
    }
    for power in NEARNESS:
        weight = np.where(seen, np.exp(power * (np.nan_to_num(edits) - 1)), 0)
        mean = (weight * view.quality).sum(axis=1) / weight.sum(axis=1)
        features[f"quality_of_like_{power:.0f}"] = mean
    features |= _of_parts(likeness.words, view, target, "words")
    return features | _of_parts(likeness.neighbours, view, target, "neighbours")


def _ties(likeness: Likeness, view: _View) -> Floats:
    """Share of ties between distinct candidates in each annotation."""
    rank = likeness.rank[view.rows]
    both = view.first[:, :, None] & view.first[:, None, :]
    tied = ((rank[:, :, None] == rank[:, None, :]) & both).sum(axis=(1, 2)) - view.first.sum(axis=1)
    pairs = both.sum(axis=(1, 2)) - view.first.sum(axis=1)
    share: Floats = np.divide(tied, pairs, out=np.zeros(len(rank)), where=pairs > 0)
    return share


def _quality_of_parts(shared: Flags, seen: Flags, quality: Floats) -> tuple[Floats, Floats]:
    """Number of visible systems with each part, and mean quality of their candidates; NaN without
    any.
    """
    having = shared & seen[:, None, :]
    number = having.sum(axis=2)
    total = np.einsum("rpc,rc->rp", having, quality)
    return number, np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)


def _of_parts(parts: Parts, view: _View, target: int, what: str) -> dict[str, Floats]:
    there = parts.there[view.rows, target]
    length = np.maximum(there.sum(axis=1), 1)
    number, quality = _quality_of_parts(parts.shared[view.rows, target], view.visible, view.quality)
    quality = np.where(there, quality, np.nan)
    begins = parts.begins_in_reference[view.rows, target] & there
    return {
        f"new_{what}": ((number == 0) & there).sum(axis=1) / length,
        f"makers_of_{what}": (number * there).sum(axis=1) / length / view.visible.sum(axis=1),
        f"quality_of_{what}": np.nanmean(quality, axis=1),
        f"quality_of_worst_{what}": np.nanmin(quality, axis=1),
        f"{what}_in_reference": (parts.in_reference[view.rows, target] & there).sum(axis=1)
        / length,
        f"{what}_begin_in_reference": begins.sum(axis=1) / length,
        f"new_{what}_in_reference": (begins & (number == 0)).sum(axis=1) / length,
    }


def _of_pair(
    likeness: Likeness,
    view: _View,
    target: int,
    own: dict[str, Floats],
    row: Codes,
    opponent: Codes,
) -> dict[str, Floats]:
    """Features of the ranked candidate, and of both candidates together."""
    annotation = view.rows[row]
    alike = np.where(view.visible, likeness.trigrams[view.rows, target], np.nan)
    to_all = np.where(view.visible[row], likeness.trigrams[annotation, opponent], np.nan)
    to_all[np.arange(len(row)), opponent] = np.nan
    reference = likeness.reference[annotation, target] - likeness.reference[annotation, opponent]
    features = {
        "its_quality": view.quality[row, opponent],
        "its_makers": view.makers[row, opponent] / view.visible.sum(axis=1)[row],
        "likeness": alike[row, opponent],
        "edits": likeness.edits[annotation, target, opponent],
        "more_of_reference": reference,
        "more_like_all": own["likeness_to_all"][row] - np.nanmean(to_all, axis=1),
        "longer": likeness.length[annotation, target] - likeness.length[annotation, opponent],
    }
    for parts, what in ((likeness.words, "words"), (likeness.neighbours, "neighbours")):
        there = parts.there[annotation, opponent]
        share = (parts.in_reference[annotation, opponent] & there).sum(axis=1)
        share = share / np.maximum(there.sum(axis=1), 1)
        features[f"more_{what}_in_reference"] = own[f"{what}_in_reference"][row] - share
    for one, other, what in ((target, opponent, "own"), (opponent, target, "its")):
        features |= _only_in_one(likeness.words, view, row, one, other, what)
    return features


def _only_in_one(
    words: Parts, view: _View, row: Codes, one: int | Codes, other: int | Codes, what: str
) -> dict[str, Floats]:
    """Features of words that occur in only one of the candidates."""
    annotation = view.rows[row]
    shared = words.shared[annotation, one]
    not_there = ~shared[np.arange(len(row)), :, other]
    only = words.there[annotation, one] & not_there
    number, quality = _quality_of_parts(shared, view.visible[row], view.quality[row])
    single = 0 if what == "own" else 1  # the ranked candidate itself has its words
    begins = (words.begins_in_reference[annotation, one] & only).sum(axis=1)
    return {
        f"quality_of_{what}_words": np.nanmean(np.where(only, quality, np.nan), axis=1),
        f"{what}_words": only.sum(axis=1).astype(float),
        f"{what}_words_of_nobody": (only & (number <= single)).sum(axis=1).astype(float),
        f"{what}_words_in_reference": begins / np.maximum(only.sum(axis=1), 1),
    }
