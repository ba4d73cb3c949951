"""judge-document-aware: judge-aware, with an effect of every system in every document.

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

from adjudge.comparisons.comparisons import MISSING, Comparisons
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.parallel import Engine
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
from adjudge.ranking.models.davidson_model import derivatives
from adjudge.ranking.models.judge_likelihood import Cells, Parameters, cells
from adjudge.ranking.models.paired_models import PRIOR_SD, Floats
from adjudge.statistics.drawing import Weights
from adjudge.statistics.resampling import Resampling

USUAL_SPREAD = 0.3
SMALL_STEP = 1e-7
MOST_STEPS = 60
MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class DocumentCells:
    """What each judge said of each pair of systems in each document."""

    cells: Cells
    judge: NDArray[np.integer]  # of each cell
    document: NDArray[np.integer]
    documents: int


@dataclass(frozen=True, eq=False)
class JudgeDocumentAwareFit:
    """What the model makes of systems in documents."""

    judges: JudgeAwareFit
    scores: Scores  # (systems,)
    effects: Floats  # (documents, systems)
    spread: float  # ψ


def fit_judge_document_aware(comparisons: Comparisons) -> JudgeDocumentAwareFit:
    """Scores, document effects and their spread."""
    judges = fit_judge_aware(comparisons)
    of = _document_cells(comparisons)
    psi = USUAL_SPREAD
    at = np.zeros((1 + of.documents, of.cells.systems))
    for _ in range(MOST_ROUNDS):
        at, variance = _maximise(of, judges.parameters, psi, at)
        before, psi = psi, spread(at[1:], variance, psi, USUAL_SPREAD)
        if abs(np.log(psi / before)) < 1e-6:
            scaled = judges.middle * at
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
    made = cells(comparisons, code, worth(comparisons))
    return DocumentCells(made, both[made.judge] // number, both[made.judge] % number, number)


def _maximise(
    of: DocumentCells, judges: Parameters, psi: float, at: Floats
) -> tuple[Floats, Floats]:
    """θ (row 0) and δ (other rows), and the posterior variances of δ."""
    for _ in range(MOST_STEPS):
        slope, between = _slopes(of, judges, at)
        inverse = np.linalg.inv(between + np.eye(of.cells.systems) / psi**2)
        by_theta = slope.sum(axis=0) - at[0] / PRIOR_SD**2
        by_delta = slope - at[1:] / psi**2
        folded = inverse @ between
        schur = (between - between @ folded).sum(axis=0) + np.eye(len(by_theta)) / PRIOR_SD**2
        theta = np.linalg.solve(schur, by_theta - np.einsum("kst,ks->t", folded, by_delta))
        delta = np.einsum("kst,kt->ks", inverse, by_delta) - folded @ theta
        move = np.vstack([theta, delta])
        largest = np.abs(move).max()
        at = at + move / max(1.0, largest)
        if largest < SMALL_STEP:
            through = np.einsum("ksr,rt,kst->ks", folded, np.linalg.inv(schur), folded)
            return at, np.diagonal(inverse, axis1=1, axis2=2) + through
    raise AdjudgeError(
        f"judge-document-aware did not converge in {MOST_STEPS} steps; choose judge-aware"
    )


def _slopes(of: DocumentCells, judges: Parameters, at: Floats) -> tuple[Floats, Floats]:
    """Per document, the slope by each system's strength and the curvature between systems."""
    first, second, systems = of.cells.first, of.cells.second, of.cells.systems
    alpha = np.exp(judges.judge[of.judge, 0])
    preferred = judges.judge[of.judge, 2 + first] - judges.judge[of.judge, 2 + second]
    strength = at[0] + at[1:]
    x = alpha * (strength[of.document, first] - strength[of.document, second]) + preferred
    nu = np.exp(judges.shared[systems] + judges.judge[of.judge, 1])
    by = derivatives(of.cells.outcomes, x, nu)

    def onto(index: NDArray[np.integer], values: Floats, *shape: int) -> Floats:
        return np.asarray(np.bincount(index, values, np.prod(shape)), np.float64).reshape(shape)

    size = (of.documents, systems)
    at_first, at_second = of.document * systems + first, of.document * systems + second
    slope = onto(at_first, alpha * by.d, *size) - onto(at_second, alpha * by.d, *size)
    one_way = onto(at_first * systems + second, alpha**2 * by.dd, *size, systems)
    between = -(one_way + np.swapaxes(one_way, 1, 2))
    every = np.arange(systems)
    between[:, every, every] = -between.sum(axis=2)
    return slope, between


def _rescore(
    of_judges: Cells, of: DocumentCells, fitted: JudgeDocumentAwareFit, weights: Weights
) -> Scores:
    parameters, middle = refit(of_judges, fitted.judges, weights)
    drawn = DocumentCells(of.cells.weighted(weights), of.judge, of.document, of.documents)
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
)
