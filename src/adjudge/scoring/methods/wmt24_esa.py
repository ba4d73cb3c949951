"""WMT24's analysis of error span annotation (Kocmi et al. 2024).

The score of a system is its mean over domains of the mean score in a domain. Two systems are
compared in every domain on the segments that both have, by Wilcoxon's signed-rank test, two-sided,
and the p-values of k domains are combined (Stouffer):

    z = Σ Φ⁻¹(1 − p) / √k        p = 1 − Φ(z)

Rank ranges are 1 + losses to n − wins at p < .05; a cluster ends where no system above has p > .05
with one below. The combination ignores the direction of the differences: two domains that disagree
strongly add up to a significant one.
"""

from itertools import combinations

import numpy as np
import polars as pl
from scipy.stats import norm, wilcoxon

from adjudge.scoring.method import OfficialRanking, ScoreMethod, ranking, segment_matrix
from adjudge.scoring.score_matrix import Values
from adjudge.stats.tests import SIGNIFICANT

NAME = "wmt24-esa"


def rank(scores: pl.DataFrame) -> OfficialRanking:
    """Rank the systems by the macro average over domains."""
    systems = sorted(scores["system"].unique())
    matrix = segment_matrix(scores, ["domain", "segment"]).select("domain", *systems)
    domains = [part.drop("domain").to_numpy() for part in matrix.partition_by("domain")]
    means = np.mean([np.nanmean(values, axis=0) for values in domains], axis=0)
    p = np.ones((len(systems), len(systems)))
    for i, j in combinations(range(len(systems)), 2):
        p[i, j] = p[j, i] = combined(
            [signed_rank(values[:, i], values[:, j]) for values in domains]
        )
    better = (p < SIGNIFICANT) & (means[:, None] > means)
    return ranking(NAME, systems, means, p, better, p <= SIGNIFICANT)


def signed_rank(first: Values, second: Values) -> float:
    """Two-sided p of the segments that both systems have; 1 where no score differs."""
    difference = (first - second)[np.isfinite(first - second)]
    return float(wilcoxon(difference).pvalue) if difference.any() else 1.0


def combined(p: list[float]) -> float:
    """Stouffer's p."""
    return float(norm.sf(norm.isf(p).sum() / np.sqrt(len(p))))


METHOD = ScoreMethod(
    name=NAME,
    summary="macro average over domains; Wilcoxon's signed-rank test per domain, combined",
    paper="Kocmi et al. 2024, Findings of the WMT24 General Machine Translation Shared Task",
    rank=rank,
    columns=("domain",),
)
