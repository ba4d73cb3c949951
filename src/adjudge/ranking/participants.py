"""Participants of a ranking, and whether the comparisons connect them."""

from dataclasses import replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import Comparisons
from adjudge.data.judgement_table import is_reference
from adjudge.data.votes.cells import Cells, Judged
from adjudge.data.win_counts import count

T = TypeVar("T", bound=Comparisons | Cells)

LONGEST_LIST = 6


def participants(comparisons: T, reference: bool) -> T:
    """Restrict the comparisons to the participants: with or without the reference.

    Refuses a campaign that cannot order them: a single system, a system never compared, groups of
    systems never compared with each other.
    """
    if not reference:
        comparisons = without_reference(comparisons)
    systems = comparisons.systems
    if len(systems) < 2:
        raise NotEnoughData(
            f"{comparisons.pair}: {len(systems) or 'no'} system besides the reference; "
            "a ranking needs two or more"
        )
    met = count(comparisons).comparisons
    if not met.any(axis=1).all():
        alone = [system for system, others in zip(systems, met, strict=True) if not others.any()]
        raise NotEnoughData(
            f"{comparisons.pair}: never compared with another system: {listed(alone)}; "
            "leave it out with `without_system`"
        )
    group = _groups(met)
    if group.any():
        groups = [
            listed([system for system, g in zip(systems, group, strict=True) if g == which])
            for which in np.unique(group)
        ]
        raise NotEnoughData(
            f"{comparisons.pair}: {len(groups)} groups of systems were never compared with "
            f"each other: {' | '.join(groups)}; rank each by itself with `system`, or judge them "
            "together"
        )
    return comparisons


def without_reference(comparisons: T) -> T:
    """Remove the reference from the comparisons and their vocabulary."""
    return among(comparisons, np.array([not is_reference(s) for s in comparisons.systems], bool))


def among(comparisons: T, kept: NDArray[np.bool_]) -> T:
    """Restrict comparisons and vocabulary to the systems kept."""
    if kept.all():
        return comparisons
    if isinstance(comparisons, Cells):
        return cast(T, comparisons.among(kept))
    part = comparisons.where(kept[comparisons.left] & kept[comparisons.right])
    code = (np.cumsum(kept) - 1).astype(np.int32)
    names = tuple(s for s, keep in zip(comparisons.systems, kept, strict=True) if keep)
    part = replace(part, left=code[part.left], right=code[part.right], systems=names)
    return cast(T, part)


def connected(comparisons: Judged) -> bool:
    """Test whether two or more systems are all connected by comparisons."""
    if len(comparisons.systems) < 2:
        return False
    return not _groups(count(comparisons).comparisons).any()


def _groups(met: NDArray[np.generic]) -> NDArray[np.int64]:
    """First system of the connected component of each system."""
    linked = (met != 0) | np.eye(len(met), dtype=bool)
    first = np.arange(len(met))
    while True:
        lower = np.where(linked, first, len(met)).min(axis=1)
        if (lower == first).all():
            return first
        first = lower


def listed(names: list[str]) -> str:
    """List a few names, and the number of the others."""
    more = len(names) - LONGEST_LIST
    return ", ".join(names[:LONGEST_LIST]) + (f" and {more} more" if more > 0 else "")
