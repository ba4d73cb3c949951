"""How single comparisons move the strengths of a fitted model.

One comparison adds u to the gradient of what is maximised, and so (information + prior)⁻¹ u to the
parameters, to first order.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.data.votes.cells import BETTER, EQUAL, WORSE
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import Tally
from adjudge.ranking.counting.influence import (
    Influence,
    events_of_systems,
    working_of_strengths,
)
from adjudge.ranking.models.paired_comparison import Floats, Outcomes, PairedModel, fit, precision


def influence_of_model(model: PairedModel) -> Callable[[Tally[Any], WinCounts], Influence]:
    """The influence of comparisons on the strengths of `model`."""

    def influence(tally: Tally[Any], counts: WinCounts) -> Influence:
        fitted = fit(model, counts.wins, counts.ties)
        information = precision(model, counts.wins, counts.ties, fitted)
        first, second, outcome = tally.labels
        systems = len(counts.systems)
        difference = (fitted.strengths[first] - fitted.strengths[second])[:, None]
        gradient = _gradient(model, outcome, difference, np.full(len(first), fitted.tie))
        score = np.zeros((len(first), len(information)))
        row = np.arange(len(first))
        score[row, first], score[row, second] = gradient[0], -gradient[0]
        if model.has_tie_parameter:
            score[:, -1] = gradient[1]
        inverse = np.linalg.inv(information)[:, :systems]
        inverse -= inverse.mean(axis=1, keepdims=True)  # strengths have the mean zero
        counted = events_of_systems(tally, systems)
        if not model.has_tie_parameter:
            counted[outcome == EQUAL] = 0
        independent = inverse[:systems] - inverse[:systems].mean(axis=0)
        return Influence(
            score @ inverse,
            counted / np.maximum(tally.counts @ counted, 1),
            working_of_strengths(systems),
            fitted.strengths,
            np.maximum(np.diag(independent), 1e-12),
        )

    return influence


def _gradient(
    model: PairedModel, outcome: Any, difference: Floats, tie: Floats
) -> tuple[Floats, Floats]:
    """By the difference of strengths and by the tie parameter, of one comparison each."""
    nothing = np.zeros_like(difference)
    better, tied, worse = (
        (outcome == code).astype(np.float64)[:, None] for code in (BETTER, EQUAL, WORSE)
    )
    posterior = model.slopes(Outcomes(better, worse, tied), difference, tie)
    prior = model.slopes(Outcomes(nothing, nothing, nothing), difference, tie)
    return (posterior.d - prior.d)[:, 0], posterior.t - prior.t
