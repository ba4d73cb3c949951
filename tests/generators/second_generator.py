"""A second generator of campaigns, which shares nothing with `adjudge.simulation`.

The perceived quality of an output is that of its system, plus what this judge and this document
add to the system, plus noise; two outputs closer than a threshold tie, pair by pair.

    python tests/generators/second_generator.py 200

prints how often the default's intervals hold the truth in campaigns of this generator, of every
kind 200.
"""

import sys
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import ndtr

from adjudge.data.comparisons import Comparisons
from adjudge.ranking.ranking_result import rank

THRESHOLD = 0.5
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Kind:
    """A kind of campaign; busy judges rank e to the power of `busy` times as much as others."""

    qualities: tuple[float, ...]
    judges: int = 8
    documents: int = 12
    rankings: int = 500
    shown: int = 4
    effect: float = 0.3  # standard deviation of what a judge, and a document, adds to a system
    busy: float = 0.7
    tails: int | None = None  # degrees of freedom of effects with Student's tails

    def effects(self, units, random):
        """What every judge (document) adds to every system."""
        effect = random.normal(0, self.effect, (units, len(self.qualities)))
        if self.tails is not None:  # a crank differs about all systems
            scale = (self.tails - 2) / random.chisquare(self.tails, units)
            effect *= np.sqrt(scale)[:, None]
        return effect

    def draw(self, seed):
        """A campaign."""
        random = np.random.default_rng(seed)
        systems, rankings = len(self.qualities), self.rankings
        liking, suits = (self.effects(units, random) for units in (self.judges, self.documents))
        busy = np.exp(random.normal(0, self.busy, self.judges))
        judge = random.choice(self.judges, rankings, p=busy / busy.sum())
        document = random.integers(0, self.documents, rankings)
        seen = np.asarray(self.qualities) + liking[judge] + suits[document]
        seen = seen + random.normal(size=(rankings, systems))
        block = random.random((rankings, systems)).argsort(axis=1)[:, : self.shown]
        first, second = np.array(list(combinations(range(block.shape[1]), 2))).T
        left, right = block[:, first].ravel(), block[:, second].ravel()
        ranking = np.repeat(np.arange(rankings), len(first))
        difference = seen[ranking, left] - seen[ranking, right]
        outcome = np.where(np.abs(difference) > THRESHOLD, np.sign(difference), 0)
        return Comparisons(
            pair="aaa-bbb",
            left=left.astype(np.int32),
            right=right.astype(np.int32),
            outcome=outcome.astype(np.int8),
            ranking=ranking.astype(np.int32),
            segment=ranking.astype(np.int32),
            document=document[ranking].astype(np.int32),
            hit=np.full(len(left), -1, np.int32),
            judge=judge[ranking].astype(np.int32),
            systems=tuple(LETTERS[:systems]),
            rankings=np.arange(rankings),
            segments=tuple(map(str, range(rankings))),
            documents=tuple(map(str, range(self.documents))),
            hits=(),
            judges=tuple(map(str, range(self.judges))),
            groups=(None,) * self.judges,
        )

    def truth(self):
        """Expected wins over all judges and documents there might be."""
        # Given how much of a crank the judge is, and how odd the document, effects are normal.
        scales = np.ones((1, 2))
        if self.tails is not None:
            scales = (self.tails - 2) / np.random.default_rng(1).chisquare(self.tails, (2000, 2))
        difference = np.subtract.outer(self.qualities, self.qualities)
        deviation = np.sqrt(2 * (1 + self.effect**2 * scales.sum(axis=1)))[:, None, None]
        win, loss = (
            ndtr((side * difference - THRESHOLD) / deviation).mean(axis=0) for side in (1, -1)
        )
        share = win / (win + loss)
        np.fill_diagonal(share, 0)
        return share.sum(axis=1) / (len(self.qualities) - 1)


def coverage(kind, resampling=None, campaigns=60):
    """The share of intervals that hold the truth (each campaign's), their mean width, and the
    width with which 95 % of them would hold it if all were longer or shorter by one factor."""
    true = dict(zip(LETTERS, kind.truth(), strict=False))
    held, width, distance = [], [], []
    for seed in range(campaigns):
        ranking = rank(kind.draw(seed), resampling=resampling)
        values = np.array([true[system] for system in ranking.systems])
        above = values > ranking.scores
        reach = np.where(above, ranking.high - ranking.scores, ranking.scores - ranking.low)
        distance.append(np.abs(values - ranking.scores) / reach)
        held.append(((ranking.low <= values) & (values <= ranking.high)).mean())
        width.append((ranking.high - ranking.low).mean())
    mean = float(np.mean(width))
    return np.array(held), mean, mean * float(np.quantile(distance, 0.95))


def evenly(systems):
    """Qualities from −0.5 to 0.5."""
    return tuple(np.linspace(0.5, -0.5, systems).tolist())


def main():
    """Print a table of many kinds."""
    campaigns = int(sys.argv[1])
    print(
        "| systems | judges | documents | effect | workloads | tails | covered | width | needed |"
    )
    print("|---:|---:|---:|---:|---:|:---|---:|---:|---:|")
    kinds = [
        Kind(evenly(systems), judges, documents, 600, min(5, systems), effect, busy, tails)
        for systems in (3, 8)
        for judges, documents, busy in ((4, 10, 0.0), (4, 10, 1.0), (8, 5, 0.7), (30, 30, 0.7))
        for effect, tails in ((0.0, None), (0.2, None), (0.4, None), (0.4, 3))
    ]
    for kind in kinds:
        held, width, needed = coverage(kind, campaigns=campaigns)
        error = 100 * held.std(ddof=1) / np.sqrt(campaigns)
        print(
            f"| {len(kind.qualities)} | {kind.judges} | {kind.documents} | {kind.effect} | "
            f"{kind.busy} | {kind.tails or 'normal'} | {100 * held.mean():.1f} ± {error:.1f} % | "
            f"{width:.3f} | {needed:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
