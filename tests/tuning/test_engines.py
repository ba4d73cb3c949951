"""The same weights wherever the search runs: here or on a Dask cluster."""

from pathlib import Path

import numpy as np
import pytest

import adjudge

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(scope="module")
def candidates() -> adjudge.Candidates:
    paths = (EXAMPLES / "candidates.jsonl", EXAMPLES / "reference.txt")
    return adjudge.read_candidates(str(paths[0]), reference=str(paths[1]))


@pytest.mark.slow
def test_tuners_on_a_cluster(cluster, candidates):
    asked = {"tuner": ["mert", "pro"], "restarts": 10, "rounds": 1, "replicates": 50}
    here, there = (candidates.tune(**asked, engine=engine) for engine in (None, cluster))
    for alone, spread in zip(here, there, strict=True):
        assert np.array_equal(alone.weights, spread.weights)
    assert here.render("json") == there.render("json")


@pytest.mark.slow
def test_variance_on_a_cluster(cluster, adjudge):
    given = (EXAMPLES / "candidates.jsonl", "--reference", EXAMPLES / "reference.txt")
    few = ("--sets", 4, "--seeds", 2, "--restarts", 4, "--rounds", 0, "--replicates", 50)
    metrics = ("-m", "bleu", "-m", "wer", "-f", "json")
    alone = adjudge("tune-variance", *given, *few, *metrics)
    spread = adjudge("tune-variance", *given, *few, *metrics, "--engine", cluster)
    assert spread.code == 0, spread.err
    assert spread.out == alone.out
