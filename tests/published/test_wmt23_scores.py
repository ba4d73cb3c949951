"""WMT23 en-de: system scores from segment scores, as mt-metrics-eval publishes both."""

from pathlib import Path

import pytest

from adjudge.data.table_files import read_scores
from adjudge.scoring.score_matrix import by_scale, code
from adjudge.scoring.system_scores import SystemScores, system_scores
from adjudge.stats.resampling import Resampling


def result(path: Path, unit: str) -> SystemScores:
    (part,) = by_scale(read_scores(str(path)))
    return system_scores(code(*part), "raw", Resampling(unit, 200))  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", ["da-sqm", "mqm"])
def test_system_scores_and_order_are_the_published_ones(
    published, shared_data: Path, scale: str
) -> None:
    folder = shared_data / "wmt23" / "human-scores"
    found = result(folder / f"en-de.{scale}.seg.score", "segment")
    official = result(folder / f"en-de.{scale}.sys.score", "none")
    assert found.systems == official.systems
    assert len(found.systems) == 13
    assert found.scores == pytest.approx(official.scores, rel=1e-12)
    table = published("WMT23", f"en-de, {scale}", "WMT23")
    figures = tuple(f"{score:.3f}" for score in official.scores)
    table.row("13 systems, best first", figures, tuple(found.scores.tolist()))


def test_the_best_and_the_worst_are_clear(shared_data: Path) -> None:
    """By MQM nothing reaches the human translation, by DA+SQM six systems cannot be told from it;
    AIRC comes last in both."""
    folder = shared_data / "wmt23" / "human-scores"
    mqm = result(folder / "en-de.mqm.seg.score", "document")
    assert mqm.systems[0] == "refA"
    assert mqm.rank_high[0] == 1
    assert mqm.significance_cluster[:2].tolist() == [1, 2]
    da = result(folder / "en-de.da-sqm.seg.score", "document")
    reference = da.systems.index("refA")
    assert da.significance_cluster[reference] == 1
    assert mqm.systems[-1] == da.systems[-1] == "AIRC"
