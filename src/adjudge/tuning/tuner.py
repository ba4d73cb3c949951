"""What a tuner is: a way from a pool of candidates to weights. One module each in `tuners/`."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from adjudge.core.parallel import Engine
from adjudge.core.registry import Registry
from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.tuning.candidates import Floats
from adjudge.tuning.pool import Pool
from adjudge.tuning.search import Search
from adjudge.tuning.weights import Limits


@dataclass(frozen=True, eq=False)
class Outcome:
    """Weights, and what there is to say about how they were found."""

    weights: Floats
    note: str


@dataclass(frozen=True)
class Tuner(ABC):
    """One way to weights."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]

    @abstractmethod
    def tune(
        self, pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine
    ) -> Outcome:
        """Weights for this pool, from these; `how` has the seed for whoever draws."""


TUNERS = Registry("adjudge.tuning.tuners", "TUNER", Tuner, "tuner")  # type: ignore[type-abstract]


def sentence_gains(pool: Pool) -> Floats:
    """How good every candidate is by itself: the objective of a corpus of one.

    BLEU counts one more n-gram of every order but the first (Lin and Och 2004), for of most
    sentences some order has no match.
    """
    gains = np.zeros(len(pool))
    for term in pool.objective.terms:
        own = pool.statistics[:, term.first : term.end]
        metric = term.metric
        if isinstance(metric, Bleu):
            metric = replace(metric, smooth="add-k", value=1.0, effective="yes")
        value = metric.segment_values(own)
        gains += term.share * (value if metric.higher_is_better else 100 - value)
    return gains
