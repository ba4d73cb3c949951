"""Time per item under each protocol (WMT07 §6, Figure 4)."""

from dataclasses import dataclass
from math import ceil

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.data.item_times import Time, time_items
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import NARROW, Canvas, text_width
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, ticks, x_axis, y_axis, y_room
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_STEPS = (1, 2, 5, 10)  # seconds that make one bar
_BARS = 30  # at most
_HEIGHT = 150.0  # pixels of one protocol
_BETWEEN = 16.0


@dataclass(frozen=True, eq=False)
class _Histogram:
    """Histogram of the times of one protocol, in steps of some seconds."""

    time: Time
    counts: NDArray[np.int64]
    step: int  # seconds

    @property
    def called(self) -> str:
        return self.time.protocol or "all items"

    @property
    def summary(self) -> str:
        return (
            f"{self.called}: median {self.time.median:.0f} s, mean {self.time.mean:.0f} s of "
            f"{self.time.items:,} items; {self.time.dropped:,} over five minutes left out"
        )


def _histograms(analysis: Analysis) -> list[_Histogram]:
    times = time_items(analysis.table)
    slowest = max(times.items["seconds"].to_list(), default=0)
    step = next((time for time in _STEPS if slowest <= _BARS * time), _STEPS[-1])
    edges = step * np.arange(max(ceil(slowest / step), 1) + 1)
    histograms = [
        _Histogram(
            time,
            np.histogram(
                times.items.filter(pl.col("protocol").eq_missing(time.protocol))["seconds"], edges
            )[0],
            step,
        )
        for time in times.rows
        if time.items
    ]
    if not histograms:
        raise NotEnoughData("every item took over five minutes: there was a break in each")
    return histograms


def _table(analysis: Analysis) -> Table:
    histograms = _histograms(analysis)
    rows: list[Row] = [
        {
            "pair": analysis.pair,
            "protocol": histogram.time.protocol,
            "seconds_from": histogram.step * i,
            "seconds_to": histogram.step * (i + 1),
            "items": int(number),
        }
        for histogram in histograms
        for i, number in enumerate(histogram.counts)
    ]
    several = [Column("protocol", "protocol")] if len(histograms) > 1 else []
    return Table(
        rows,
        [*several, Between("seconds_from", "seconds", to="seconds_to"), Column("items", "items")],
        title=f"{analysis.pair}: time per item",
        notes=[f"{histogram.summary}." for histogram in histograms],
    )


def _alt(analysis: Analysis) -> str:
    said = "; ".join(histogram.summary for histogram in _histograms(analysis))
    return f"Histogram of the time that items took. {said[:1].upper()}{said[1:]}."


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    histograms = _histograms(analysis)
    panel = Y_LABEL + _HEIGHT + _BETWEEN
    canvas = Canvas(NARROW, panel * len(histograms) - _BETWEEN + X_AXIS, theme)
    tops = [Y_LABEL + panel * n for n in range(len(histograms))]
    ups = [
        Scale(0, 1.08 * int(histogram.counts.max()), top + _HEIGHT, top)
        for histogram, top in zip(histograms, tops, strict=True)
    ]
    slowest = histograms[0].step * len(histograms[0].counts)
    across = Scale(0, slowest, max(map(y_room, ups)), canvas.width - 20)
    for n, (histogram, up) in enumerate(zip(histograms, ups, strict=True)):
        _draw_panel(canvas, histogram, across, up, last=n == len(ups) - 1)
    return canvas


def _marks(scale: Scale) -> list[tuple[float, str]]:
    if scale.high <= 120:
        return [(value, f"{text} s" if value else "0") for value, text in ticks(scale)]
    return [(60.0 * n, f"{n} min" if n else "0") for n in range(int(scale.high) // 60 + 1)]


def _draw_panel(
    canvas: Canvas, histogram: _Histogram, across: Scale, up: Scale, last: bool
) -> None:
    """Draw the histogram of one protocol with its median; the last one has the axis labels."""
    theme = canvas.theme
    top, bottom = up.end, up.start
    y_axis(canvas, up, across.start, across.end, f"{histogram.called}, in each {histogram.step} s")
    if last:
        x_axis(canvas, across, top, bottom, "time per item", _marks(across))
    wide = across(histogram.step) - across(0)
    canvas.boxes(
        [
            (across(histogram.step * i) + 0.5, up(number), wide - 1, bottom - up(number))
            for i, number in enumerate(histogram.counts.tolist())
            if number
        ],
        theme.accent,
    )
    median = histogram.time.median or 0.0
    x = across(median)
    canvas.line([(x, top), (x, bottom)], theme.second, 2)
    text = f"median {median:.0f} s"
    if x + 6 + text_width(text) < canvas.width:
        canvas.text(x + 6, top + 8, text, theme.second)
    else:
        canvas.text(x - 6, top + 8, text, theme.second, align="right")
    if histogram.time.dropped:
        left_out = f"{histogram.time.dropped:,} over 5 min left out"
        canvas.text(across.end, top - 14, left_out, theme.soft, align="right")


FIGURE = Figure(
    "time-per-item",
    "Time per item",
    "How many items took how long; what took over five minutes may hold a break and is left "
    "out (WMT07 Figure 4).",
    _table,
    _alt,
    _draw,
    place=11,
    needs=frozenset({"seconds"}),
    of_single=True,
    narrow=True,
    of_times=True,
)
