"""Families: systems that tie with each other more often than with others.

Systems built alike (Bojar 2011 §2.3, note 12; Lopez 2012 §6) tie
often, and where ties are rewarded they prop each other up. How often i and j should tie is
predicted from how often each of them ties and from how far apart they are:

    logit P(tie of i and j) = a_i + a_j + b · |s_i − s_j|

(s is the share of wins among decided comparisons). A pair whose ties exceed the prediction by ten
points or more and beyond chance (one-sided z, the spread of all residuals included, Benjamini and
Hochberg at 1 %) is a link; the model is fitted again without the links until they stay the same.
A family is a connected component of links.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph
from scipy.special import chdtri, expit, logit, ndtr

from adjudge.core.errors import NotEnoughData
from adjudge.data.win_counts import WinCounts
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import Answer, DetailRow, Finding, Severity, grade
from adjudge.diagnosis.order_change import Numbers
from adjudge.ranking.counting.cells import win_ratio
from adjudge.ranking.methods.at_least_others import scores as at_least_others
from adjudge.ranking.participants import listed
from adjudge.stats.tests import adjusted

LEVEL = 0.01
LEAST_EXCESS = 0.1  # of ties over the share predicted: less has no effect on scores
LEAST_COMPARISONS = 10
FEWEST_SYSTEMS = 5  # with fewer, tying with one system is tying with nearly all
_ROUNDS = 50


@dataclass(frozen=True, eq=False)
class TieModel:
    """Expected ties of every pair of systems, and the pairs that exceed them."""

    predicted: Numbers  # share of ties
    z: Numbers
    links: NDArray[np.bool_]  # pairs that tie too often


def tie_model(counts: WinCounts) -> TieModel:
    """Fit the model to the unlinked pairs, link the pairs that exceed it, and iterate.

    A large family would dominate the fit, so the first fit leaves out the third of the pairs that
    most exceed a model in which all systems tie alike.
    """
    n = len(counts.systems)
    i, j = np.triu_indices(n, 1)
    weight, tied = counts.comparisons[i, j].astype(float), counts.ties[i, j].astype(float)
    score = win_ratio(counts)
    apart = np.abs(score[i] - score[j])
    alike = np.column_stack([np.ones(len(i)), apart])
    own = np.zeros((len(i), n + 1))
    own[np.arange(len(i)), i] = own[np.arange(len(i)), j] = 1
    own[:, n] = apart
    linked = np.zeros(len(i), bool)
    for design in (alike, *[own] * _ROUNDS):
        share, leverage = _logistic(design, weight, tied, ~linked)
        spread = weight * share * (1 - share) * np.where(linked, 1 + leverage, 1 - leverage)
        z = (tied - weight * share) / np.sqrt(np.maximum(spread, 1e-9))
        z[weight < LEAST_COMPARISONS] = 0
        # What the model does not know of (judges, documents) widens all residuals.
        if not linked.all():
            z /= max(1.0, np.sqrt(np.median(z[~linked] ** 2) / chdtri(1, 0.5)))
        before = linked
        if design is alike:
            linked = z > np.quantile(z, 2 / 3)
        else:
            linked = adjusted(ndtr(-z), "bh") <= LEVEL
            linked &= tied - weight * share >= LEAST_EXCESS * weight
        if (linked == before).all():
            break
    links = _square(n, i, j, linked.astype(float)) > 0
    return TieModel(_square(n, i, j, share), _square(n, i, j, z), links)


def _logistic(
    design: Numbers, weight: Numbers, tied: Numbers, fitted: NDArray[np.bool_]
) -> tuple[Numbers, Numbers]:
    """Fit a binomial regression on the `fitted` rows; return shares and leverages for all rows.

    Newton's method, with a small ridge penalty for systems all of whose pairs are left out.
    """
    ridge = 1e-2 * np.eye(design.shape[1])
    known, successes = np.where(fitted, weight, 0), np.where(fitted, tied, 0)
    beta = np.zeros(design.shape[1])
    beta[:-1] = logit((successes.sum() + 0.5) / (known.sum() + 1.0)) / design[0, :-1].sum()
    prior = beta.copy()
    for _ in range(_ROUNDS):
        share = expit(design @ beta)
        hessian = design.T @ ((known * share * (1 - share))[:, None] * design) + ridge
        slope = design.T @ (successes - known * share) - ridge @ (beta - prior)
        step = np.linalg.solve(hessian, slope)
        beta += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-8:
            break
    share = expit(design @ beta)
    hessian = design.T @ ((known * share * (1 - share))[:, None] * design) + ridge
    uncertain = np.einsum("pi,ip->p", design, np.linalg.solve(hessian, design.T))
    return share, weight * share * (1 - share) * uncertain


def _square(n: int, i: NDArray[np.int64], j: NDArray[np.int64], values: Numbers) -> Numbers:
    matrix = np.zeros((n, n))
    matrix[i, j] = matrix[j, i] = values
    return matrix


def families(links: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Family of each system: a connected component of links."""
    return np.asarray(csgraph.connected_components(sparse.csr_array(links), directed=False)[1])


def _tie_families(evidence: Evidence) -> Answer:
    counts = evidence.among_systems
    if len(counts.systems) < FEWEST_SYSTEMS:
        raise NotEnoughData(f"it takes {FEWEST_SYSTEMS} systems to tell who ties too often")
    if not counts.ties.any():
        return Answer(Severity.none, "There are no ties", value=0)
    model = tie_model(counts)
    family = families(model.links)
    members = [np.flatnonzero(family == f) for f in np.unique(family) if (family == f).sum() > 1]
    named = "; ".join(listed([evidence.short[s] for s in group]) for group in members)
    details = _details(counts, model, family)
    if not members:
        meaning = "No systems tie with each other more than their other ties predict"
        return Answer(Severity.none, meaning, value=0, details=details)
    within = family[:, None] == family
    outside = WinCounts(
        counts.systems, np.where(within, 0, counts.wins), np.where(within, 0, counts.ties)
    )
    change = evidence.change(at_least_others(counts), at_least_others(outside))
    return Answer(
        grade(change, True),
        f"Systems that tie with each other more than their other ties predict: {named}; under "
        f"≥ others without their own comparisons {change}",
        "Do not reward ties (expected-wins, win-ratio), or count a family as one opponent.",
        len(members),
        change=change,
        details=details,
    )


def _details(counts: WinCounts, model: TieModel, family: NDArray[np.int32]) -> list[DetailRow]:
    """Pairs whose ties most exceed the prediction."""
    i, j = np.triu_indices(len(counts.systems), 1)
    top = np.argsort(-model.z[i, j], kind="stable")[: max(20, int(model.links[i, j].sum()))]
    return [
        {
            "system": counts.systems[a],
            "other": counts.systems[b],
            "comparisons": int(counts.comparisons[a, b]),
            "tie_share": float(counts.ties[a, b] / max(counts.comparisons[a, b], 1)),
            "predicted_share": float(model.predicted[a, b]),
            "z": float(model.z[a, b]),
            "too_often": bool(model.links[a, b]),
            "family": int(family[a]) + 1 if model.links[a, b] else None,
        }
        for a, b in zip(i[top], j[top], strict=True)
    ]


FINDING = Finding(
    "tie-families",
    "Do families of systems tie too often and prop each other up?",
    "families found",
    "count",
    "Bojar 2011 §2.3",
    _tie_families,
    false_alarms=0.01,
    about=frozenset({"at-least-others"}),
)
