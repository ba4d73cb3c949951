"""Permutation importance: loss when a family or a feature is shuffled."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.core.tables.table import Table
from adjudge.quality.evaluation.system_ranking import Measure
from adjudge.quality.studies.importance import Importance
from adjudge.quality.tables.studies import importance_table
from adjudge.report.drawing.canvas import Canvas
from adjudge.report.drawing.estimate_rows import EstimateRow, draw_estimates
from adjudge.report.drawing.scales import written
from adjudge.report.drawing.system_labels import shortened
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_MOST = 15  # features
_LONGEST = 170.0


@dataclass(frozen=True)
class Important:
    """Data of the figure."""

    found: Sequence[Importance]
    families: int  # the first of them are families
    measure: Measure
    level: float


def _table(shown: Important) -> Table:
    return importance_table(shown.found, shown.measure, shown.families, shown.level)


def _rows(shown: Important) -> list[Importance]:
    """Families, if there are several, and the most important features."""
    whole = list(shown.found[: shown.families]) if shown.families > 1 else []
    return whole + list(shown.found[shown.families : shown.families + _MOST])


def _alt(shown: Important) -> str:
    said = ", ".join(
        f"{each.name} {written(each.loss.value, shown.measure.digits + 1)}"
        for each in _rows(shown)[:6]
    )
    return f"Loss of {shown.measure.title} without a family or feature: {said}, …"


def _draw(shown: Important, theme: Theme) -> Canvas:
    rows = _rows(shown)
    whole = shown.families if shown.families > 1 else 0
    lines = [
        EstimateRow(
            shortened(each.name, _LONGEST),
            each.loss.value,
            each.loss.low,
            each.loss.high,
            (lambda t: t.second) if place < whole else (lambda t: t.accent),
            rule=place == whole - 1,
        )
        for place, each in enumerate(rows)
    ]
    label = f"loss of {shown.measure.title}"
    return draw_estimates(lines, label, theme, zero=True)


FIGURE = Figure(
    "quality-importance",
    "What the model leans on",
    "How much worse the model gets when the values of a family of features (above the line), or "
    "of a single one, are exchanged between translations. At 0 nothing is lost. Of features that "
    "say the same each may look useless, since the others stand in for it; the family shows what "
    "they are worth together (Breiman 2001).",
    _table,
    _alt,
    _draw,
    narrow=True,
)
