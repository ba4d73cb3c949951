"""Score against exposure to the reference (Bojar 2011 §3.2, Figure 6)."""

from adjudge.report.drawing.exposure import exposure_figure

FIGURE = exposure_figure(
    "reference-exposure",
    "Score and exposure to the reference",
    "A point is a system: in which share of its rankings it stood beside the reference, and its "
    "≥ others score, which losses to the reference lower (Bojar 2011 Figure 6).",
    finding="reference-share",
    column="reference_share",
    what="rankings in which it met the reference",
    percent=True,
)
