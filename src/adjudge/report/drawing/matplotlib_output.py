"""Rendering of a canvas by matplotlib: PDF and PNG."""

import io
from collections.abc import Mapping
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure as Sheet
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from adjudge.report.drawing.canvas import Canvas, Shape, Words, font, without_warnings

DOTS_PER_INCH = 216  # of PNG: three dots a pixel

_FIXED: dict[Any, Any] = {
    "pdf.fonttype": 42,  # TrueType: publishers refuse Type 3
    "path.simplify": False,
}
_CODES = {
    "M": (Path.MOVETO,),
    "L": (Path.LINETO,),
    "C": (Path.CURVE4,) * 3,
    "Z": (Path.CLOSEPOLY,),
}


def file(canvas: Canvas, form: str, metadata: Mapping[str, str | None]) -> bytes:
    """Render a file; equal canvases give equal bytes."""
    stream = io.BytesIO()
    with rc_context(_FIXED), without_warnings():
        sheet(canvas).savefig(stream, format=form, dpi=DOTS_PER_INCH, metadata=dict(metadata))
    return stream.getvalue()


def sheet(canvas: Canvas) -> Sheet:
    """Convert the canvas to a matplotlib figure."""
    # At 72 dots an inch a point, matplotlib's unit, is a pixel.
    size = (canvas.width / 72, canvas.height / 72)
    figure = Sheet(figsize=size, dpi=72, facecolor=canvas.theme.paper)
    flip = Affine2D().scale(1 / canvas.width, -1 / canvas.height).translate(0, 1)
    place = flip + figure.transFigure
    for order, mark in enumerate(canvas.marks):
        artist = _text(mark) if isinstance(mark, Words) else _patch(mark)
        artist.set(transform=place, zorder=order)
        figure.add_artist(artist)
    return figure


def _text(words: Words) -> Text:
    return Text(
        words.x,
        words.y,
        words.text,
        color=words.colour,
        fontproperties=font(words.size, words.bold),
        horizontalalignment=words.align,
        verticalalignment="baseline",
        rotation=words.turned,
        rotation_mode="anchor",
        parse_math=False,
    )


def _patch(shape: Shape) -> PathPatch:
    points: list[tuple[float, ...]] = []
    codes: list[Any] = []
    for letter, numbers in shape.steps:
        # Matplotlib wants a point where a path closes, and takes no notice of it.
        points += [numbers[i : i + 2] for i in range(0, len(numbers), 2)] or [(0.0, 0.0)]
        codes += _CODES[letter]
    return PathPatch(
        Path(points, codes),
        facecolor=shape.fill or "none",
        edgecolor=shape.edge or "none",
        linewidth=shape.width if shape.edge else 0,
        linestyle="-"
        if shape.dashes is None
        else (0, tuple(d / shape.width for d in shape.dashes)),
        capstyle="round" if shape.round else "butt",
        joinstyle="round",
        # Dots are so short that they would vanish between whole pixels.
        snap=False if shape.round and shape.edge and not shape.fill else None,
    )
