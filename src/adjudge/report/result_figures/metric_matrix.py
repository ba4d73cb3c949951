"""Significance matrix of metrics: p of all pairs, in order, with clusters."""

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.metaeval.tables.labels import ADJUSTED, title_of
from adjudge.metaeval.tables.pairs import pairs_table
from adjudge.ranking.head_to_head import mark
from adjudge.report.drawing.canvas import SMALL, Canvas, text_width
from adjudge.report.drawing.matrix import WRITTEN, matrix, pitch
from adjudge.report.drawing.system_labels import labels
from adjudge.report.drawing.system_rows import Rows
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.stats.tests import SIGNIFICANT

_STEPS = ((0.01, 0.95), (0.05, 0.6), (0.10, 0.3))  # p up to this, and how dark its cell is
_TOP = 40.0
_BELOW = 26.0


def tested_metrics(result: MetaEvaluation) -> NDArray[np.int64]:
    """Metrics that were tested against another one."""
    finite = np.isfinite(result.p)
    tested = np.flatnonzero(finite.any(axis=0) | finite.any(axis=1))
    if len(tested) < 2:
        raise NotEnoughData("no two metrics were tested")
    return tested


def _alt(result: MetaEvaluation) -> str:
    tested = tested_metrics(result)
    p = result.p_adjusted
    pairs = int(np.isfinite(p).sum())
    clear = int((p <= SIGNIFICANT).sum())
    first = result.metrics[tested[0]]
    beaten = int((p[tested[0]] <= SIGNIFICANT).sum())
    return (
        f"Matrix of p of every two of {len(tested)} metrics by {title_of(result.statistics[0])}, "
        f"in {int(result.cluster.max())} clusters. Of {pairs:,} pairs {clear:,} differ "
        f"significantly (5 %, {ADJUSTED[result.correction]}); the best, {first}, is significantly "
        f"better than {beaten} of the {len(tested) - 1} others."
    )


def _shade(theme: Theme, p: float) -> tuple[str, str]:
    return theme.heat_of(next((dark for limit, dark in _STEPS if p <= limit), 0.0))


def _draw(result: MetaEvaluation, theme: Theme) -> Canvas:
    tested = tested_metrics(result)
    p = result.p_adjusted[np.ix_(tested, tested)]
    many = len(tested) > WRITTEN
    texts = [
        ["" if np.isnan(cell) else f"{cell:.2f}".removeprefix("0") + mark(cell) for cell in row]
        for row in p
    ]
    values = np.where(p <= _STEPS[-1][0], p, np.nan) if many else p
    called = labels([result.metrics[m] for m in tested])
    rows = Rows(called, (), _TOP, pitch(len(tested)), numbered=True)
    shown = matrix(values, texts, rows, "the metric of the row is better than this one")
    canvas = Canvas(shown.width, rows.bottom + _BELOW, theme)
    if many:
        ground = (shown.left, rows.top, shown.right - shown.left, rows.bottom - rows.top)
        canvas.boxes([ground], theme.band, above=0)
    shown.draw(canvas, lambda value: _shade(theme, value))
    for end in np.flatnonzero(np.diff(result.cluster[tested])):
        y = rows.top + rows.pitch * (end + 1) - (0.0 if many else 0.5)
        canvas.line([(0, y), (shown.right, y)], theme.soft)
    _draw_key(canvas, rows.bottom + 15)
    return canvas


def _draw_key(canvas: Canvas, y: float) -> None:
    x = 2.0
    for (limit, _), sign in zip(_STEPS, "‡†⋆", strict=True):
        colour, _ = _shade(canvas.theme, limit)
        canvas.boxes([(x, y - 6, 12, 12)], colour)
        said = f"{sign} p ≤ {limit:.2f}"
        canvas.text(x + 17, y, said, canvas.theme.soft, SMALL)
        x += 17 + text_width(said, SMALL) + 14
    canvas.text(x, y, "lines: clusters", canvas.theme.soft, SMALL)


FIGURE = Figure(
    "metric-matrix",
    "Which metric beats which",
    "p of the test that the metric of the row is better than that of the column, adjusted over all "
    "pairs; the darker, the surer. A line ends a cluster: the next metric is significantly worse "
    f"than one of those above. Of more than {WRITTEN} metrics no numbers are written.",
    pairs_table,
    _alt,
    _draw,
)
