"""Scales from values to pixels, and axes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log, log10

from matplotlib.ticker import MaxNLocator

from adjudge.report.drawing.canvas import SIZE, Canvas, text_width

_STEPS = [1, 2, 2.5, 5, 10]
_ALIKE = 1e-6


@dataclass(frozen=True)
class Scale:
    """Linear scale of values from `low` to `high` to pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Pixel position of a value."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = log(low), log(high), log(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)


def padded(values: Sequence[float], share: float = 0.05) -> tuple[float, float]:
    """Range of the values with a margin, also if all are equal."""
    low, high = min(values), max(values)
    alike = high - low < _ALIKE * max(1.0, abs(low), abs(high))
    room = 0.5 if alike else share * (high - low)
    return low - room, high + room


def ticks(scale: Scale, most: int = 5) -> list[tuple[float, str]]:
    """Round values within the scale, with their labels."""
    round_values = MaxNLocator(nbins=most, steps=_STEPS).tick_values(scale.low, scale.high)
    within = [float(v) for v in round_values if scale.low - 1e-9 <= v <= scale.high + 1e-9]
    step = float(round_values[1] - round_values[0])
    digits = max(0, -floor(log10(step) + 1e-9))
    if round(step, digits) != step and abs(round(step, digits) - step) > 1e-9 * step:
        digits += 1  # steps of a quarter
    return [(v, written(v, digits)) for v in within]


def written(value: float, digits: int) -> str:
    """Format a number with a true minus sign and grouped thousands, without negative zero."""
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")


def x_axis(
    canvas: Canvas,
    scale: Scale,
    top: float,
    bottom: float,
    label: str,
    marks: Sequence[tuple[float, str]] | None = None,
) -> None:
    """Draw the x axis: a grid line and a number at every mark, and the label below."""
    for value, text in _apart(scale, marks or ticks(scale), canvas.width):
        x = scale(value)
        canvas.line([(x, top), (x, bottom)], above=0)
        canvas.text(x, bottom + 11, text, canvas.theme.soft, align="center")
    middle = (scale.start + scale.end) / 2
    half = text_width(label) / 2
    middle = min(max(middle, half + 2), canvas.width - half - 2)
    canvas.text(middle, bottom + 28, label, canvas.theme.soft, align="center")


X_AXIS = 38.0  # pixels it takes below the plot


def _apart(
    scale: Scale, marks: Sequence[tuple[float, str]], width: float
) -> list[tuple[float, str]]:
    """Marks whose numbers neither overlap nor leave the canvas."""
    kept: list[tuple[float, str]] = []
    end = 0.0
    for value, text in marks:
        half = text_width(text) / 2
        if scale(value) - half > end and scale(value) + half < width:
            kept.append((value, text))
            end = scale(value) + half + 6
    return kept


def y_axis(
    canvas: Canvas,
    scale: Scale,
    left: float,
    right: float,
    label: str,
    shown: Callable[[float], str] | None = None,
) -> None:
    """Draw the y axis: a grid line and a number at every round value, and the label above."""
    for value, text in ticks(scale):
        y = scale(value)
        canvas.line([(left, y), (right, y)], above=0)
        canvas.text(left - 6, y, shown(value) if shown else text, canvas.theme.soft, align="right")
    if label:
        canvas.text(2, min(scale.start, scale.end) - 14, label, canvas.theme.soft)


Y_LABEL = 22.0  # pixels it takes above the plot


def y_room(scale: Scale, shown: Callable[[float], str] | None = None) -> float:
    """Width of the numbers of a y axis in pixels."""
    texts = [shown(value) if shown else text for value, text in ticks(scale)]
    return max((text_width(text, SIZE) for text in texts), default=0) + 8


def seconds_marks(scale: Scale) -> list[tuple[float, str]]:
    """Round times within a scale of seconds."""
    minutes = [(60.0 * n, f"{n} min") for n in (1, 2, 5, 10, 20, 30, 60, 120)]
    round_ones = [*((float(n), f"{n} s") for n in (1, 2, 5, 10, 20, 30)), *minutes]
    marks = [(value, text) for value, text in round_ones if scale.low <= value <= scale.high]
    return marks if len(marks) > 1 else [(value, f"{text} s") for value, text in ticks(scale)]
