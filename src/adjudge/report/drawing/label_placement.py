"""Label placement beside points without overlap."""

from collections.abc import Sequence
from math import hypot

from adjudge.report.drawing.canvas import LINE, SIZE, Align, Box, Canvas, text_width

_AWAY = 3.0  # pixels from a point to its label
_BESIDE = 7.0  # from here on a line leads to it
_AIR = 2.0  # between two labels; letters are drawn up to a pixel wider than they are measured


def free(box: Box, taken: Sequence[Box]) -> bool:
    """Test whether the box overlaps none of those taken."""
    left, top, wide, high = box
    return all(
        left + wide + _AIR <= x or x + w + _AIR <= left or top + high <= y or y + h <= top
        for x, y, w, h in taken
    )


def label_points(
    canvas: Canvas,
    points: Sequence[tuple[float, float]],
    labels: Sequence[Sequence[str]],
    within: Box,
    radii: Sequence[float],
) -> None:
    """Place the first label of each point that fits, in the given order.

    Crowded points may stay without a label.
    """
    taken = [(x - r, y - r, 2 * r, 2 * r) for (x, y), r in zip(points, radii, strict=True)]
    for number, (point, texts) in enumerate(zip(points, labels, strict=True)):
        others = taken[:number] + taken[number + 1 :]
        placed = next(
            (
                (text, x, y, align, box)
                for text in texts
                for x, y, align, box in _candidates(*point, radii[number], text)
                if _inside(box, within) and free(box, others)
                if _clear(point, box, others)
            ),
            None,
        )
        if placed is not None:
            text, x, y, align, box = placed
            canvas.text(x, y, text, align=align)
            taken.append(box)
            _lead(canvas, point, radii[number], box)


def _nearest(point: tuple[float, float], box: Box) -> tuple[float, float]:
    left, top, wide, high = box
    return min(max(point[0], left), left + wide), min(max(point[1], top), top + high)


def _clear(point: tuple[float, float], box: Box, others: Sequence[Box]) -> bool:
    """Test whether the line from a point to its label crosses nothing else."""
    (x, y), (to_x, to_y) = point, _nearest(point, box)
    return all(
        free((x + (to_x - x) * part, y + (to_y - y) * part, 0, 0), others)
        for part in (0.25, 0.5, 0.75)
    )


def _lead(canvas: Canvas, point: tuple[float, float], radius: float, box: Box) -> None:
    """Draw a leader line to a label that is not adjacent to its point."""
    to = _nearest(point, box)
    if hypot(to[0] - point[0], to[1] - point[1]) > radius + _BESIDE:
        canvas.line([point, to], canvas.theme.other, 0.8, above=1)


def _candidates(
    x: float, y: float, radius: float, text: str
) -> list[tuple[float, float, Align, Box]]:
    """Candidate positions: right of a point, left, above, below, diagonal, and further away."""
    wide, high = text_width(text, SIZE), LINE
    right, left = x + radius + _AWAY, x - radius - _AWAY
    above, below = y - radius - 8, y + radius + 8
    places: list[tuple[float, float, Align]] = [
        (right, y, "left"),
        (left, y, "right"),
        (x, above, "center"),
        (x, below, "center"),
        (right - 3, above + 2, "left"),
        (left + 3, above + 2, "right"),
        (right - 3, below - 2, "left"),
        (left + 3, below - 2, "right"),
    ]
    for away in (22, 34, 46, 58):
        places += [
            place
            for way in (-away, away)
            for place in ((right, y + way, "left"), (left, y + way, "right"))
        ]
    start = {"left": 0.0, "center": 0.5, "right": 1.0}
    return [
        (px, py, align, (px - wide * start[align], py - high / 2, wide, high))
        for px, py, align in places
    ]


def _inside(box: Box, within: Box) -> bool:
    left, top, wide, high = box
    x, y, w, h = within
    return x <= left and left + wide <= x + w and y <= top and top + high <= y + h


def spread(ys: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Shift positions minimally so that they are `gap` apart, within `low` and `high`."""
    order = sorted(range(len(ys)), key=lambda i: ys[i])
    placed = [0.0] * len(ys)
    free = low
    for i in order:
        placed[i] = free = max(ys[i], free)
        free += gap
    free = high
    for i in reversed(order):
        placed[i] = free = min(placed[i], free)
        free -= gap
    return placed
