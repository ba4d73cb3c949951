"""Result of tuning: weights, scores before and after, with intervals.

Intervals come from a bootstrap of sentences, the same ones before and after. On the tuning
sentences they show the variability of the score of these weights, not the overfitting; held-out
sentences show that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter, within
from adjudge.core.files.output import open_output
from adjudge.core.parallel import Engine
from adjudge.stats.bootstrap import bootstrap
from adjudge.stats.resampling import Resampling, generator, units_of
from adjudge.stats.tests import interval
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.line_trace import TracedLine, trace
from adjudge.tuning.objective import Objective
from adjudge.tuning.pool import Pool, refuse_useless
from adjudge.tuning.search import Search, allowed, spreads
from adjudge.tuning.segranks import hit_rate
from adjudge.tuning.tuner import Tuner
from adjudge.tuning.weights import Limits, write_weights

_HOLDING_OUT = 1 << 41  # the number of the generator that draws sentences to hold out


@dataclass(frozen=True)
class Reached:
    """Objective on some sentences, before and after; for a single error, lower is better."""

    part: str  # "development" or "test"
    sentences: int
    candidates: int
    before: float
    before_low: float
    before_high: float
    score: float
    low: float
    high: float
    difference: float  # score − before
    difference_low: float
    difference_high: float
    hit_rate_before: float | None = None  # of ranked segments, where any are tuned towards
    hit_rate: float | None = None


@dataclass(frozen=True, eq=False)
class Tuned:
    """Weights by one tuner, and their results."""

    tuner: Tuner
    objective: Objective
    resampling: Resampling
    names: tuple[str, ...]  # of features
    start: Floats | None  # weights before; None: before are the first candidates of the list
    weights: Floats
    reached: tuple[Reached, ...]
    notes: tuple[str, ...]
    chosen: tuple[str, ...]  # texts of all sentences, where they are known
    pool: Pool  # what was tuned on

    @cached_property
    def line(self) -> TracedLine:
        """Trace of a line search near the weights."""
        return trace(self.pool, self.weights)

    def write_weights(self, path: str) -> None:
        """Write the weights in a format that can serve as a start."""
        write_weights(path, self.names, self.weights)

    def write_chosen(self, path: str) -> None:
        """Write the texts that the weights choose, one line per sentence."""
        if not self.chosen:
            raise BadParameter("the lists have no texts; features alone choose none")
        with open_output(path) as stream:
            stream.write("".join(f"{text}\n" for text in self.chosen).encode())

    def to_frame(self) -> pl.DataFrame:
        """Return one row per feature."""
        start = [None] * len(self.names) if self.start is None else self.start.tolist()
        return pl.DataFrame(
            {
                "tuner": [self.tuner.name] * len(self.names),
                "feature": self.names,
                "start": start,
                "weight": self.weights,
            },
            schema_overrides={"start": pl.Float64},
        )


def tune(
    pool: Pool,
    start: Floats | None,
    tuners: Sequence[Tuner],
    how: Search,
    limits: Limits,
    resampling: Resampling,
    hold_out: float = 0.0,
    engine: Engine | None = None,
) -> list[Tuned]:
    """Tune on all sentences, or on those not held out, and evaluate the result.

    Without a `start`, the baseline is the first candidate of every sentence: that of the first
    list, whose position merging preserves.
    """
    development, test = halves(pool.sentences, hold_out, how.seed)
    own = pool if test is None else pool.part(development)
    refuse_useless(own)
    begin = begin_at(own, start, limits)
    parts = [("development", development)] + ([] if test is None else [("test", test)])
    before = pool.starts[:-1] if start is None else pool.chosen(start)
    results = []
    for tuner in tuners:
        outcome = tuner.tune(own, begin, how, limits, engine or Engine())
        after = pool.chosen(outcome.weights)
        reached = tuple(
            reached_on(pool, before, after, sentences, name, resampling)
            for name, sentences in parts
        )
        texts = tuple(pool.texts[place] for place in after) if pool.texts else ()
        results.append(
            Tuned(
                tuner,
                pool.objective,
                resampling,
                pool.names,
                start,
                outcome.weights,
                reached,
                (outcome.note,),
                texts,
                own,
            )
        )
    return results


def halves(sentences: int, hold_out: float, seed: int) -> tuple[Numbers, Numbers | None]:
    """Split into sentences to tune on and held-out ones, each in order."""
    within(hold_out, "hold_out", 0, 1)
    number = round(hold_out * sentences)
    if hold_out == 0:
        return np.arange(sentences), None
    if number < 2 or sentences - number < 2:
        raise BadParameter(
            f"`hold_out` of {hold_out:g} leaves {sentences - number} of {sentences} sentences to "
            f"tune on and {number} to test; both need two or more"
        )
    drawn = generator(seed, _HOLDING_OUT).permutation(sentences)
    return np.sort(drawn[number:]), np.sort(drawn[:number])


def begin_at(pool: Pool, start: Floats | None, limits: Limits) -> Floats:
    """Starting point: the given weights, or equal influence of all features."""
    if start is None:
        same = 1 / spreads(pool)
        return allowed(same, same, limits)
    for name, weight, low, high in zip(pool.names, start, limits.low, limits.high, strict=True):
        if not low <= weight <= high:
            sign = "positive" if low == 0 else "negative"
            raise BadParameter(f"`weights`: that of {name} is {weight:g}, but it shall be `{sign}`")
    return start


def reached_on(
    pool: Pool,
    before: Numbers,
    after: Numbers,
    sentences: Numbers,
    part: str,
    resampling: Resampling,
) -> Reached:
    """Evaluate these candidates on these sentences, with a bootstrap."""
    counts = [pool.statistics[chosen[sentences]] for chosen in (before, after)]
    candidates = int(np.diff(pool.starts)[sentences].sum())
    return reached_by(counts[0], counts[1], pool.objective, part, candidates, resampling)


def reached_by(
    before: Floats,
    after: Floats,
    objective: Objective,
    part: str,
    candidates: int,
    resampling: Resampling,
) -> Reached:
    """Evaluate from the statistics of the chosen candidates."""
    statistics = np.stack([before, after], axis=1)
    number, _, width = statistics.shape

    def values(sums: Floats) -> Floats:
        return objective.shown(objective.values(sums.reshape(*sums.shape[:-1], 2, width)))

    units = (units_of(np.arange(number), "segment"),) if number > 1 else ()
    drawn = bootstrap(statistics.reshape(number, -1), values, units, resampling)
    low, high = drawn.interval()
    gap = drawn.replicates[:, 1:] - drawn.replicates[:, :1]
    difference = drawn.estimate[1:] - drawn.estimate[:1]
    gap_low, gap_high = interval(difference, gap, drawn.effective_number, resampling.level)
    return Reached(
        part,
        number,
        candidates,
        float(drawn.estimate[0]),
        float(low[0]),
        float(high[0]),
        float(drawn.estimate[1]),
        float(low[1]),
        float(high[1]),
        float(difference[0]),
        float(gap_low[0]),
        float(gap_high[0]),
        hit_rate(before, objective),
        hit_rate(after, objective),
    )
