"""The figure of docs/ten-years-of-wmt.md, drawn from the rows that `ten_years` makes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.scales import Scale
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

if TYPE_CHECKING:
    from ten_years import Task

ROW, HEADING, TOP, FOOT = 15.0, 24.0, 62.0, 34.0
LEFT, RIGHT = 126.0, 12.0


def draw(rows: "Sequence[Task]", theme: Theme) -> Canvas:
    """A line a task: from one group to as many as there are systems, and what holds of them."""
    campaigns = list(dict.fromkeys(row.campaign for row in rows))
    height = TOP + ROW * len(rows) + HEADING * len(campaigns) + FOOT
    canvas = Canvas(NARROW, height, theme)
    across = Scale(1, max(row.systems for row in rows), LEFT, NARROW - RIGHT)
    _legend(canvas, theme)
    for mark in (1, 5, 10, 15, 20, 25):
        x = across(mark)
        canvas.line([(x, TOP), (x, height - FOOT)], above=0)
        for y in (TOP - 10, height - FOOT + 11):
            canvas.text(x, y, f"{mark}", theme.soft, size=10.5, align="center")
    y = TOP
    for campaign in campaigns:
        canvas.text(2, y + HEADING / 2 + 2, campaign, bold=True)
        y += HEADING
        for row in (row for row in rows if row.campaign == campaign):
            middle = y + ROW / 2
            canvas.text(LEFT - 10, middle, row.name, theme.soft, size=10.5, align="right")
            canvas.line([(across(1), middle), (across(row.systems), middle)], theme.other, 1.5)
            canvas.line(
                [(across(row.systems), middle - 3), (across(row.systems), middle + 3)],
                theme.other,
                1.5,
            )
            canvas.dots([(across(row.published), middle)], 3.5, theme.second)
            canvas.dots([(across(row.holds), middle)], 4.5, theme.accent)
            y += ROW
    return canvas


def _legend(canvas: Canvas, theme: Theme) -> None:
    canvas.text(2, 12, "Groups of systems that can be told apart", bold=True)
    x = 2.0
    for colour, radius, words, wide in (
        (theme.accent, 4.5, "hold for other judges and documents", 226),
        (theme.second, 3.5, "published", 74),
        (theme.other, 0, "systems", 60),
    ):
        if radius:
            canvas.dots([(x + 5, 31)], radius, colour)
        else:
            canvas.line([(x, 31), (x + 10, 31)], colour, 1.5)
            canvas.line([(x + 10, 28), (x + 10, 34)], colour, 1.5)
        canvas.text(x + 15, 31, words, theme.soft, size=10.5)
        x += wide + 15


def alt(rows: "Sequence[Task]") -> str:
    """The figure in words."""
    return (
        f"{len(rows)} tasks from WMT07 to WMT15, a line each. {sum(row.published for row in rows)} "
        f"places or clusters were published for {sum(row.systems for row in rows)} systems; "
        f"{sum(row.holds for row in rows)} groups hold for other judges and documents."
    )


FIGURE = Figure("ten-years", "Ten years of WMT", "", Any, alt, draw)  # type: ignore[arg-type]
