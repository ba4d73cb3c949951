"""Notes on what limits a ranking, printed below it."""

from collections.abc import Mapping, Sequence

import numpy as np

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.participants import listed
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Unit, plural

WIDER = 16 / 9  # worth saying: a variance that makes intervals a third wider
SOURCES: tuple[Unit, ...] = ("judge", "segment", "document")  # of what rankings share
CLONES_TIE = 0.95  # of their comparisons
CLONES_MEET = 20  # comparisons at least


def ties_note(counts: WinCounts) -> list[str]:
    """Note on systems whose comparisons were all ties."""
    decided = counts.wins + counts.wins.T
    tied = [system for system, wins in zip(counts.systems, decided, strict=True) if not wins.any()]
    return [f"Every comparison of {listed(tied)} is a tie."] if tied else []


def unheld_note(unit: Unit, effects: Mapping[Unit, float]) -> list[str]:
    """Note on the dependence that the intervals of a unit ignore, if it matters."""
    if unit not in effects:
        return []
    others = [
        other
        for other in SOURCES
        if other in effects and other not in unit and effects[other] > WIDER * effects[unit]
    ]
    if not others:
        return []
    numbers = ", ".join(f"{other} {effects[other]:.1f}" for other in others)
    names = " or ".join(plural(other) for other in others)
    return [
        f"These intervals do not hold for other {names}: the design effects ({numbers}) are "
        f'larger than that of the {plural(unit)} drawn ({effects[unit]:.1f}). `unit="auto"` '
        "takes them into account."
    ]


def clones_note(counts: WinCounts, systems: Sequence[str], rank: Ranks) -> list[str]:
    """Note on systems that nearly always tie with each other and yet differ in rank."""
    place = {system: int(r) for system, r in zip(systems, rank, strict=True)}
    met = counts.comparisons
    notes = []
    for i, j in zip(*np.nonzero(np.triu(met >= CLONES_MEET, 1)), strict=True):
        a, b = counts.systems[i], counts.systems[j]
        share = counts.ties[i, j] / met[i, j]
        first, last = sorted((place[a], place[b]))
        if share > CLONES_TIE and first > 0 and last - first > 1:
            notes.append(
                f"{a} and {b} tie in {share:.0%} of their {met[i, j]:,} comparisons, yet have "
                f"ranks {place[a]} and {place[b]}: the few that are decided weigh as much as all "
                "those with another system."
            )
    return notes
