"""Intervals of simulated campaigns hold the truth; docs/metaeval.md has more of them."""

import pytest

import metaeval_coverage
from metaeval_coverage import SPREAD, Question, covered

pytestmark = pytest.mark.slow

HONEST: dict[str, tuple[int, tuple[Question, ...]]] = {
    "scores": (
        15,
        (
            ("systems, `pearson`", "document"),
            ("systems, `accuracy`", "document"),
            ("segments, `accuracy-calibrated`", "document"),
            ("segments, `pearson` of all outputs", "document"),
        ),
    ),
    "rankings": (
        10,
        (
            ("systems by rankings, `pearson`", "auto"),
            ("systems by rankings, `accuracy`", "auto"),
            ("segments by rankings, τ `wmt14`", "document"),
        ),
    ),
}


@pytest.mark.parametrize("kind", list(HONEST))
def test_what_is_drawn_by_default_holds(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With systems close together, where plain percentiles hold the true r in half of campaigns."""
    monkeypatch.setattr(metaeval_coverage, "MANY", 20_000)
    campaigns, questions = HONEST[kind]
    found = covered(kind, SPREAD["close"], campaigns, replicates=200)
    for question in questions:
        assert found[question].share >= 0.85, question
        assert 0 < found[question].width < 0.7, question
