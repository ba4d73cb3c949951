"""A figure: the scores, in other words."""

from dataclasses import replace

from adjudge.report.figures import scores

FIGURE = replace(
    scores.FIGURE,
    name="their-figure",
    alt=lambda analysis: f"Their scores of {len(analysis.ranking.systems)} systems.",
)
