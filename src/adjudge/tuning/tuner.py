"""Interface of tuners: from a pool of candidates to weights, one module each in `tuners/`."""

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
    """Weights with notes on the search."""

    weights: Floats
    note: str


@dataclass(frozen=True)
class Tuner(ABC):
    """Named tuning algorithm."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]

    @abstractmethod
    def tune(
        self, pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine
    ) -> Outcome:
        """Tune weights on this pool, starting from these; `how` provides the seed."""


TUNERS = Registry("adjudge.tuning.tuners", "TUNER", Tuner, "tuner")  # type: ignore[type-abstract]


def sentence_gains(pool: Pool) -> Floats:
    """Objective of every candidate as a corpus of one sentence.

    BLEU adds one n-gram to every order but the first (Lin and Och 2004), since most sentences have
    some order without a match.
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
