"""Correlation with human scores by number of sentences and references (WMT13 §5, Figures 5, 6)."""

from collections.abc import Sequence

from adjudge.core.tables.table import Table
from adjudge.metrics.reference_study import ReferenceStudy
from adjudge.metrics.tables import counted, reference_tables
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas, text_width
from adjudge.report.drawing.label_placement import spread
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, written, x_axis, y_axis, y_room
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

Studies = Sequence[ReferenceStudy]

_HEIGHT = 190.0  # pixels of a panel
_ABOVE = 26.0  # for what it is of
_BETWEEN = 12.0
_APART = 3.0  # pixels between bars of different numbers of references


def _by_metric(studies: Studies) -> dict[str, list[ReferenceStudy]]:
    panels: dict[str, list[ReferenceStudy]] = {}
    for study in studies:
        panels.setdefault(study.metric.short, []).append(study)
    return panels


def _table(studies: Studies) -> Table:
    return reference_tables(studies)[0]


def _alt(studies: Studies) -> str:
    said = []
    for name, panel in _by_metric(studies).items():
        ends = [min(panel, key=_size), max(panel, key=_size)]
        said.append(
            f"{name} from {written(ends[0].correlation, 2)} ({_counted(ends[0])}) to "
            f"{written(ends[1].correlation, 2)} ({_counted(ends[1])})"
        )
    return f"Correlation with people over {studies[0].systems} systems: {'; '.join(said)}."


def _size(study: ReferenceStudy) -> tuple[int, int]:
    return study.sentences, study.references


def _counted(study: ReferenceStudy) -> str:
    return f"{_called(study)}, {study.sentences:,} sentences"


def _called(study: ReferenceStudy) -> str:
    return counted(study.kind, study.references)


def _draw(studies: Studies, theme: Theme) -> Canvas:
    panels = _by_metric(studies)
    sizes = sorted({study.sentences for study in studies})
    each = _ABOVE + _HEIGHT + _BETWEEN
    canvas = Canvas(NARROW, each * len(panels) + X_AXIS, theme)
    names = list(dict.fromkeys(map(_called, studies)))
    ends = padded([end for study in studies for end in (study.low, study.high)])
    left = y_room(Scale(*ends, _HEIGHT, 0))
    right = canvas.width - max(map(text_width, names)) - 14
    # Every size is twice as large as the one before, or nearly so: on a logarithmic scale.
    wide = (sizes[0] / 1.15, sizes[-1] * 1.15)
    across = Scale(*wide, left, right, logarithmic=True)
    for place, (name, panel) in enumerate(panels.items()):
        top = each * place + _ABOVE
        up = Scale(*ends, top + _HEIGHT, top)
        y_axis(canvas, up, left, right, f"{name}: Spearman's ρ with people")
        _panel(canvas, panel, names, across, up)
        if place == len(panels) - 1:
            marks = [(float(size), f"{size:,}") for size in sizes]
            x_axis(canvas, across, top, top + _HEIGHT, "sentences drawn", marks)
    return canvas


def _panel(canvas: Canvas, panel: Studies, names: Sequence[str], across: Scale, up: Scale) -> None:
    last: list[tuple[str, float, str]] = []
    for place, name in enumerate(names):
        colour = canvas.theme.system(place)
        curve = sorted((s for s in panel if _called(s) == name), key=_size)
        aside = _APART * (place - (len(names) - 1) / 2)
        points = [(across(s.sentences) + aside, up(s.correlation)) for s in curve]
        for (x, _), study in zip(points, curve, strict=True):
            canvas.line([(x, up(study.low)), (x, up(study.high))], colour, 1, above=1)
        if len(points) > 1:
            canvas.line(points, colour, 2)
        canvas.dots(points, 3, colour)
        last.append((name, points[-1][1], colour))
    top, bottom = min(up.start, up.end), max(up.start, up.end)
    places = spread([y for _, y, _ in last], LINE, top + 8, bottom - 8)
    for (text, _, colour), y in zip(last, places, strict=True):
        canvas.text(across.end + 10, y, text, colour)


FIGURE = Figure(
    "references",
    "References and sentences",
    "Each point is the mean correlation of a metric with people over many draws of so many "
    "sentences and references; its bar holds the middle 95 % of the draws (WMT13 Figures 5 and 6).",
    _table,
    _alt,
    _draw,
    narrow=True,
)
