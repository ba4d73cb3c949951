"""Interfaces of ranking methods, and the estimate that every method returns.

A module of `methods/` takes part by defining `METHOD` (one method or a tuple of them).
Higher scores are better everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.core.parallel import Engine
from adjudge.core.registry import Registry
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.blocks import BlockCounts
from adjudge.ranking.counting.cells import Tally
from adjudge.ranking.counting.influence import Influence
from adjudge.stats.resampling import Resampling
from adjudge.stats.uncertainty import Scale

Scores = NDArray[np.float64]  # (…, systems)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Scores of the systems, and their replicates."""

    systems: tuple[str, ...]
    scores: Scores  # (systems,)
    replicates: Scores  # (replicates, systems)


@dataclass(frozen=True)
class Method:
    """Published method to rank systems."""

    name: str
    summary: str  # the formula, in a line
    paper: str
    ties: str  # what it does with ties
    reference: bool  # does the human reference take part as a system?
    aliases: tuple[str, ...] = field(default=(), kw_only=True)  # names it had before
    needs: tuple[str, ...] = field(default=(), kw_only=True)  # columns, such as "judge"
    needs_wins: bool = field(default=False, kw_only=True)  # it refuses where all are ties
    random: bool = field(default=False, kw_only=True)  # scores are means over random runs
    # A prior, or a step that depends on the number of comparisons: where there are few, every
    # judgement given twice moves the scores.
    size_matters: bool = field(default=False, kw_only=True)
    scale: Scale = field(default="strength", kw_only=True)  # a share is between 0 and 1
    # Do scores change little where counts change little? Else only resampling finds their spread.
    smooth: bool = field(default=True, kw_only=True)


# How every kind of event moves the scores, where that is known in closed form.
EventInfluence = Callable[[Tally[Any], WinCounts], Influence]


@dataclass(frozen=True)
class CountMethod(Method):
    """Method based on win counts; it scores all replicates in one call.

    `scores` maps counts of shape (…, systems, systems) to scores of shape (…, systems).
    """

    scores: Callable[[WinCounts], Scores]
    influence: EventInfluence | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class BlockMethod(Method):
    """Method based on block counts; it scores all replicates in one call.

    `scores` maps block counts of shape (…, systems) to scores of the same shape.
    """

    scores: Callable[[BlockCounts], Scores]
    influence: EventInfluence | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class RefitMethod(Method):
    """Method based on the comparisons themselves, refitted in every replicate."""

    estimate: Callable[[Any, Resampling, Engine], Estimate]  # of `Judged` where it counts
    counts: bool = field(default=False, kw_only=True)  # are win counts all that it needs?


METHODS = Registry("adjudge.ranking.methods", "METHOD", Method, "method")


def method_named(method: "Method | str") -> Method:
    """Return the method of that name, or the method itself; raise an error for an unknown name."""
    return method if isinstance(method, Method) else METHODS.named(method)
