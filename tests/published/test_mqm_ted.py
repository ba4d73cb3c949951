"""MQM of TED talks, English-German: mean penalties of 14 systems."""

from pathlib import Path

import polars as pl
import pytest

from adjudge.data.table_files import read_scores
from adjudge.scoring.method import SCORE_METHODS

PENALTIES = {
    "ref": 0.91,
    "Facebook-AI": 1.06,
    "Online-W": 1.12,
    "VolcTrans-AT": 1.24,
    "metricsystem3": 1.44,
    "VolcTrans-GLAT": 1.49,
    "HuaweiTSC": 1.50,
    "metricsystem1": 1.63,
    "metricsystem2": 1.69,
    "metricsystem5": 1.72,
    "UEdin": 1.77,
    "metricsystem4": 1.78,
    "eTranslation": 1.96,  # 1.969: cut, not rounded
    "Nemo": 2.14,
}


def test_mean_penalties(shared_data: Path) -> None:
    path = shared_data / "wmt17-26" / "mqm-ted" / "mqm_ted_ende.tsv.gz"
    if not path.exists():
        pytest.skip("no wmt17-26/mqm-ted among the real data")
    table = read_scores(str(path)).rename({"output": "system"})
    names = pl.col("system", "document", "segment").cast(pl.String)
    found = SCORE_METHODS["mqm"].rank(table.drop_nulls("score").with_columns(names))
    assert found.systems == tuple(PENALTIES)
    for system, score in zip(found.systems, found.scores, strict=True):
        assert -score == pytest.approx(PENALTIES[system], abs=0.0095 if "eTr" in system else 0.005)
