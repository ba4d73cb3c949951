"""The figures of a report: one module a figure, found by its `FIGURE`."""

from adjudge.analysis.analysis import Analysis
from adjudge.registry import Registry
from adjudge.report.figure import Figure

__all__ = ["FIGURES", "Figure"]

FIGURES: Registry[Figure[Analysis]] = Registry(__name__, "FIGURE", Figure, "figure")
