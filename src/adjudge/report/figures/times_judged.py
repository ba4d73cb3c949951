"""Score against times judged (Bojar 2011 §2.4, Figure 3)."""

from adjudge.report.drawing.exposure import exposure_figure

FIGURE = exposure_figure(
    "times-judged",
    "Score and times judged",
    "A point is a system: in how many rankings it was judged, and its ≥ others score. Were systems "
    "drawn evenly there would be no slope (Bojar 2011 Figure 3).",
    finding="block-count",
    column="blocks",
    what="rankings in which the system was judged",
    percent=False,
)
