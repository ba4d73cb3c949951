"""How far judges agree on scores: on the values, and on the ranks that the values imply.

WMT07 §6 asks both of adequacy and fluency. K = (P(A) − P(E)) / (1 − P(E)), where P(A) is how
often two judgements of one output are the same value and P(E) = 1/5 on a scale of five points;
or how often they order two outputs of a segment the same way (<, = or >) and P(E) = 1/3. Exact
values are no measure on a scale of a hundred points: there Krippendorff's α for intervals says
how close values are, and K is left to the ranks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl

from adjudge.agreement.categorical import LabelAgreement, agreement_of
from adjudge.agreement.coefficients import Coefficient
from adjudge.agreement.labels import Ints, Labels, pairwise_labels
from adjudge.core.results import Results
from adjudge.data.comparisons import compare, encode
from adjudge.data.scores_as_rankings import appearance_codes, code_rows, implied_rankings
from adjudge.stats.resampling import Resampling

POINTS = {"adequacy": 5, "fluency": 5}
MOST_VALUES = 101  # told apart; finer ones are rounded to so many steps

Of = Literal["values", "ranks"]
WANTED: Mapping[Of, tuple[str, ...]] = {"values": ("S", "alpha_interval"), "ranks": ("S",)}


@dataclass(frozen=True, eq=False)
class ScoreAgreement:
    """Agreement between judges (inter) or of judges with themselves (intra)."""

    pair: str
    scale: str
    of: Of
    exact: bool  # are equal labels to be expected, so that counting them says something?
    agreed: LabelAgreement

    def row(self) -> dict[str, Any]:
        """The agreement as flat keys; what cannot be said is None."""
        by_name = {c.name: c for c in self.agreed.coefficients}
        nothing = Coefficient(None, None)
        k = by_name.get("S", nothing) if self.exact else nothing
        alpha = by_name.get("alpha_interval", nothing)
        p_a = by_name.get("S", nothing).p_a
        return {
            "pair": self.pair,
            "scale": self.scale,
            "of": self.of,
            "kind": self.agreed.kind,
            "judges": self.agreed.judges,
            "items": self.agreed.items,
            "agree": self.agreed.agree,
            "comparable": self.agreed.comparable,
            "p_a": p_a,
            "p_e": k.p_e,
            "k": k.value,
            "k_low": k.low,
            "k_high": k.high,
            "alpha": alpha.value,
            "alpha_low": alpha.low,
            "alpha_high": alpha.high,
            "unit": self.agreed.unit,
            "holds_for": self.agreed.holds_for,
        }


def score_agreement(
    pair: str, scale: str, part: pl.DataFrame, resampling: Resampling | None = None
) -> Results[ScoreAgreement]:
    """Agreement on the scores of one scale of one language pair (`scored.by_scale`)."""
    known = part.drop_nulls(["judge", "segment"])
    if not len(known):
        return Results()
    points = POINTS.get(scale)
    if (known["score"] != known["score"].round()).any():
        points = None  # means of several judgements, not points that a judge chose
    values = _values(known, points)
    ranks = pairwise_labels(compare(implied_rankings(known), "collapsed"))
    kinds: tuple[tuple[Of, Labels, bool], ...] = (
        ("values", values, points is not None),
        ("ranks", ranks, True),
    )
    return Results(
        ScoreAgreement(pair, scale, labelled, exact, agreed)
        for labelled, labels, exact in kinds
        for agreed in agreement_of(labels, resampling, WANTED[labelled])
    )


def _values(part: pl.DataFrame, points: int | None) -> Labels:
    """The scores as labels of outputs; a bootstrap draws segments with all their outputs."""
    score = part["score"].to_numpy() + 0.0  # −0 is 0
    if points is None and len(np.unique(score)) > MOST_VALUES:
        step = np.ptp(score) / (MOST_VALUES - 1)
        score = np.rint(score / step) * step
    of_segment = [appearance_codes(part[name]) for name in ("document", "segment")]
    judge, judges = encode(part["judge"])
    different, label = np.unique(score, return_inverse=True)
    labels = Labels(
        item=_coded([*of_segment, appearance_codes(part["output"])]),
        judge=judge.astype(np.int64),
        label=label.astype(np.int64),
        segment=_coded(of_segment) + 1,
        judges=judges,
        categories=tuple(pl.Series(different).cast(pl.String)),
    )
    if points is None:
        return labels
    # All points of the scale count, whether or not any judge used them.
    value = np.array([float(name) for name in labels.categories])
    whole = tuple(str(point) for point in range(1, points + 1))
    return replace(
        labels, label=np.rint(value).astype(np.int64)[labels.label] - 1, categories=whole
    )


def _coded(columns: list[pl.Series]) -> Ints:
    return code_rows(columns).to_numpy() - 1
