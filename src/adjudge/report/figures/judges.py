"""Judges by speed and agreement with the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, log, sqrt

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Between, Column, Table
from adjudge.diagnosis.finding import FEWEST_RANKINGS, FINDINGS, DetailRow
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.label_placement import label_points
from adjudge.report.drawing.scales import (
    X_AXIS,
    Y_LABEL,
    Scale,
    padded,
    seconds_marks,
    written,
    x_axis,
    y_axis,
    y_room,
)
from adjudge.report.drawing.system_labels import shortened
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

FEWEST = 20  # comparable pairs of judgements; κ of fewer says nothing

_HEIGHT = 270.0
_SMALLEST, _LARGEST = 3.0, 11.0  # radius of a judge
_NAMED = 12  # judges who get a label: the accused, and then those furthest from the middle


@dataclass(frozen=True)
class _Judge:
    name: str
    rankings: int
    seconds: float  # the median of a ranking
    kappa: float  # with the other judges
    low: float | None
    high: float | None
    accused: bool


def _judges(analysis: Analysis) -> list[_Judge]:
    """Judges with enough work: the accused first, then by number of rankings."""
    speed = FINDINGS.named("speed").answer(analysis.evidence).details
    suspects = {row["judge"] for row in (*speed, *_information(analysis)) if row["accused"]}
    # Comparisons among systems proper, where there is a reference to leave out.
    inter = {judge.judge: judge.inter for judge in analysis.judges if not judge.with_reference}
    judges = [
        _Judge(
            row["judge"],
            row["rankings"],
            row["median_seconds"],
            said.kappa,
            said.low,
            said.high,
            row["judge"] in suspects,
        )
        for row in speed
        if (said := inter.get(row["judge"])) and said.kappa is not None
        if said.comparable >= FEWEST
    ]
    if len(judges) < 2:
        raise NotEnoughData(
            f"fewer than two judges have {FEWEST_RANKINGS} timed rankings and {FEWEST} pairs of "
            "judgements to compare with others'"
        )
    return sorted(judges, key=lambda judge: (not judge.accused, -judge.rankings, judge.name))


def _information(analysis: Analysis) -> Sequence[DetailRow]:
    try:
        return FINDINGS.named("uninformative-judges").answer(analysis.evidence).details
    except NotEnoughData:
        return ()


def _table(analysis: Analysis) -> Table:
    rows = [
        {
            "pair": analysis.pair,
            "judge": judge.name,
            "rankings": judge.rankings,
            "median_seconds": judge.seconds,
            "kappa": judge.kappa,
            "kappa_low": judge.low,
            "kappa_high": judge.high,
            "accused": judge.accused,
        }
        for judge in _judges(analysis)
    ]
    return Table(
        rows,
        [
            Column("judge", "judge"),
            Column("rankings", "rankings"),
            Column("median_seconds", "median seconds", 0),
            Column("kappa", "κ with the others", 3),
            Between("kappa_low", "interval", 3, to="kappa_high"),
            Column("accused", "accused"),
        ],
        title=f"{analysis.pair}: judges by speed and agreement",
        notes=[
            f"Judges with at least {FEWEST_RANKINGS} timed rankings and {FEWEST} pairs of "
            "judgements to compare with others'. Accused: see the findings speed and "
            "uninformative-judges."
        ],
    )


def _alt(analysis: Analysis) -> str:
    judges = _judges(analysis)
    fast, slow = (f(judges, key=lambda judge: judge.seconds) for f in (min, max))
    accused = [judge.name for judge in judges if judge.accused]
    suspects = f"Accused: {', '.join(accused)}." if accused else "No judge is accused."
    return (
        f"Scatter plot of {len(judges)} judges, median seconds a ranking against κ with the other "
        f"judges: from {fast.name} ({fast.seconds:.0f} s, κ {written(fast.kappa, 2)}) to "
        f"{slow.name} ({slow.seconds:.0f} s, κ {written(slow.kappa, 2)}). {suspects}"
    )


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    judges = _judges(analysis)
    canvas = Canvas(NARROW, Y_LABEL + _HEIGHT + X_AXIS, theme)
    bottom, right = Y_LABEL + _HEIGHT, canvas.width - 6
    up = Scale(*padded([0.0, *(judge.kappa for judge in judges)], 0.08), bottom, Y_LABEL)
    left = y_room(up)
    reach = padded([log(judge.seconds, 2) for judge in judges], 0.1)
    across = Scale(2 ** reach[0], 2 ** reach[1], left, right, logarithmic=True)
    y_axis(canvas, up, left, right, "κ with the other judges")
    x_axis(canvas, across, Y_LABEL, bottom, "median time of a ranking", seconds_marks(across))
    most = max(judge.rankings for judge in judges)
    radii = [max(_LARGEST * sqrt(judge.rankings / most), _SMALLEST) for judge in judges]
    points = [(across(judge.seconds), up(judge.kappa)) for judge in judges]
    for number in np.argsort(radii, kind="stable")[::-1]:  # small ones above large ones
        canvas.dots([points[number]], radii[number] + 1, theme.paper)
        colour = theme.alarm if judges[number].accused else theme.accent
        canvas.dots([points[number]], radii[number], colour)
    middle = np.median(points, axis=0)
    away = [hypot(x - middle[0], y - middle[1]) for x, y in points]
    named = sorted(range(len(judges)), key=lambda i: (not judges[i].accused, -away[i]))
    label_points(
        canvas,
        [points[i] for i in named],
        [[shortened(judges[i].name, 100)] if n < _NAMED else [] for n, i in enumerate(named)],
        (left, Y_LABEL, canvas.width - left, _HEIGHT),
        [radii[i] for i in named],
    )
    return canvas


FIGURE = Figure(
    "judges",
    "Judges by speed and agreement",
    "A dot is a judge, its area the rankings done: how long the median ranking took, and κ with "
    "the other judges. Fast and low is a reason to look; red are judges whom a finding accuses.",
    _table,
    _alt,
    _draw,
    place=10,
    needs=frozenset({"judge", "segment", "seconds"}),
    of_single=True,
    narrow=True,
)
