"""The heading of MQM's table says by which weights, and which end is better."""

import adjudge
from adjudge.scoring.tables.scores import system_scores_table


def test_the_heading_names_weights_and_direction() -> None:
    scores = adjudge.from_scores(
        ["A", "B"] * 2, [1, 1, 2, 2], [-5, -1, 0, -6], scale="mqm", judge="ann", pair="en-de"
    )
    (ranking,) = scores.rank(unit="none")
    title = system_scores_table(ranking).title
    weights = "weights of WMT21–WMT25: 25 / 5 / 1 / 0.1; higher is better"
    assert title.startswith(f"en-de, mqm ({weights}): scores")
