"""The figures of a report: one module a figure, found by its `FIGURE`."""

from collections.abc import Mapping

from adjudge.errors import AdjudgeError
from adjudge.registry import registered
from adjudge.report.figures.figure import Figure

__all__ = ["Figure", "figure_named", "figures"]


def figures() -> Mapping[str, Figure]:
    """Every figure there is, by name."""
    return registered(__name__, "FIGURE")


def figure_named(name: str) -> Figure:
    """The figure of that name."""
    if name not in figures():
        raise AdjudgeError(f"no figure {name!r}; there are: {', '.join(figures())}")
    return figures()[name]
