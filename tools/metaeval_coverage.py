#!/usr/bin/env python3
"""Do the intervals of `adjudge metaeval` hold? Simulated campaigns with a known answer say.

Twelve systems translate 50 documents of ten segments. Some segments are harder than others, some
systems suit a document better; a metric sees part of what people see, and likes some systems more
than people do. `main` prints the tables of docs/metaeval.md: the share of 95 % intervals that hold
what documents, judges or systems without number would give.

    tools/metaeval_coverage.py --campaigns 1000
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from scipy.stats import rankdata

from adjudge.api.reading import from_rankings as read_rankings
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, compare
from adjudge.metaeval.correlations import CORRELATIONS
from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.metaeval.human_scores import HumanScores, from_rankings
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.segment_coefficients import tau_named
from adjudge.metaeval.segment_level import segment_level, tau_level
from adjudge.metaeval.segment_statistics import Grouping, segment_value
from adjudge.metaeval.submission import Submission
from adjudge.metaeval.system_level import system_level
from adjudge.stats.resampling import Floats, Resampling, Unit

SYSTEMS, DOCUMENTS, SEGMENTS = 12, 50, 10
JUDGES, SHOWN, STEP = 20, 5, 0.5
NAMES = tuple(f"S{number:02d}" for number in range(SYSTEMS))
SPREAD = {"far apart": 1.0, "close": 0.3}  # of the best and the worst system
MANY = 200_000  # segments that stand for all there are

# Standard deviations: of a segment's difficulty, of how a document suits a system, of an output, of
# a judgement; what a metric sees of the first three, and what it adds.
DIFFICULTY, SUITS, OUTPUT, JUDGEMENT = 0.7, 0.2, 0.7, 0.5
LIKING = 0.1  # of a judge for a system
SEEN, ADDED = 0.6, 0.5


def qualities(spread: float) -> tuple[Floats, Floats]:
    """Of the systems: what people would find in the long run, and what the metric would."""
    quality = np.linspace(0, spread, SYSTEMS)
    likes = np.random.default_rng(5).normal(0, 0.15 * spread, SYSTEMS)
    return quality, quality + likes


def drawn_qualities(random: np.random.Generator, spread: float) -> tuple[Floats, Floats]:
    """The same of systems drawn from a population, in which the two correlate by 0.9."""
    both = random.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], SYSTEMS).T
    return both[0] * spread / 3.5, both[1] * spread / 3.5


@dataclass(frozen=True, eq=False)
class Outputs:
    """What is true of the outputs of all segments (systems × segments)."""

    document: np.ndarray
    people: Floats  # without the noise of a judge
    metric: Floats


def outputs(
    random: np.random.Generator, quality: Floats, liked: Floats, document: np.ndarray
) -> Outputs:
    """Texts drawn at random."""
    lines = len(document)
    hard = random.normal(0, DIFFICULTY, lines)
    suits = random.normal(0, SUITS, (SYSTEMS, int(document.max()) + 1))[:, document]
    own = suits + random.normal(0, OUTPUT, (SYSTEMS, lines))
    metric = liked[:, None] + SEEN * (hard + own) + random.normal(0, ADDED, own.shape)
    return Outputs(document, quality[:, None] + hard + own, metric)


def _documents() -> np.ndarray:
    return np.repeat(np.arange(DOCUMENTS), SEGMENTS)


def scored(random: np.random.Generator, quality: Floats, liked: Floats) -> MetricsTask:
    """Everybody's outputs, each scored once."""
    made = outputs(random, quality, liked, _documents())
    people = made.people + random.normal(0, JUDGEMENT, made.people.shape)
    segments = tuple(map(str, range(people.shape[1])))
    human = HumanScores(
        "xx-yy", "score", NAMES, people.mean(axis=1), segments, people, made.document
    )
    return MetricsTask(human, (_submission(made, segments),))


def _submission(made: Outputs, segments: tuple[str, ...]) -> Submission:
    return Submission("metric", "xx-yy", NAMES, made.metric.mean(axis=1), segments, made.metric)


def ranked(
    random: np.random.Generator, quality: Floats, liked: Floats
) -> tuple[Outputs, Comparisons]:
    """A ranking of five outputs of every segment by one of twenty judges."""
    made = outputs(random, quality, liked, _documents())
    lines = len(made.document)
    judge = random.integers(0, JUDGES, DOCUMENTS)[made.document]  # one judge for a document
    likes = random.normal(0, LIKING, (JUDGES, SYSTEMS)).T[:, judge]
    seen = made.people + likes + random.normal(0, JUDGEMENT, made.people.shape)
    shown = np.argsort(random.random(seen.shape), axis=0)[:SHOWN]
    rank = rankdata(-np.take_along_axis(_steps(seen), shown, axis=0), method="dense", axis=0)
    line = np.tile(np.arange(lines), SHOWN)
    frame = pl.DataFrame(
        {
            "pair": "xx-yy",
            "ranking": line + 1,
            "output": [NAMES[number] for number in shown.ravel()],
            "rank": rank.ravel().astype(np.int64),
            "segment": line.astype(str),
            "document": [f"d{number}" for number in made.document[line]],
            "judge": [f"j{number}" for number in judge[line]],
        }
    ).sort("ranking")
    return made, compare(read_rankings(frame).table)


def _steps(seen: Floats) -> Floats:
    """What a judge who ranks can tell apart."""
    return np.asarray(np.round(seen / STEP))


def _rankings_task(made: Outputs, comparisons: Comparisons, resampling: Resampling) -> MetricsTask:
    human = from_rankings(comparisons, "expected-wins", resampling, Engine()).among(NAMES)
    whole = _submission(made, tuple(map(str, range(made.metric.shape[1]))))
    return MetricsTask(human, (whole.among(NAMES, human.segments),))


# ---- what is true ----


@lru_cache
def _many(spread: float) -> tuple[Floats, Floats]:
    """People's scores and the metric's of texts without number (systems × segments)."""
    random = np.random.default_rng(1)
    made = outputs(random, *qualities(spread), np.arange(MANY))
    return made.people + random.normal(0, JUDGEMENT, made.people.shape), made.metric


@lru_cache
def true_of_segments(spread: float, statistic: str, by: Grouping) -> float:
    """A statistic of segments without number."""
    people, metric = _many(spread)
    return segment_value(statistic, people, metric, by, "leave-out").value


@lru_cache
def _all_ranks(spread: float) -> tuple[Floats, Floats]:
    people, metric = _many(spread)
    random = np.random.default_rng(2)
    return _steps(people + random.normal(0, LIKING, people.shape)), metric


@lru_cache
def true_tau(spread: float, variant: str) -> float:
    """τ of all pairs of outputs of segments without number."""
    people, metric = _all_ranks(spread)
    first, second = np.triu_indices(SYSTEMS, 1)
    human, machine = (1 - np.sign(side[first] - side[second]) for side in (people, metric))
    sizes = np.bincount((3 * human + machine).astype(np.int64).ravel(), minlength=9)
    return float(tau_named(variant).values(sizes.astype(np.float64)))


@lru_cache
def true_wins(spread: float) -> Floats:
    """Expected wins by judges and texts without number."""
    people, _ = _all_ranks(spread)
    wins = np.array([[(a > b).sum() for b in people] for a in people])
    share = wins / np.maximum(wins + wins.T, 1)
    return np.asarray(share.sum(axis=1) / (SYSTEMS - 1))


def true_of_systems(statistic: str, spread: float) -> float:
    """A statistic of systems without number, measured on as many segments as here."""
    scale = (spread / 3.5) ** 2
    lines = DOCUMENTS * SEGMENTS
    noise = SUITS**2 / DOCUMENTS + OUTPUT**2 / lines
    people = scale + noise + JUDGEMENT**2 / lines
    metric = scale + SEEN**2 * noise + ADDED**2 / lines
    r = (0.9 * scale + SEEN * noise) / np.sqrt(people * metric)
    tau = 2 / np.pi * np.arcsin(r)  # of normal scores
    return float({"pearson": r, "kendall": tau, "accuracy": (1 + tau) / 2}[statistic])


# ---- campaigns ----

Question = tuple[str, Unit]  # of what, and what is drawn
Answers = dict[Question, tuple[MetaEvaluation, float]]  # with the truth
Draw = Callable[[Unit], Resampling]


def by_scores(random: np.random.Generator, spread: float, draw: Draw) -> Answers:
    """Scores of all outputs; the truth is of these systems."""
    quality, liked = qualities(spread)
    task = scored(random, quality, liked)
    units: tuple[Unit, ...] = ("segment", "document")
    answers: Answers = {}
    for name in ("pearson", "kendall", "accuracy"):
        truth = float(CORRELATIONS[name](quality, liked))
        for unit in units:
            answers[f"systems, `{name}`", unit] = system_level(task, [name], draw(unit)), truth
    kinds: tuple[tuple[str, Grouping], ...] = (
        ("accuracy-calibrated", "item"),
        ("kendall", "item"),
        ("pearson", "none"),
    )
    for name, by in kinds:
        truth = true_of_segments(spread, name, by)
        of_all = " of all outputs" if by == "none" else ""
        for unit in units:
            result = segment_level(task, [name], by, "leave-out", draw(unit))
            answers[f"segments, `{name}`{of_all}", unit] = result, truth
    return answers


def by_other_systems(random: np.random.Generator, spread: float, draw: Draw) -> Answers:
    """Scores of systems that were drawn from a population."""
    task = scored(random, *drawn_qualities(random, spread))
    return {
        (f"systems, `{name}`", "system"): (
            system_level(task, [name], draw("system")),
            true_of_systems(name, spread),
        )
        for name in ("pearson", "kendall", "accuracy")
    }


def by_rankings(random: np.random.Generator, spread: float, draw: Draw) -> Answers:
    """Rankings of five outputs; of systems, the metric's scores are held as they are."""
    made, comparisons = ranked(random, *qualities(spread))
    units: tuple[Unit, ...] = ("comparison", "ranking", "document", "judge")
    answers: Answers = {}
    for unit in (*units, "auto"):
        task = _rankings_task(made, comparisons, draw(unit))
        for name in ("pearson", "accuracy"):
            truth = float(CORRELATIONS[name](true_wins(spread), made.metric.mean(axis=1)))
            result = system_level(task, [name], draw(unit))
            answers[f"systems by rankings, `{name}`", unit] = result, truth
    for unit in units:
        for variant in ("wmt14", "hties"):
            result = tau_level(task, [variant], draw(unit))
            answers[f"segments by rankings, τ `{variant}`", unit] = (
                result,
                true_tau(spread, variant),
            )
    return answers


CAMPAIGNS = {"scores": by_scores, "other systems": by_other_systems, "rankings": by_rankings}


@dataclass(frozen=True)
class Covered:
    """How often intervals hold the truth, lie below it and above it, and how wide they are."""

    share: float
    below: float
    above: float
    width: float


def covered(
    kind: str, spread: float, campaigns: int, seed: int = 1, replicates: int = 1000
) -> dict[Question, Covered]:
    """Every interval of so many campaigns."""
    ends: dict[Question, list[tuple[float, float, float]]] = {}
    for number in range(campaigns):
        random = np.random.default_rng([seed, number])

        def draw(unit: Unit, seed: int = number + 1) -> Resampling:
            return Resampling(unit, replicates, seed)

        found = CAMPAIGNS[kind](random, spread, draw)
        for question, (result, truth) in found.items():
            low, high = float(result.low[0]), float(result.high[0])
            ends.setdefault(question, []).append((low, high, truth))
    answers = {}
    for question, rows in ends.items():
        low, high, truth = np.array(rows).T
        below, above = float((high < truth).mean()), float((low > truth).mean())
        answers[question] = Covered(1 - below - above, below, above, float((high - low).mean()))
    return answers


def main(say: Callable[[str], None] = print) -> None:
    """The table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--kind", nargs="+", choices=CAMPAIGNS, default=list(CAMPAIGNS))
    given = parser.parse_args()
    say(f"| interval of | `--unit` | {' | '.join(f'systems {name}' for name in SPREAD)} |")
    say("|---|---|" + "---|" * len(SPREAD))
    for kind in given.kind:
        tables = [covered(kind, spread, given.campaigns) for spread in SPREAD.values()]
        for name, unit in tables[0]:
            cells = " | ".join(
                f"{100 * table[name, unit].share:.1f} % ({table[name, unit].width:.3f})"
                for table in tables
            )
            say(f"| {name} | `{unit}` | {cells} |")


if __name__ == "__main__":
    main()
