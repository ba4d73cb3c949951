"""The loop of a decoder and a tuner (Och 2003; Macháček 2014 §3.3).

    weights → decoder → n-best list → merged with all lists before → tuner → weights → …

A list shows only what is good by the weights that made it. Weights that are the best on it may be
bad ones elsewhere, and the decoder goes there: its score dives. So all lists are merged, the
weights of all iterations are starting points of the next search, and what is returned are the
weights with the best decoded score, not the last ones.

The loop ends when a list has no candidate that was not there before, when the tuner comes back to
weights that were decoded, or after so many iterations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from adjudge.core.files.output import open_output
from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.metrics.metric import References
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.intervals import interval
from adjudge.stats.resampling import Resampling
from adjudge.stats.units import units_of
from adjudge.tuning.candidates import Candidates, Floats
from adjudge.tuning.objective import Objective
from adjudge.tuning.segranks import hit_rate
from adjudge.tuning.tuner import Tuner
from adjudge.tuning.tuning_result import Reached
from adjudge.tuning.weights_file import write_weights

BLEU = Bleu()

Ended = Literal["nothing new", "converged", "iterations"]


@dataclass(frozen=True, eq=False)
class Iteration:
    """One turn: what the decoder was given, and what it made of it."""

    number: int  # from 1
    weights: Floats  # that the decoder had
    promised: float | None  # what they reached on the lists before; None: they are the first
    candidates: int  # that the decoder printed
    new: int  # of them, not in any list before
    pool: int  # candidates of all lists so far, merged
    score: float  # of what was decoded, the first candidates of the list
    low: float
    high: float
    difference: float | None  # from the best one decoded before; None: there is none
    difference_low: float | None
    difference_high: float | None
    dive: bool = False  # worse than the best one before beyond chance
    hit_rate: float | None = None  # of ranked segments in what was decoded, where tuned towards
    list_hit_rate: float | None = None  # in the whole list (Figure 3.5)
    bleu: float | None = None  # of what was decoded, where something else is tuned towards
    bleu_low: float | None = None
    bleu_high: float | None = None


@dataclass(frozen=True, eq=False)
class Loop:
    """All iterations, and which weights are to be taken."""

    tuner: Tuner
    objective: Objective
    resampling: Resampling
    names: tuple[str, ...]  # of features
    iterations: tuple[Iteration, ...]
    best: Iteration  # with the best decoded score
    ended: Ended
    reached: tuple[Reached, ...]  # the first weights and the best ones, decoded
    chosen: tuple[str, ...]  # what the decoder made with the best weights

    @property
    def start(self) -> Floats:
        """The weights before."""
        return self.iterations[0].weights

    @property
    def weights(self) -> Floats:
        """Those with the best decoded score."""
        return self.best.weights

    def write_weights(self, path: str) -> None:
        """Write the best weights, so that the decoder can take them."""
        write_weights(path, self.names, self.weights)

    def write_chosen(self, path: str) -> None:
        """Write what the decoder made with the best weights, a line a sentence."""
        with open_output(path) as stream:
            stream.write("".join(f"{text}\n" for text in self.chosen).encode())

    def to_frame(self) -> pl.DataFrame:
        """One row an iteration."""
        return pl.DataFrame([row_of(each, self.names) for each in self.iterations])


def row_of(iteration: Iteration, names: Sequence[str]) -> dict[str, object]:
    """An iteration as a row: its weights by the names of features."""
    row = {name: value for name, value in vars(iteration).items() if name != "weights"}
    return row | {f"weight {n}": w for n, w in zip(names, iteration.weights.tolist(), strict=True)}


@dataclass(frozen=True, eq=False)
class Turn:
    """An iteration as it is worked out."""

    weights: Floats
    candidates: Candidates  # the list of the decoder
    counts: Floats  # its statistics
    promised: float | None  # the objective of these weights on the lists before
    new: int  # candidates that were in none of them
    pool: int  # candidates of all lists so far, merged
    bleu: Floats | None = None  # statistics of BLEU of what was decoded, unless it is tuned towards

    @property
    def decoded(self) -> Floats:
        """The statistics of the first candidates."""
        return np.asarray(self.counts[self.candidates.starts[:-1]])


def bleu_besides(
    candidates: Candidates, objective: Objective, references: References
) -> Floats | None:
    """What BLEU counts in what was decoded, unless it is tuned towards or there is no reference."""
    if isinstance(objective.single, Bleu) or not references:
        return None
    return BLEU.statistics(references)(candidates.first_texts)


def iterations_of(
    turns: Sequence[Turn], objective: Objective, resampling: Resampling
) -> tuple[Iteration, ...]:
    """What came out of every turn; all are drawn again with the same sentences."""
    decoded = np.stack([turn.decoded for turn in turns], axis=1)
    drawn = _drawn(decoded, lambda sums: objective.shown(objective.values(sums)), resampling)
    low, high = drawn.interval()
    gains = objective.values(decoded.sum(axis=0))
    bleus = _bleus([turn.bleu for turn in turns], resampling)
    rows = []
    for k, turn in enumerate(turns):
        promised = None if turn.promised is None else objective.shown(np.asarray(turn.promised))
        difference = _difference(drawn, k, int(gains[:k].argmax())) if k > 0 else (None,) * 3
        rows.append(
            Iteration(
                k + 1,
                turn.weights,
                None if promised is None else float(promised),
                len(turn.candidates),
                turn.new,
                turn.pool,
                float(drawn.estimate[k]),
                float(low[k]),
                float(high[k]),
                *difference,
                hit_rate=hit_rate(turn.decoded, objective),
                list_hit_rate=hit_rate(turn.counts, objective),
                dive=_worse(difference, objective),
                **bleus[k],
            )
        )
    return tuple(rows)


def _drawn(
    statistics: Floats, values: Callable[[Floats], Floats], resampling: Resampling
) -> Bootstrapped:
    """The values of every turn, from statistics (sentences × turns × statistics)."""
    sentences, number, width = statistics.shape
    units = (units_of(np.arange(sentences), "segment"),) if sentences > 1 else ()
    return bootstrap(
        statistics.reshape(sentences, -1),
        lambda sums: values(sums.reshape(*sums.shape[:-1], number, width)),
        units,
        resampling,
    )


def _bleus(counted: Sequence[Floats | None], resampling: Resampling) -> list[dict[str, float]]:
    """BLEU of every turn with its interval, where it was counted besides."""
    known = [counts for counts in counted if counts is not None]
    if not known:
        return [{} for _ in counted]
    drawn = _drawn(np.stack(known, axis=1), BLEU.values, resampling)
    rows = zip(drawn.estimate, *drawn.interval(), strict=True)
    names = ("bleu", "bleu_low", "bleu_high")
    return [dict(zip(names, map(float, row), strict=True)) for row in rows]


_Difference = tuple[float | None, float | None, float | None]


def _difference(drawn: Bootstrapped, which: int, best: int) -> _Difference:
    """How far one value is from another, with its interval."""
    middle = drawn.estimate[[which]] - drawn.estimate[[best]]
    gap = drawn.replicates[:, [which]] - drawn.replicates[:, [best]]
    low, high = interval(middle, gap, drawn.effective_number, drawn.level)
    return float(middle[0]), float(low[0]), float(high[0])


def _worse(difference: _Difference, objective: Objective) -> bool:
    """Is it worse beyond chance?"""
    _, low, high = difference
    if low is None or high is None:
        return False
    return high < 0 if objective.higher_is_better else low > 0
