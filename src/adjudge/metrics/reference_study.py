"""Effect of the number of references and sentences on a metric (WMT13 §5, Figures 5 and 6).

Some sentences and some of the references are drawn at random, again and again. Each such probe
scores all systems and correlates their ranks with those that people gave (Spearman's ρ, as there).
The mean over probes shows the effect of more references or sentences; the spread shows the
variability of a single test set of that size.

Statistics are counted once for every choice of references. Where there are more than `MOST`
choices of a size, that many are drawn.

Post-edits (WMT13 §4) differ in number from sentence to sentence. A probe with k of them takes
sentences that have at least k, and draws k different ones of each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.core.parallel import progress
from adjudge.metrics.edits import ratio
from adjudge.metrics.metric import Floats, Metric
from adjudge.metrics.metric_inputs import Material
from adjudge.stats.ranks import mean_ranks
from adjudge.stats.resampling import generator

_POST_EDITS = 1 << 40  # generators of post-edits are numbered from here
MOST = 10  # choices of references of one size
FEWEST_SYSTEMS = 3  # a correlation of two points is ±1
FEWEST_SENTENCES = 10  # with so many post-edits, or there is no such study
USUAL_SENTENCES = (50, 100, 200, 500, 1000, 2000, 3000)


Kind = Literal["reference", "post-edit"]
PostEdits = Mapping[int, Sequence[str]]  # of each line, from 0


@dataclass(frozen=True)
class ReferenceStudy:
    """Correlations of probes with this number of references and sentences."""

    metric: Metric
    pair: str
    systems: int
    kind: Kind
    references: int
    sentences: int
    probes: int
    seed: int
    correlation: float  # mean of Spearman's ρ
    deviation: float  # standard deviation over probes
    low: float  # 2.5 % of the probes are below
    high: float

    def row(self) -> dict[str, Any]:
        """Return the result as flat keys."""
        return {
            "pair": self.pair or None,
            "metric": str(self.metric),
            "kind": self.kind,
            "references": self.references,
            "sentences": self.sentences,
            "correlation": self.correlation,
            "deviation": self.deviation,
            "low": self.low,
            "high": self.high,
            "systems": self.systems,
            "probes": self.probes,
            "seed": self.seed,
        }


def study_references(
    material: Material,
    metrics: Sequence[Metric],
    human: Mapping[str, float],
    sentences: Sequence[int] = (),
    probes: int = 100,
    seed: int = 1,
    post_edits: PostEdits | None = None,
) -> list[ReferenceStudy]:
    """Compute correlations by number of references and of sentences; `human` has the systems'
    scores.
    """
    systems = [name for name in material.systems if name in human]
    if len(systems) < FEWEST_SYSTEMS:
        raise NotEnoughData(
            f"people scored {len(systems)} of these systems; a correlation needs "
            f"{FEWEST_SYSTEMS} or more, called the same in both"
        )
    people = np.array([human[name] for name in systems])
    if np.ptp(people) == 0:
        raise NotEnoughData("people gave all systems the same score; nothing correlates with it")
    sizes = _sizes(sentences, material.segments)
    choices = [*_of_references(material, seed), *_of_post_edits(material, post_edits or {}, seed)]
    work = [
        (f"{metric.short}, {choice.number} of kind {choice.kind}", (metric, choice))
        for metric in metrics
        for choice in choices
    ]
    studies = []
    for metric, choice in progress(work):
        counts = [_counts(material, metric, drawn, systems) for drawn in choice.drawn]
        available = len(choice.drawn[0].lines)
        for size in [s for s in sizes if s < available] + [available] * (available <= sizes[-1]):
            rho = _probed(metric, counts, people, size, probes, seed)
            low, high = np.quantile(rho, [0.025, 0.975])
            studies.append(
                ReferenceStudy(
                    metric,
                    material.pair,
                    len(systems),
                    choice.kind,
                    choice.number,
                    size,
                    probes,
                    seed,
                    *map(float, (rho.mean(), rho.std(), low, high)),
                )
            )
    return studies


@dataclass(frozen=True)
class _Drawn:
    """Drawn lines, each with the same number of references."""

    lines: Sequence[int]
    references: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Choices:
    """Combinations of a fixed number of references."""

    kind: Kind
    number: int
    drawn: Sequence[_Drawn]


def _of_references(material: Material, seed: int) -> Iterator[_Choices]:
    """Yield combinations of one, two, … of the references."""
    every = range(material.segments)
    for number in range(1, len(material.references) + 1):
        chosen = _choices(len(material.references), number, seed)
        drawn = [_Drawn(every, tuple(material.references[k] for k in each)) for each in chosen]
        yield _Choices("reference", number, drawn)


def _of_post_edits(material: Material, post_edits: PostEdits, seed: int) -> Iterator[_Choices]:
    """Yield combinations of one, two, … post-edits, for sentences with enough post-edits."""
    for number in range(1, max(map(len, post_edits.values()), default=0) + 1):
        lines = sorted(line for line, texts in post_edits.items() if len(texts) >= number)
        if len(lines) < FEWEST_SENTENCES:
            return
        random = generator(seed, _POST_EDITS + number)
        drawn = []
        for _ in range(MOST):
            orders = [random.permutation(len(post_edits[line]))[:number] for line in lines]
            columns = tuple(
                tuple(post_edits[line][order[k]] for line, order in zip(lines, orders, strict=True))
                for k in range(number)
            )
            drawn.append(_Drawn(lines, columns))
        yield _Choices("post-edit", number, drawn)


def _sizes(sentences: Sequence[int], segments: int) -> list[int]:
    """Sample sizes in sentences: those requested, or a default series, and all."""
    for size in sentences:
        if not 2 <= size <= segments:
            raise BadParameter(f"`sentences` is between 2 and {segments:,}, not {size:,}")
    usual = [size for size in USUAL_SENTENCES if size < segments] + [segments]
    return sorted(set(sentences)) or usual


def _choices(references: int, number: int, seed: int) -> list[tuple[int, ...]]:
    """Combinations of a fixed number of references, at most `MOST`."""
    if comb(references, number) <= MOST:
        return list(combinations(range(references), number))
    random = generator(seed, number)
    drawn = {
        tuple(sorted(random.permutation(references)[:number].tolist())) for _ in range(4 * MOST)
    }
    return sorted(drawn)[:MOST]


def _counts(material: Material, metric: Metric, drawn: _Drawn, systems: Sequence[str]) -> Floats:
    """Statistics of all systems against these references (segments × systems × statistics)."""
    counted = metric.statistics(drawn.references)
    outputs = (material.systems[name] for name in systems)
    return np.stack([counted(tuple(lines[i] for i in drawn.lines)) for lines in outputs], axis=1)


def _probed(
    metric: Metric, counts: list[Floats], people: Floats, size: int, probes: int, seed: int
) -> Floats:
    """Spearman's ρ of every probe; 0 if all systems have the same score."""
    segments = len(counts[0])
    random = generator(seed, size)
    sums = []
    for probe in range(probes):
        drawn = random.permutation(segments)[:size]
        sums.append(counts[probe % len(counts)][drawn].sum(axis=0))
    scores = metric.values(np.stack(sums)) * (1 if metric.higher_is_better else -1)
    own, theirs = (mean_ranks(np.round(each, 12)) for each in (scores, people))
    centred = own - own.mean(axis=1, keepdims=True)
    against = theirs - theirs.mean()
    return ratio(centred @ against, np.sqrt((centred**2).sum(axis=1) * (against**2).sum()))
