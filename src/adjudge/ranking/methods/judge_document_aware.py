"""judge-document-aware: judge-aware, with a system-by-document effect.

Systems are not equally good in all documents (Lopez 2012, discussion), and a campaign shows some
documents more often than others. In document k, judge j compares a and b with

    x = α_j · (θ_a + δ_ak − θ_b − δ_bk) + β_ja − β_jb,   δ ~ N(0, ψ²)

α, β and ν are those that judge-aware finds without documents; θ and δ maximise the penalised
likelihood given them, which is concave. ψ is estimated as judge-aware estimates the spread of
the judges; it takes in all that the comparisons of one document share, its few segments too. The
score is θ, mean zero: the strength in a document like those judged, each of
which counts by what is known from it and hardly more for being judged many times over.
Documents meet only in θ, so every Newton step eliminates them one by one (Schur complement).
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import MISSING, Comparisons
from adjudge.ranking.method import Estimate, RefitMethod, Scores
from adjudge.ranking.methods.judge_aware import (
    JudgeAwareFit,
    fit_judge_aware,
    judge_cells,
    refit,
    replicated,
    spread,
    worth,
)
from adjudge.ranking.models.judge_likelihood import Cells, Parameters, cells
from adjudge.ranking.models.paired_comparison import PRIOR_SD, Floats, derivatives
from adjudge.stats.resampling import Resampling, Weights

USUAL_SPREAD = 0.3
SMALL_STEP = 1e-7
MOST_STEPS = 60
MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class DocumentCells:
    """Counts of each judge's outcomes for each pair of systems in each document."""

    cells: Cells
    judge: NDArray[np.integer]  # of each cell
    document: NDArray[np.integer]
    documents: int


@dataclass(frozen=True, eq=False)
class JudgeDocumentAwareFit:
    """Estimated parameters of systems in documents."""

    judges: JudgeAwareFit
    scores: Scores  # (systems,)
    effects: Floats  # (documents, systems)
    spread: float  # ψ


def fit_judge_document_aware(comparisons: Comparisons) -> JudgeDocumentAwareFit:
    """Estimate scores, document effects and their spread."""
    judges = fit_judge_aware(comparisons)
    by_document = _document_cells(comparisons)
    psi = USUAL_SPREAD
    strengths = np.zeros((1 + by_document.documents, by_document.cells.systems))
    for _ in range(MOST_ROUNDS):
        strengths, variance = _maximise(by_document, judges.parameters, psi, strengths)
        before, psi = psi, spread(strengths[1:], variance, psi, USUAL_SPREAD)
        if abs(np.log(psi / before)) < 1e-6:
            scaled = judges.middle * strengths
            return JudgeDocumentAwareFit(judges, scaled[0], scaled[1:], psi)
    raise AdjudgeError(
        f"judge-document-aware found no spread of the documents in {MOST_ROUNDS} rounds; "
        "choose judge-aware instead"
    )


def _document_cells(comparisons: Comparisons) -> DocumentCells:
    if (comparisons.document == MISSING).any():
        raise NotEnoughData(
            "judge-document-aware: not every document is known; name the documents, or choose "
            "judge-aware"
        )
    number = len(comparisons.documents)
    judge = np.where(comparisons.judge == MISSING, len(comparisons.judges), comparisons.judge)
    judge = np.unique(judge, return_inverse=True)[1].astype(np.int64)
    both, code = np.unique(judge * number + comparisons.document, return_inverse=True)
    by_judge = cells(comparisons, code, worth(comparisons))
    return DocumentCells(
        by_judge, both[by_judge.judge] // number, both[by_judge.judge] % number, number
    )


def _maximise(
    by_document: DocumentCells, judges: Parameters, psi: float, strengths: Floats
) -> tuple[Floats, Floats]:
    """Maximise over θ (row 0) and δ (other rows); return them with the posterior variances of δ."""
    for _ in range(MOST_STEPS):
        slope, between = _slopes(by_document, judges, strengths)
        inverse = np.linalg.inv(between + np.eye(by_document.cells.systems) / psi**2)
        by_theta = slope.sum(axis=0) - strengths[0] / PRIOR_SD**2
        by_delta = slope - strengths[1:] / psi**2
        folded = inverse @ between
        schur = (between - between @ folded).sum(axis=0) + np.eye(len(by_theta)) / PRIOR_SD**2
        theta = np.linalg.solve(schur, by_theta - np.einsum("kst,ks->t", folded, by_delta))
        delta = np.einsum("kst,kt->ks", inverse, by_delta) - folded @ theta
        move = np.vstack([theta, delta])
        largest = np.abs(move).max()
        strengths = strengths + move / max(1.0, largest)
        if largest < SMALL_STEP:
            through = np.einsum("ksr,rt,kst->ks", folded, np.linalg.inv(schur), folded)
            return strengths, np.diagonal(inverse, axis1=1, axis2=2) + through
    raise AdjudgeError(
        f"judge-document-aware did not converge in {MOST_STEPS} steps; choose judge-aware"
    )


def _slopes(
    by_document: DocumentCells, judges: Parameters, strengths: Floats
) -> tuple[Floats, Floats]:
    """Gradient by each system's strength and curvature between systems, per document."""
    first, second, systems = (
        by_document.cells.first,
        by_document.cells.second,
        by_document.cells.systems,
    )
    alpha = np.exp(judges.judge[by_document.judge, 0])
    preferred = (
        judges.judge[by_document.judge, 2 + first] - judges.judge[by_document.judge, 2 + second]
    )
    in_document = strengths[0] + strengths[1:]
    x = (
        alpha
        * (in_document[by_document.document, first] - in_document[by_document.document, second])
        + preferred
    )
    nu = np.exp(judges.shared[systems] + judges.judge[by_document.judge, 1])
    by = derivatives(by_document.cells.outcomes, x, nu)

    def onto(index: NDArray[np.integer], values: Floats, *shape: int) -> Floats:
        return np.asarray(np.bincount(index, values, np.prod(shape)), np.float64).reshape(shape)

    size = (by_document.documents, systems)
    at_first, at_second = (
        by_document.document * systems + first,
        by_document.document * systems + second,
    )
    slope = onto(at_first, alpha * by.d, *size) - onto(at_second, alpha * by.d, *size)
    one_way = onto(at_first * systems + second, alpha**2 * by.dd, *size, systems)
    between = -(one_way + np.swapaxes(one_way, 1, 2))
    every = np.arange(systems)
    between[:, every, every] = -between.sum(axis=2)
    return slope, between


def _rescore(
    by_judge: Cells, by_document: DocumentCells, fitted: JudgeDocumentAwareFit, weights: Weights
) -> Scores:
    parameters, middle = refit(by_judge, fitted.judges, weights)
    drawn = DocumentCells(
        by_document.cells.weighted(weights),
        by_document.judge,
        by_document.document,
        by_document.documents,
    )
    start = np.vstack([fitted.scores, fitted.effects]) / fitted.judges.middle
    return np.asarray(middle * _maximise(drawn, parameters, fitted.spread, start)[0][0])


def estimate(comparisons: Comparisons, resampling: Resampling, engine: Engine) -> Estimate:
    """Scores with document effects, refitted in every replicate."""
    fitted = fit_judge_document_aware(comparisons)
    rescore = partial(_rescore, judge_cells(comparisons)[0], _document_cells(comparisons), fitted)
    return replicated(comparisons, resampling, engine, fitted.scores, rescore)


METHOD = RefitMethod(
    name="judge-document-aware",
    summary="judge-aware with a random effect of every system in every document; log π",
    paper="this project",
    ties="an outcome of their own",
    reference=False,
    estimate=estimate,
    needs=("judge", "document"),
    size_matters=True,
)
