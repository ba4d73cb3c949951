"""bradley-terry: maximum likelihood on wins, ties ignored (Bradley and Terry 1952).

    P(a > b) = π_a / (π_a + π_b)

with strengths π = exp θ. The score is the log-strength θ, mean zero. Prior: θ ~ N(0, 3²)
(`models.paired_comparison`), so that a system that never lost still has a score. It is Davidson's
model with no room for ties (ν = 0), and fitted as such.

R. A. Bradley and M. E. Terry, 1952: Rank analysis of incomplete block designs, I: the method
of paired comparisons. Biometrika 39.
"""

from adjudge.core.errors import NotEnoughData
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import CountMethod, Scores
from adjudge.ranking.models.paired_comparison import DavidsonModel, fit, influence_of_model

MODEL = DavidsonModel(name="bradley-terry", has_tie_parameter=False)


def scores(counts: WinCounts) -> Scores:
    """Log-strengths, with mean zero."""
    if counts.wins.ndim == 2 and not counts.wins.any():
        raise NotEnoughData(
            "bradley-terry: no system was ever ranked better than another, and ties do not "
            "count; collect more judgements, or choose davidson"
        )
    return fit(MODEL, counts.wins, counts.ties).strengths


METHOD = CountMethod(
    name="bradley-terry",
    summary="maximum likelihood of P(a>b) = π_a / (π_a + π_b); log π",
    paper="Bradley and Terry 1952",
    ties="ignored",
    reference=False,
    scores=scores,
    needs_wins=True,
    size_matters=True,
    influence=influence_of_model(MODEL),
)
