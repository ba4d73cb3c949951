"""bradley-terry-half-ties: maximum likelihood where a tie is half a win for each system.

    P(a > b) = π_a / (π_a + π_b),   maximised over wins[a, b] + ties[a, b] / 2

with strengths π = exp θ. The score is the log-strength θ, mean zero. Leaderboards of chatbot
arenas are made so (arena-rank, evalica). There is no prior to speak of, θ ~ N(0, 10000²), so that
scores equal theirs; it only keeps the score of a system finite that never lost nor tied.

W.-L. Chiang et al., 2024: Chatbot Arena: an open platform for evaluating LLMs by human preference.
ICML 2024.
"""

from adjudge.core.errors import NotEnoughData
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import CountMethod, Scores
from adjudge.ranking.models.paired_comparison import DavidsonModel, fit, influence_of_model

MODEL = DavidsonModel(
    name="bradley-terry-half-ties", has_tie_parameter=False, half_ties=True, prior_sd=1e4
)


def scores(counts: WinCounts) -> Scores:
    """Log-strengths, mean zero."""
    if counts.wins.ndim == 2 and not counts.wins.any():
        raise NotEnoughData(
            "bradley-terry-half-ties: no system was ever ranked better than another; collect more "
            "judgements"
        )
    return fit(MODEL, counts.wins, counts.ties).strengths


METHOD = CountMethod(
    name="bradley-terry-half-ties",
    summary="maximum likelihood of P(a>b) = π_a / (π_a + π_b), ties as half a win each; log π",
    paper="Chiang 2024",
    ties="count as half a win for each",
    reference=False,
    scores=scores,
    needs_wins=True,
    size_matters=True,
    influence=influence_of_model(MODEL),
)
