"""Figures of a report, one module each, registered by `FIGURE`."""

from adjudge.core.registry import Registry
from adjudge.report.analysis import Analysis
from adjudge.report.figure import Figure

__all__ = ["FIGURES", "Figure"]

FIGURES: Registry[Figure[Analysis]] = Registry(__name__, "FIGURE", Figure, "figure")
