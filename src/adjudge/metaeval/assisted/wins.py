"""Metric-assisted Expected Wins: each share of wins is corrected by the metric.

    p_ab = wins / (wins + losses) − λ (mean of x_ab over the comparisons of a and b − x̄_ab)

x_ab(s) = Φ((m_as − m_bs) / τ) is the decision of the metric m on segment s, τ the standard
deviation of all such differences, x̄_ab its mean over all segments. The score of a is the mean of
p_ab over its opponents, as in `adjudge rank` (WMT13 §3.3), which it is with λ = 0. Ties of people
are no share of wins but count among the comparisons whose x is compared with that of all segments:
which comparisons end in a tie is no chance choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import Comparisons
from adjudge.data.win_counts import count
from adjudge.metaeval.assisted.result import Assisted, Judged, assisted
from adjudge.metaeval.assisted.segment_matching import KnownTexts, Name
from adjudge.ranking.assessment import placeable
from adjudge.ranking.cell_influence import cell_influence, crossing
from adjudge.ranking.counting.cells import tally_wins
from adjudge.ranking.counting.influence import influence_of_expected_wins
from adjudge.ranking.method import METHODS
from adjudge.ranking.methods.expected_wins import scores as expected_wins
from adjudge.ranking.participants import among, participants
from adjudge.ranking.population import auto_unit, population
from adjudge.stats.control_variates import Control, control, moved, power
from adjudge.stats.crossed import CellInfluence, moments
from adjudge.stats.resampling import Codes, Floats, Resampling
from adjudge.stats.uncertainty import Uncertainty
from adjudge.stats.variance_components import spread

METHOD = "expected-wins"


def assist_rankings(
    comparisons: Comparisons, known: KnownTexts, resampling: Resampling
) -> Assisted:
    """Rank the systems of one language pair."""
    method = METHODS.named(METHOD)
    taking_part = participants(comparisons, method.reference)
    unit = auto_unit(taking_part)
    if not {"document", "segment"} & set(unit.split("+")):
        raise NotEnoughData(
            f"{comparisons.pair}: the judgements name too few segments to know what a metric says "
            "of them"
        )
    placed = placeable(taking_part, method, unit)
    kept = among(taking_part, placed)
    thin = [name for name, has in zip(taking_part.systems, placed, strict=True) if not has]
    notes = [f"Not enough judgements to place {', '.join(thin)}: left out."] if thin else []
    resampling = replace(resampling, unit=unit)
    by_metric, lacking = known.scores(kept.systems)
    line, texts = _lines(kept, known, unit)
    sides = _sides(kept, line)
    given = _control(sides, by_metric, texts)
    strength = power(sides.moves, given)
    counts = count(kept)
    number = counts.comparisons.sum(axis=1).astype(np.float64)
    judged = Judged(
        pair=kept.pair,
        scale=METHOD,
        what="comparison",
        made=METHOD,
        systems=kept.systems,
        number=number,
        segments=len(np.unique(line)),
        holds_for=population(kept, unit),
        notes=(*notes, *lacking),
    )
    return assisted(
        judged,
        known,
        given,
        strength,
        _assessed(kept, resampling),
        _assessed(kept, resampling, (sides, given, strength)),
        resampling,
    )


@dataclass(frozen=True, eq=False)
class _Sides:
    """Both sides of every comparison, with its contribution to the share of wins."""

    system: Codes
    opponent: Codes
    line: Codes
    ranking: Codes
    weight: Floats  # in the score of the system, ties counted: 1 / (opponents · comparisons)
    moves: Floats  # by how much the comparison moves the score of the system


def _sides(comparisons: Comparisons, line: Codes) -> _Sides:
    left, right, outcome = comparisons.left, comparisons.right, comparisons.outcome
    system, opponent = np.concatenate([left, right]), np.concatenate([right, left])
    result = np.concatenate([outcome, -outcome])
    counts = count(comparisons)
    decided = counts.wins + counts.wins.T
    opponents = np.maximum((decided > 0).sum(axis=1), 1)[system]
    share = counts.wins / np.maximum(decided, 1)
    among_decided = (result != 0) / (opponents * np.maximum(decided - 1, 1)[system, opponent])
    met = (decided > 0)[system, opponent]  # who only tied is no opponent of expected wins
    return _Sides(
        system,
        opponent,
        np.concatenate([line, line]),
        np.concatenate([comparisons.ranking, comparisons.ranking]),
        met / (opponents * counts.comparisons[system, opponent]),
        among_decided * ((result > 0) - share[system, opponent]),
    )


def _control(sides: _Sides, by_metric: Floats, texts: Codes) -> Control:
    """Control variate of shares of wins: the metric's decisions in the judged comparisons and
    overall.
    """
    systems, lines = by_metric.shape
    steps = np.sqrt(2 * by_metric.var(axis=0, ddof=1).mean())
    scaled = by_metric / max(float(steps), 1e-12)
    everywhere = np.zeros((lines, systems))
    mean = np.full((systems, systems), 0.5)
    place = sides.system.astype(np.int64) * systems + sides.opponent
    share = np.bincount(place, sides.weight, systems * systems).reshape(systems, systems)
    for first, second in zip(*np.nonzero(share), strict=True):
        decides = ndtr(scaled[first] - scaled[second])
        mean[first, second] = decides.mean()
        everywhere[:, first] += share[first, second] * (decides - decides.mean()) / lines
    decides = ndtr(scaled[sides.system, sides.line] - scaled[sides.opponent, sides.line])
    return control(
        decides - mean[sides.system, sides.opponent],
        sides.weight,
        sides.system,
        sides.line,
        texts,
        everywhere,
    )


def _lines(comparisons: Comparisons, known: KnownTexts, unit: str) -> tuple[Codes, Codes]:
    """Line of every comparison, and text of every line."""
    width = len(comparisons.segments) + 1
    key = (comparisons.document.astype(np.int64) + 1) * width + comparisons.segment + 1
    distinct, of_comparison = np.unique(key, return_inverse=True)
    documents = _named(comparisons.documents, distinct // width - 1)
    lines = known.place(
        documents, _named(comparisons.segments, distinct % width - 1), comparisons.pair
    )
    return lines[of_comparison], known.texts(unit, documents, lines)


def _named(names: Sequence[str], codes: Codes) -> list[Name]:
    return [None if code < 0 else names[code] for code in codes]


def _assessed(
    comparisons: Comparisons,
    resampling: Resampling,
    correction: tuple[_Sides, Control, float] | None = None,
) -> Uncertainty:
    """Expected wins with their covariance, as in `adjudge rank`, corrected by a metric."""
    tally, counts = tally_wins(comparisons), count(comparisons)
    influence = influence_of_expected_wins(tally, counts)
    cells, _ = cell_influence(comparisons, tally, influence, resampling.unit)
    floor = influence.floor
    if correction is not None:
        cells = _corrected(comparisons, resampling, cells, *correction)
        floor = floor * _variance_left(*correction)
    spreading = spread(moments(cells), influence.working, floor)
    judged = Uncertainty(
        expected_wins(counts),
        influence.centre,
        spreading.covariance,
        spreading.degrees,
        spreading.test_degrees,
        "share",
        resampling.level,
    )
    if correction is None:
        return judged
    _, given, strength = correction
    return moved(judged, -strength * given.difference, given, strength)


def _corrected(
    comparisons: Comparisons,
    resampling: Resampling,
    cells: CellInfluence,
    sides: _Sides,
    given: Control,
    strength: float,
) -> CellInfluence:
    """Influence of cells on the scores, less λ times their influence on the control variate."""
    row = crossing(comparisons, resampling.unit).row[sides.ranking].astype(np.int64)
    moves = np.bincount(row * cells.items + sides.system, given.moves(), cells.influence.size)
    return replace(
        cells, influence=cells.influence - strength * moves.reshape(cells.influence.shape)
    )


def _variance_left(sides: _Sides, given: Control, strength: float) -> Floats:
    """Share of the variance of independent votes that remains after the correction."""
    left, all_of_it = (
        np.bincount(sides.system, moves**2, given.items)
        for moves in (sides.moves - strength * given.moves(), sides.moves)
    )
    ones = np.ones(given.items)
    return np.asarray(np.divide(left, all_of_it, out=ones, where=all_of_it > 0))
