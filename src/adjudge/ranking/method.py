"""What a ranking method is, and the estimate every method gives.

A module of `methods/` takes part by defining `METHOD` (one method or a tuple of them).
Higher scores are better everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import WinCounts
from adjudge.parallel import Engine
from adjudge.ranking.counting.blocks import BlockCounts
from adjudge.registry import Registry
from adjudge.statistics.resampling import Resampling

Scores = NDArray[np.float64]  # (…, systems)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Scores of the systems, and the same in every replicate."""

    systems: tuple[str, ...]
    scores: Scores  # (systems,)
    replicates: Scores  # (replicates, systems)


@dataclass(frozen=True)
class Method:
    """One published way to order systems."""

    name: str
    summary: str  # the formula, in a line
    paper: str
    ties: str  # what it does with ties
    reference: bool  # does the human reference take part as a system?
    aliases: tuple[str, ...] = field(default=(), kw_only=True)  # names it had before


@dataclass(frozen=True)
class CountMethod(Method):
    """A method that needs only win counts; it scores all replicates in one call.

    `scores` maps counts of shape (…, systems, systems) to scores of shape (…, systems).
    """

    scores: Callable[[WinCounts], Scores]


@dataclass(frozen=True)
class BlockMethod(Method):
    """A method that scores whole rankings; it too scores all replicates in one call.

    `scores` maps block counts of shape (…, systems) to scores of the same shape.
    """

    scores: Callable[[BlockCounts], Scores]


@dataclass(frozen=True)
class RefitMethod(Method):
    """A method that needs the comparisons themselves; every replicate is a fit of its own."""

    estimate: Callable[[Comparisons, Resampling, Engine], Estimate]


METHODS = Registry("adjudge.ranking.methods", "METHOD", Method, "method")


def method_named(method: "Method | str") -> Method:
    """The method of that name, or the method itself; a wrong name is an error."""
    return method if isinstance(method, Method) else METHODS.named(method)
