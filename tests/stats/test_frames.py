"""Every result is frozen and has a frame."""

from dataclasses import FrozenInstanceError

import polars as pl
import pytest

import adjudge
from adjudge.agreement.categorical import agreement_of, confusions
from adjudge.agreement.judges import agreement_by_judge, agreement_by_judges
from adjudge.agreement.labels import pairwise_labels
from adjudge.agreement.pairwise import agreement
from adjudge.agreement.parts import agreement_by
from adjudge.data.comparisons import compare
from adjudge.data.win_counts import count
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.method_comparison import compare_methods
from adjudge.ranking.ranking_result import rank
from adjudge.ranking.tournament import tournament
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.simulation.planning import Goal, plan
from adjudge.stats.resampling import Resampling

FEW = Resampling(replicates=20)
DESIGN = Design(systems=4, tasks=Tasks(rankings=150, block=4, pool=0.5), judges=Judges(count=4))


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    return simulate(DESIGN, 1).judgements


def results(judged: pl.DataFrame) -> dict[str, object]:
    comparisons = compare(judged)
    labels = pairwise_labels(comparisons)
    return {
        "ranking": rank(comparisons, "win-ratio", FEW),
        "head to head": head_to_head(count(comparisons)),
        "methods": compare_methods(comparisons, runs=2),
        "tournament": tournament(count(comparisons)),
        "plan": plan(comparisons, Goal(simulations=10)),
        "coverage": adjudge.coverage(judges=3, effects="none", rankings=60, campaigns=2),
        "agreement": agreement(judged, resampling=FEW),
        "agreement by document": agreement_by(judged, "document", resampling=FEW),
        "agreement by judge": agreement_by_judge(judged, resampling=FEW),
        "agreement by judges": agreement_by_judges(judged),
        "agreement on labels": agreement_of(labels, FEW),
        "confusions": confusions(labels),
    }


def test_every_result_has_a_frame_and_is_frozen(judged):
    for name, result in results(judged).items():
        frame = result.to_frame()
        assert isinstance(frame, pl.DataFrame), name
        assert len(frame), name
        held = result[0] if isinstance(result, tuple) else result
        with pytest.raises(FrozenInstanceError):
            held.pair = "other"


def test_the_frame_of_methods_is_their_ranks(judged):
    compared = compare_methods(compare(judged), runs=2)
    frame = compared.to_frame()
    for m, method in enumerate(compared.methods):
        of_method = frame.filter(pl.col("method") == method.name)
        assert of_method["system"].to_list() == list(compared.systems)
        assert of_method["rank"].to_list() == compared.ranks[m].tolist()
