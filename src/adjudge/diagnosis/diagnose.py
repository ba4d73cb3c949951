"""All findings on the judgements of one language pair, the worst first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from adjudge.agreement.controls import trusted_judges
from adjudge.core.errors import NotEnoughData, one_of
from adjudge.data.comparisons import Outputs, compare
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import FINDINGS, Answer, Finding, Severity
from adjudge.ranking.method import CountMethod
from adjudge.ranking.methods.expected_wins import METHOD as EXPECTED_WINS
from adjudge.stats.resampling import Resampling
from adjudge.stats.standings import Ranges


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Answer to one finding on one language pair."""

    pair: str
    finding: Finding
    answer: Answer

    def row(self) -> dict[str, Any]:
        """Return the answer as flat keys, without its details."""
        return {
            "pair": self.pair,
            "finding": self.finding.name,
            "severity": self.answer.severity.name,
            "kind": self.finding.shown,
            "measure": self.finding.measure,
            "value": self.answer.value,
            "low": self.answer.low,
            "high": self.answer.high,
            "moved": None if self.answer.change is None else self.answer.change.moved,
            "overturned": None if self.answer.change is None else self.answer.change.overturned,
            "meaning": f"{self.answer.meaning}.",
            "remedy": self.answer.remedy,
        }

    def detail_rows(self) -> list[dict[str, Any]]:
        """Return the table behind the answer."""
        return [{**self._part("details"), **row} for row in self.answer.details]

    def order_rows(self) -> list[dict[str, Any]]:
        """Return the order of the systems before and after removal of the trouble."""
        change = self.answer.change
        return [{**self._part("order"), **row} for row in (change.rows() if change else ())]

    def _part(self, part: str) -> dict[str, str]:
        return {"pair": self.pair, "finding": self.finding.name, "part": part}


def diagnose(
    table: pl.DataFrame,
    only: str | Sequence[str] = (),
    method: CountMethod = EXPECTED_WINS,
    outputs: Outputs = "expanded",
    trusted: str | None = None,
    resampling: Resampling | None = None,
    ranges: Ranges = "auto",
) -> list[Diagnosis]:
    """Examine every finding (or those named `only`) on the judgements of one language pair.

    `method`, `resampling` and `ranges` are those of the accompanying ranking: a finding is severe
    if that order changes. `trusted` is the group of judges whose consensus defines controls.
    """
    names = (only,) if isinstance(only, str) else only
    asked = [FINDINGS[one_of(name, FINDINGS, "only")] for name in names] or FINDINGS.values()
    asked_for = resampling or Resampling()
    evidence = Evidence(table, compare(table, outputs), method, trusted, asked_for, ranges)
    if trusted is not None:
        trusted_judges(evidence.comparisons, [trusted])  # refuses a group that there is not
    if not len(evidence.comparisons):
        raise NotEnoughData(f"{evidence.comparisons.pair}: nothing was compared; there is no order")
    diagnoses = [
        Diagnosis(evidence.comparisons.pair, finding, _answer(finding, evidence))
        for finding in asked
    ]
    return sorted(diagnoses, key=_how_bad, reverse=True)


def _answer(finding: Finding, evidence: Evidence) -> Answer:
    try:
        return finding.answer(evidence)
    except NotEnoughData as why:
        return Answer(Severity.unanswered, f"Cannot say: {why}", "")


def _how_bad(diagnosis: Diagnosis) -> tuple[int, int, int]:
    change = diagnosis.answer.change
    if change is None:
        return diagnosis.answer.severity, 0, 0
    return diagnosis.answer.severity, change.overturned, change.moved
