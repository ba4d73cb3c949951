"""davidson: Bradley–Terry with ties as an outcome of their own (Davidson 1970).

    P(a > b) = π_a / Z,   P(b > a) = π_b / Z,   P(tie) = ν √(π_a π_b) / Z,
    Z = π_a + π_b + ν √(π_a π_b)

with strengths π = exp θ. The score is the log-strength θ, mean zero; ν, the same for all pairs,
says how readily judges tie. Priors: θ ~ N(0, 3²), log ν ~ N(0, 3²) (`models.paired_comparison`),
so that data without any tie or with nothing else still have an answer. The likelihood is in
`models.paired_comparison`.

R. R. Davidson, 1970: On extending the Bradley–Terry model to accommodate ties in paired
comparison experiments. Journal of the American Statistical Association 65.
"""

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import CountMethod, Scores
from adjudge.ranking.models.paired_comparison import DavidsonModel, fit, influence_of_model


def scores(counts: WinCounts) -> Scores:
    """Log-strengths, with mean zero."""
    return fit(DavidsonModel(), counts.wins, counts.ties).strengths


METHOD = CountMethod(
    name="davidson",
    summary="maximum likelihood of P(a>b) ∝ π_a, P(b>a) ∝ π_b, P(tie) ∝ ν√(π_a π_b); log π",
    paper="Davidson 1970",
    ties="an outcome of their own",
    reference=False,
    scores=scores,
    size_matters=True,
    influence=influence_of_model(DavidsonModel()),
)
