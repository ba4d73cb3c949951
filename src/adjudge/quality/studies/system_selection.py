"""System selection: gain from a model that picks one of several translations of a source.

In every ranking the candidate with the best predicted score is picked. It is assessed by its human
rank, and by the share of other candidates that it beats (a tie is half a win). It is compared with
every single system, in its own rankings, with a random candidate, and with the best one by human
rank (oracle). Candidates that people gave no rank, or made themselves, are left out.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.quality.evaluation.system_ranking import observation_units
from adjudge.quality.studies.held_out import Estimate, HeldOut, Rows, estimates_of
from adjudge.quality.studies.held_out_ranks import HeldOutRanks
from adjudge.stats.bootstrap import bootstrap
from adjudge.stats.resampling import Floats, Resampling, Units

MODEL, ORACLE, RANDOM = "the model's pick", "the best by people", "one at random"


@dataclass(frozen=True)
class Choice:
    """Strategy of choice, and its quality."""

    name: str
    role: str  # model, system, random or oracle
    rankings: int  # that it takes part in
    wins: Estimate  # share of the other candidates that it beats
    rank: Estimate  # mean rank
    gain: Estimate | None  # what the model's pick has more in wins, in the same rankings


@dataclass(frozen=True, eq=False)
class Picking:
    """Model's pick, single systems from best to worst, a random one, the best."""

    choices: tuple[Choice, ...]
    rankings: int
    resampling: Resampling

    def to_frame(self) -> pl.DataFrame:
        """Return one row per strategy."""
        rows = []
        for choice in self.choices:
            gain = choice.gain or Estimate(np.nan, np.nan, np.nan)
            rows.append(
                {
                    "study": "picking",
                    "choice": choice.name,
                    "role": choice.role,
                    "rankings": choice.rankings,
                    "wins": choice.wins.value,
                    "wins_low": choice.wins.low,
                    "wins_high": choice.wins.high,
                    "rank": choice.rank.value,
                    "rank_low": choice.rank.low,
                    "rank_high": choice.rank.high,
                    "gain": gain.value,
                    "gain_low": gain.low,
                    "gain_high": gain.high,
                }
            )
        return pl.DataFrame(rows)


def picking(held_out: HeldOut) -> Picking:
    """Evaluate the picks of a model of ranks."""
    if not isinstance(held_out, HeldOutRanks):
        raise NotEnoughData("only ranks say which of several translations to take")
    task = held_out.ranked
    ranked = held_out.choosable
    known = np.flatnonzero(ranked & (np.bincount(task.ranking, ranked)[task.ranking] > 1))
    if not len(known):
        raise NotEnoughData("no ranking has two candidates with a rank, so nothing can be picked")
    gold, score = task.gold[known], held_out.score[known]
    different, place = np.unique(task.ranking[known], return_inverse=True)
    start = np.searchsorted(place, np.arange(len(different) + 1))
    wins = _wins(gold, start)
    row = known[start[:-1]]
    units, resampling = observation_units(task.table, row, held_out.resampling)
    names = task.table["system"].to_list()
    systems = [names[at] for at in known]
    per_ranking = [
        (MODEL, "model", *_best(score, wins, gold, start)),
        *(
            (name, "system", *_of_system(name, systems, wins, gold, place, len(different)))
            for name in dict.fromkeys(systems)
            if name is not None
        ),
        (RANDOM, "random", *_means(wins, gold, place, len(different))),
        (ORACLE, "oracle", *_best(-gold, wins, gold, start)),
    ]
    picked = per_ranking[0][2]
    choices = [
        _choice(name, role, own, rank, picked, units, resampling)
        for name, role, own, rank in per_ranking
    ]
    systems_first = sorted(
        (choice for choice in choices if choice.role == "system"),
        key=lambda choice: -choice.wins.value,
    )
    ordered = (choices[0], *systems_first, *choices[-2:])
    return Picking(ordered, len(different), resampling)


def _wins(gold: Floats, start: Rows) -> Floats:
    """Share of the others in its ranking that each candidate beats."""
    wins = np.empty(len(gold))
    for begin, end in pairwise(start):
        own = gold[begin:end]
        beaten = (own[:, None] < own).sum(axis=1) + 0.5 * ((own[:, None] == own).sum(axis=1) - 1)
        wins[begin:end] = beaten / (len(own) - 1)
    return wins


def _best(by: Floats, wins: Floats, gold: Floats, start: Rows) -> tuple[Floats, Floats]:
    """Wins and rank of the highest candidate in every ranking, averaged over ties."""
    own, rank = np.empty(len(start) - 1), np.empty(len(start) - 1)
    for place, (begin, end) in enumerate(pairwise(start)):
        top = by[begin:end] == by[begin:end].max()
        own[place], rank[place] = wins[begin:end][top].mean(), gold[begin:end][top].mean()
    return own, rank


def _of_system(
    name: str, systems: list[str | None], wins: Floats, gold: Floats, place: Rows, number: int
) -> tuple[Floats, Floats]:
    """Wins and rank of a system in every ranking; NaN if absent, the mean if it occurs twice."""
    own = np.array([system == name for system in systems])
    return _means(wins[own], gold[own], place[own], number)


def _means(wins: Floats, gold: Floats, place: Rows, number: int) -> tuple[Floats, Floats]:
    times = np.bincount(place, minlength=number).astype(np.float64)
    times[times == 0] = np.nan
    return tuple(np.bincount(place, each, number) / times for each in (wins, gold))  # type: ignore[return-value]


def _choice(
    name: str,
    role: str,
    wins: Floats,
    rank: Floats,
    picked: Floats,
    units: Units | None,
    resampling: Resampling,
) -> Choice:
    there = np.isfinite(wins)
    columns = [there, *(np.where(there, each, 0) for each in (wins, rank, picked - wins))]

    def means(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[..., 1:] / sums[..., :1])

    drawn = bootstrap(
        np.column_stack(columns).astype(np.float64),
        means,
        () if units is None else (units,),
        resampling,
    )
    won, ranked, gain = estimates_of(drawn)
    return Choice(name, role, int(there.sum()), won, ranked, None if role == "model" else gain)
