"""System selection: the model's pick compared with single systems, random choice and the best."""

from collections.abc import Sequence

from adjudge.core.errors import BadParameter
from adjudge.core.tables.table import Table
from adjudge.quality.studies.system_selection import Picking
from adjudge.quality.tables.studies import picking_table
from adjudge.report.drawing.canvas import Canvas
from adjudge.report.drawing.estimate_rows import EstimateRow, draw_estimates
from adjudge.report.drawing.scales import Scale, ticks
from adjudge.report.drawing.system_labels import labels
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

Results = Sequence[Picking]

_LONGEST = 150.0


def _only(results: Results) -> Picking:
    if len(results) != 1:
        raise BadParameter(f"a figure is of one model; here are {len(results)}")
    return results[0]


def _table(results: Results) -> Table:
    return picking_table(_only(results))


def _alt(results: Results) -> str:
    said = ", ".join(
        f"{choice.name} {100 * choice.wins.value:.0f} %" for choice in _only(results).choices
    )
    return f"Share of other candidates beaten: {said}."


def _percents(scale: Scale) -> list[tuple[float, str]]:
    return [(value, f"{100 * value:.0f} %") for value, _ in ticks(scale)]


def _draw(results: Results, theme: Theme) -> Canvas:
    choices = _only(results).choices
    systems = [choice.name for choice in choices if choice.role == "system"]
    called = dict(zip(systems, labels(systems, _LONGEST), strict=True)) if systems else {}
    rows = [
        EstimateRow(
            called.get(choice.name, choice.name) if choice.role == "system" else choice.name,
            choice.wins.value,
            choice.wins.low,
            choice.wins.high,
            (lambda t: t.accent) if choice.role == "model" else (lambda t: t.other),
            rule=place in (0, len(choices) - 3),
        )
        for place, choice in enumerate(choices)
    ]
    return draw_estimates(rows, "other candidates beaten", theme, marks=_percents)


FIGURE = Figure(
    "picking",
    "Picking the best candidate",
    "How many of the other candidates of a ranking one beats who always takes the model's pick, "
    "always the same system, any candidate, or the best by people; with intervals. Systems take "
    "part in different rankings; the table compares them with the pick in their own.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
