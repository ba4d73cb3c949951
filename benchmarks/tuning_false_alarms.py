"""How often `adjudge tune-variance` calls a difference beyond chance where there is none.

Candidates have a quality that nobody sees, features that hint at it, and three scores that are each
the quality with noise of their own. Tuned towards the first or the second, the best weights are the
same, so any difference by the third is chance. Prints the share of simulated lists with a false
alarm, and beside the width of intervals the one that differences would have needed.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from adjudge.stats.resampling import Resampling
from adjudge.tuning.goals import Goal
from adjudge.tuning.objective import interpolated, tunable
from adjudge.tuning.pool import Pool
from adjudge.tuning.run_spread import GoalDifference, TuningVariance
from adjudge.tuning.search import Search
from adjudge.tuning.tuner import TUNERS
from adjudge.tuning.variance import Extent, run_all
from adjudge.tuning.weights import unlimited

LISTS = 200
SEEDS = 2
CANDIDATES = 8
NAMES = ("hint", "weaker hint", "nothing", "length")


def simulated(sentences: int, seed: int) -> tuple[Pool, list[Goal]]:
    """A pool whose statistics are three scores of every candidate."""
    random = np.random.default_rng(seed)
    number = sentences * CANDIDATES
    quality = random.normal(size=number)
    hints = np.array([1.0, 0.5, 0.0, -0.3])
    features = quality[:, None] * hints + random.normal(size=(number, len(NAMES)))
    columns = []
    goals = []
    for k, name in enumerate(("first", "second", "third")):
        columns += [quality + random.normal(size=number), np.ones(number)]
        objective = interpolated([tunable(f"scores:{name}")], [2])
        goals.append(Goal(name, objective, 2 * k, 2 * k + 2))
    starts = np.arange(0, number + 1, CANDIDATES)
    return Pool(NAMES, starts, features, np.column_stack(columns), goals[0].objective), goals


def main() -> None:
    """Print shares of false alarms."""
    for sentences in (60, 200):
        found = [_difference(sentences, seed) for seed in range(LISTS)]
        alarms = 100 * np.mean([each.beyond_chance != "no" for each in found])
        width = np.mean([each.mean_high - each.mean_low for each in found]) / 2
        needed = 1.96 * np.sqrt(np.mean([each.spread.value**2 for each in found]))
        print(
            f"{sentences} sentences: called beyond chance in {alarms:.1f} % of {LISTS} lists, and "
            f"nothing differs; intervals are ± {width:.3f}, ± {needed:.3f} would do",
            flush=True,
        )


def _difference(sentences: int, seed: int) -> GoalDifference:
    """The two goals by the third score."""
    pool, goals = simulated(sentences, seed)
    runs = run_all(
        pool,
        goals[:2],
        goals,
        None,
        TUNERS.named("mert"),
        Search(restarts=3, rounds=0),
        unlimited(len(NAMES)),
        Extent(sets=40, seeds=SEEDS),
        0.5,
        Resampling("segment", 50, seed, 0.95),
    )
    return next(each for each in TuningVariance(runs).differences if each.measure == "third")
