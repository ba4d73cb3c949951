"""Macháček 2014 Table 3.1a: the ratio of wins over judgements of short segments."""

import pytest

from adjudge.judgements import compare, read
from adjudge.ranking import Resampling, method_named, rank

TABLE_3_1A = {
    "cu-depfix": 0.5777,
    "onlineB": 0.5642,
    "uedin-unconstrained": 0.5626,
    "cu-bojar": 0.5606,
    "cu-funky": 0.5566,
    "uedin-wmt14": 0.5498,
    "onlineA": 0.5007,
    "CU-TectoMT": 0.4485,
    "commercial1": 0.3992,
    "commercial2": 0.3492,
}


def test_table_3_1a(shared_data):
    table = read(str(shared_data / "segranks" / "annotations.tsv.gz"))
    ranking = rank(compare(table), method_named("win-ratio"), Resampling("none"))
    scores = dict(zip(ranking.systems, ranking.scores.tolist(), strict=True))
    # Which system made which segment had to be rebuilt, and is known for 98 % of them.
    assert scores == pytest.approx(TABLE_3_1A, abs=0.006)
