"""How far reviewers agree on whether an edit is acceptable (WMT13 §4.2, Table 8).

What is judged is the edited text, whoever edited it: two reviews of the same text for the same
segment are compared, of two reviewers (inter) or one (intra). The labels are GOOD, ALMOST and
BAD, and ALMOST is also counted as either of the others: as GOOD, the answer to the yes/no
question; as BAD, whether anything was changed. κ is Fleiss's (`agreement.fleiss`). Repeated
edits count here; EMPTY ones have no text.
"""

from dataclasses import dataclass
from typing import Any

import polars as pl

from adjudge.agreement.categorical import LabelAgreement, label_agreement
from adjudge.core.results import Results
from adjudge.scoring.edits.data_rows import SEGMENT
from adjudge.stats.resampling import Resampling

TREATMENTS = {"separate": {}, "as BAD": {"ALMOST": "BAD"}, "as GOOD": {"ALMOST": "GOOD"}}


@dataclass(frozen=True, eq=False)
class AcceptabilityAgreement:
    """One kind of agreement of one language pair, with ALMOST treated in one way."""

    pair: str
    almost: str  # separate, as BAD, as GOOD
    agreed: LabelAgreement

    def row(self) -> dict[str, Any]:
        """Agreement and Fleiss's κ as flat keys."""
        fleiss = next(c for c in self.agreed.coefficients if c.name == "fleiss")
        return {
            "pair": self.pair,
            "agreement": self.agreed.kind,
            "almost": self.almost,
            "agree": self.agreed.agree,
            "comparable": self.agreed.comparable,
            "share": self.agreed.agree / self.agreed.comparable if self.agreed.comparable else None,
            "fleiss": fleiss.value,
            "fleiss_low": fleiss.low,
            "fleiss_high": fleiss.high,
            "unit": self.agreed.unit,
            "holds_for": self.agreed.holds_for,
        }


def acceptability_agreement(
    rows: pl.DataFrame, resampling: Resampling | None = None
) -> Results[AcceptabilityAgreement]:
    """The six rows of Table 8 for every language pair in data rows; none where nothing compares."""
    judged = rows.filter(pl.col("status") != "EMPTY").select(
        pl.col("pair"),
        pl.struct(*SEGMENT, "edit").rank("dense").alias("item"),
        pl.col("reviewer").alias("judge"),
        pl.col("status").cast(pl.String).alias("label"),
    )
    results = []
    for (pair,), part in sorted(judged.partition_by("pair", as_dict=True).items()):
        for almost, merge in TREATMENTS.items():
            present = {old: new for old, new in merge.items() if old in part["label"]}
            results += [
                AcceptabilityAgreement(str(pair), almost, agreed)
                for agreed in label_agreement(part, present, resampling)
                if agreed.comparable
            ]
    return Results(sorted(results, key=lambda result: (result.pair, result.agreed.kind)))
