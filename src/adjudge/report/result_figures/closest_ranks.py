"""Distance of the nearest candidate, and comparison of ranks (Macháček 2014, Figures 3.2, 3.3)."""

from collections.abc import Mapping, Sequence

import polars as pl

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.core.tables.table import Column, Table
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas, text_width
from adjudge.report.drawing.label_placement import spread
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, x_axis, y_axis
from adjudge.report.drawing.system_labels import labels
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.segments.closest_ranks import COMPARED, ClosestRanks

Results = Sequence[ClosestRanks]

FEWEST = 20  # misses; a distance with fewer gives no point

_ROW = 30.0  # pixels of a system
_BETWEEN = 34.0
_HEIGHT = 190.0
_LONGEST = 100.0  # pixels of a name
_DASHES: Mapping[str, tuple[float, float] | None] = {
    "worse": (2, 3),
    "equal": (7, 3),
    "better": None,
}


def _only(results: Results) -> ClosestRanks:
    if len(results) != 1:
        raise BadParameter(
            f"a figure is of one language pair, as in result[`pair`]; here are {len(results)}"
        )
    return results[0]


def _shares(result: ClosestRanks) -> pl.DataFrame:
    """Shares by distance, for distances with enough misses."""
    kept = result.by_distance().filter(pl.col("misses") >= FEWEST)
    if len(kept) < 2:
        raise NotEnoughData(
            f"{result.pair}: fewer than two distances have {FEWEST} candidates that only one "
            "system made; judge more segments"
        )
    return kept


def _table(results: Results) -> Table:
    result = _only(results)
    columns = [Column("distance", "distance"), Column("misses", "misses")]
    return Table(
        _shares(result).to_dicts(),
        [*columns, *(Column(name, name, percent=True) for name in COMPARED)],
        title=f"{result.pair}: the nearest candidate's rank beside the true one, by distance",
        data=result.to_frame().to_dicts(),
    )


def _alt(results: Results) -> str:
    shares = _shares(_only(results))
    first, last = shares.row(0, named=True), shares.row(-1, named=True)
    said = ", ".join(
        f"{name} from {100 * first[name]:.0f} to {100 * last[name]:.0f} %" for name in COMPARED
    )
    return (
        f"The nearest candidate's rank beside the true one, from distance {first['distance']} to "
        f"{last['distance']}: {said}."
    )


def _draw(results: Results, theme: Theme) -> Canvas:
    result = _only(results)
    shares = _shares(result)
    counts = result.to_frame()
    systems = (
        counts.filter(pl.col("distance") > 0)
        .group_by("system")
        .agg(pl.col("candidates").sum())
        .sort(pl.col("candidates"), "system", descending=[True, False])["system"]
        .to_list()
    )
    called = dict(zip(systems, labels(systems, _LONGEST), strict=True))
    below = Y_LABEL + _ROW * len(systems) + _BETWEEN
    canvas = Canvas(NARROW, below + Y_LABEL + _HEIGHT + X_AXIS, theme)
    left = max(text_width(label) for label in called.values()) + 12
    right = canvas.width - max(text_width(word) for word in (*COMPARED, "100 %")) - 10
    across = Scale(0.4, shares["distance"].to_list()[-1] + 0.6, left, right)
    _rows(canvas, counts, called, across)
    bottom = below + Y_LABEL + _HEIGHT
    up = Scale(0, 1, bottom, below + Y_LABEL)
    y_axis(canvas, up, left, right, "share of the nearest that is ranked …", _percent)
    x_axis(canvas, across, below + Y_LABEL, bottom, "edits of characters to the nearest candidate")
    _lines(canvas, shares, across, up)
    return canvas


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _rows(canvas: Canvas, counts: pl.DataFrame, called: Mapping[str, str], across: Scale) -> None:
    """Draw one row per system and one bar per distance on a common scale, with hits at the
    right.
    """
    theme = canvas.theme
    reach = int(across.high)
    rows = counts.select("system", "distance", "candidates").iter_rows()
    numbers = {(system, distance): number for system, distance, number in rows}
    most = max(number for (_, distance), number in numbers.items() if 0 < distance <= reach)
    canvas.text(2, 8, f"candidates that no other system made (most: {most:,})", theme.soft)
    canvas.text(canvas.width - 2, 8, "hits", theme.soft, align="right")
    wide = (across.end - across.start) / (across.high - across.low)
    for place, (system, label) in enumerate(called.items()):
        base = Y_LABEL + _ROW * (place + 1)
        canvas.text(2, base - 8, label)
        canvas.line([(across.start, base), (across.end, base)], above=0)
        own = {distance: n for (name, distance), n in numbers.items() if name == system}
        heights = {d: (_ROW - 4) * n / most for d, n in own.items() if 0 < d <= reach}
        canvas.boxes(
            [
                (across(distance) - 0.4 * wide, base - high, 0.8 * wide, high)
                for distance, high in sorted(heights.items())
            ],
            fill=theme.accent,
        )
        hits = own.get(0, 0) / sum(own.values())
        canvas.text(canvas.width - 2, base - 8, _percent(hits), theme.soft, align="right")


def _lines(canvas: Canvas, shares: pl.DataFrame, across: Scale, up: Scale) -> None:
    theme = canvas.theme
    colours = {"worse": theme.second, "equal": theme.soft, "better": theme.accent}
    for name in COMPARED:
        points = [
            (across(d), up(share)) for d, share in shares.select("distance", name).iter_rows()
        ]
        canvas.line(points, colours[name], 2, _DASHES[name])
        canvas.dots(points, 2.5, colours[name])
    ends = [up(shares[name][-1]) for name in COMPARED]
    for name, y in zip(COMPARED, spread(ends, LINE, up.end + 8, up.start - 8), strict=True):
        canvas.text(across.end + 8, y, name, colours[name])


FIGURE = Figure(
    "nearest-candidates",
    "How near is the nearest candidate?",
    "Above, of each system taken for unseen: how many of its candidates no other system made, by "
    "the distance to the nearest one of the others (Macháček 2014 Figure 3.2). Below: how often "
    "the nearest one was ranked worse than, equal to or better than the candidate itself (Figure "
    f"3.3), at distances with {FEWEST} candidates or more. Where better is above worse, the "
    "nearest candidate makes an unseen system too good.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
