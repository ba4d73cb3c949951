"""Figures of results other than analyses of judgements, one module per kind of result."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from adjudge.core.errors import BadParameter
from adjudge.report.figure import Figure

# Which module here draws results of which kind, all of them in one figure.
_DRAWN_BY: Mapping[str, str] = {
    "ClosestRanks": "closest_ranks",
    "Loop": "tuning_iterations",
    "MetaEvaluation": "metaeval",
    "Picking": "system_selection",
    "ReferenceStudy": "reference_study",
    "SelectiveEditing": "selective_editing",
    "Tuned": "tuning_line",
    "TuningVariance": "tuning_weights",
}


def figure_for(parts: Sequence[object]) -> Figure[Any]:
    """Find the figure for these results."""
    kind = type(parts[0]).__name__
    if kind not in _DRAWN_BY:
        raise BadParameter(f"there is no figure of a {kind}; print it as a table")
    figure: Figure[Any] = import_module(f"{__name__}.{_DRAWN_BY[kind]}").FIGURE
    return figure
