"""Controls: pairs of outputs so clear to trusted judges that others should get them right.

M_ij counts the trusted judges who ranked output i better than j on a segment; the pair is a
control where |M_ij − M_ji| > 5. A judge passes a control by ranking the two as the trusted
did; a tie does not pass. Who met at least ten controls and failed more than half is rejected
(WMT13 §3.1). Each trusted judge has one vote on a pair, and is held to the others' votes only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.agreement.chance import ratio
from adjudge.agreement.conventions import CONVENTIONS
from adjudge.agreement.interpretation import landis_koch
from adjudge.agreement.labels import TIE, Ints, Labels, pairwise_labels
from adjudge.agreement.pairwise import Tally, tally_of
from adjudge.core.results import Results
from adjudge.data.comparisons import Comparisons, Outputs, by_pair, compare
from adjudge.data.selection import require

MARGIN = 5
AT_LEAST = 10
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, eq=False)
class Controls:
    """The pairs that serve as controls, and how each judge did on them."""

    pair: str
    judges: tuple[str, ...]
    trusted: NDArray[np.bool_]  # per judge
    margin: int
    segment: tuple[str, ...]  # one entry per control
    better: tuple[str, ...]
    worse: tuple[str, ...]
    votes: Ints  # M_ij − M_ji
    met: Ints  # per judge
    failed: Ints

    def passed(self) -> NDArray[np.float64]:
        """Share of controls each judge passed; NaN where none was met."""
        return 1 - ratio(self.failed, self.met)

    def rejected(self, at_least: int = AT_LEAST) -> NDArray[np.bool_]:
        """Who met `at_least` controls and failed more than half of them."""
        return (self.met >= at_least) & (2 * self.failed > self.met)

    def to_frame(self) -> pl.DataFrame:
        """The controls: segment, better, worse, votes."""
        return pl.DataFrame(
            {
                "segment": self.segment,
                "better": self.better,
                "worse": self.worse,
                "votes": self.votes,
            },
            schema={
                "segment": pl.String,
                "better": pl.String,
                "worse": pl.String,
                "votes": pl.Int64,
            },
        )


def trusted_judges(comparisons: Comparisons, groups: Sequence[str] = ()) -> NDArray[np.bool_]:
    """The judges of the groups named; everyone where none is."""
    if not groups:
        return np.ones(len(comparisons.judges), bool)
    require(groups, {group for group in comparisons.groups if group}, "group")
    return np.array([group in groups for group in comparisons.groups], bool)


def controls(
    comparisons: Comparisons, trusted: NDArray[np.bool_] | None = None, margin: int = MARGIN
) -> Controls:
    """Controls from the consensus of `trusted` judges (default: all), and how judges did."""
    if trusted is None:
        trusted = trusted_judges(comparisons)
    labels = pairwise_labels(comparisons)
    votes = np.pad(trusted, (0, len(labels.judges) - len(trusted)))  # an unknown judge has none
    own = _vote(labels) * votes[labels.judge]
    first = np.unique(labels.item_of_judge, return_index=True)[1]
    item, weight = labels.item[first], own[first]
    net = np.bincount(item, weight, labels.item.max(initial=-1) + 1).astype(np.int64)
    others = net[labels.item] - own
    met = np.abs(others) > margin
    failed = met & (labels.label - TIE != np.sign(others))
    judges = len(comparisons.judges)
    segment, better, worse, majority = _pairs(comparisons, labels, net, margin)
    return Controls(
        pair=comparisons.pair,
        judges=comparisons.judges,
        trusted=trusted,
        margin=margin,
        segment=segment,
        better=better,
        worse=worse,
        votes=majority,
        met=np.bincount(labels.judge, met, judges).astype(np.int64)[:judges],
        failed=np.bincount(labels.judge, failed, judges).astype(np.int64)[:judges],
    )


def _vote(labels: Labels) -> Ints:
    """What the judge of each label says of the item all in all: −1, 0 or +1."""
    net = np.bincount(labels.item_of_judge, labels.label - TIE)
    return np.sign(net).astype(np.int64)[labels.item_of_judge]


def _pairs(
    comparisons: Comparisons, labels: Labels, net: Ints, margin: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Ints]:
    chosen = np.unique(labels.item, return_index=True)[1]  # one comparison of each item
    chosen = chosen[np.abs(net) > margin]
    left, right = comparisons.left[chosen], comparisons.right[chosen]
    low, high = np.minimum(left, right), np.maximum(left, right)
    votes = net[labels.item[chosen]]
    better, worse = np.where(votes > 0, low, high), np.where(votes > 0, high, low)
    return (
        tuple(comparisons.segments[s] for s in comparisons.segment[chosen]),
        tuple(comparisons.systems[s] for s in better),
        tuple(comparisons.systems[s] for s in worse),
        np.abs(votes),
    )


@dataclass(frozen=True)
class ThresholdAgreement:
    """Inter-annotator agreement of the judges who passed enough controls (WMT13 Table 5)."""

    pair: str
    threshold: float
    controls: int
    judges: int
    rankings: int
    tally: Tally

    def row(self) -> dict[str, Any]:
        """The result as flat keys."""
        return {
            "pair": self.pair,
            "by": "controls",
            "threshold": self.threshold,
            "controls": self.controls,
            "judges": self.judges,
            "rankings": self.rankings,
            "kind": "inter",
            **self.tally.row(),
            "landis_koch": landis_koch(self.tally.kappa),
        }


def agreement_by_controls(
    table: pl.DataFrame,
    trusted: Sequence[str] = (),
    outputs: Outputs = "collapsed",
    at_least: int = AT_LEAST,
    thresholds: Sequence[float] = THRESHOLDS,
) -> Results[ThresholdAgreement]:
    """Agreement among judges who met `at_least` controls and passed at least a share of them.

    Judges of the `trusted` groups make the controls and are left out of the agreement; where
    no group is named, every judge is held to the controls of all others.
    """
    results = []
    for pair, judged in by_pair(table):
        comparisons = compare(judged, outputs)
        control_items = controls(comparisons, trusted_judges(comparisons, trusted))
        candidate = (control_items.met >= at_least) & (~control_items.trusted if trusted else True)
        for threshold in thresholds:
            accepted = candidate & (np.nan_to_num(control_items.passed()) >= threshold)
            kept = comparisons.where(np.append(accepted, False)[comparisons.judge])
            results.append(
                ThresholdAgreement(
                    pair,
                    threshold,
                    len(control_items.segment),
                    int(np.count_nonzero(accepted)),
                    len(np.unique(kept.ranking)),
                    tally_of(CONVENTIONS["sound"].evidence(kept)["inter"]),
                )
            )
    return Results(results)
