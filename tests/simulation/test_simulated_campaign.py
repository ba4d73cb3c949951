"""Simulated campaigns: well-formed, repeatable, as asked, and true to their truth."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import spearmanr

from adjudge.core.errors import AdjudgeError
from adjudge.data.comparisons import compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import systems_of
from adjudge.data.win_counts import WinCounts, count
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks

SMALL = Design(systems=6, documents=20, tasks=Tasks(rankings=300), judges=Judges(count=8))
COMPLETE = Judges(skipped=0, missing=0)


def expected_wins(counts: WinCounts) -> np.ndarray:
    decided = counts.wins + counts.wins.T
    np.fill_diagonal(decided, 1)
    return (counts.wins / decided).sum(1) / (len(counts.systems) - 1)


@st.composite
def designs(draw: st.DrawFn) -> Design:
    share = st.sampled_from([0.0, 0.1, 0.5])
    scale = st.sampled_from([0.0, 0.3, 2.0])
    systems = draw(st.integers(2, 9))
    reference = draw(st.booleans())
    return Design(
        systems=systems,
        documents=draw(st.integers(1, 8)),
        document_length=draw(st.integers(3, 6)),
        segment_effect=draw(scale),
        document_effect=draw(scale),
        identical=draw(st.sampled_from([0.0, 0.4, 1.0])),
        reference=reference,
        tasks=Tasks(
            rankings=draw(st.integers(1, 60)),
            block=draw(st.integers(2, systems + reference)),
            hit_length=draw(st.integers(1, 3)),
            repeats=draw(share),
            pool=draw(share),
        ),
        judges=Judges(
            count=draw(st.integers(1, 6)),
            threshold=draw(scale),
            preference=draw(scale),
            careless=draw(share),
            skipped=draw(share),
            missing=draw(share),
        ),
    )


@settings(max_examples=60, deadline=None)
@given(designs(), st.integers(0, 2**32))
def test_every_campaign_is_well_formed(design: Design, seed: int) -> None:
    table = simulate(design, seed).judgements
    assert_frame_equal(judgement_table(table), table)
    assert table["ranking"].unique().sort().to_list() == list(range(1, design.tasks.rankings + 1))
    assert table["rank"].drop_nulls().is_between(1, design.tasks.block).all()
    assert table["judge"].cast(pl.String).str.starts_with("simulated-").all()
    blocks = table.drop_nulls("output").group_by("ranking").agg("position", "output")
    for positions, outputs in blocks.select("position", "output").rows():
        assert positions == list(range(1, len(outputs) + 1))
        systems = [system for output in outputs for system in systems_of(output)]
        assert len(systems) == len(set(systems))
        if len(outputs) != design.tasks.block:  # nothing that differs is left to show
            assert design.identical
            assert len(outputs) < design.tasks.block
            assert len(systems) == design.systems + design.reference


def test_the_seed_decides_everything() -> None:
    assert_frame_equal(simulate(SMALL, 5).judgements, simulate(SMALL, 5).judgements)
    assert not simulate(SMALL, 5).judgements.equals(simulate(SMALL, 6).judgements)


def test_plenty_of_judgements_recover_the_order() -> None:
    campaign = simulate(Design(documents=400, tasks=Tasks(rankings=30_000)), 2)
    counts = count(compare(campaign.judgements))
    assert counts.systems == campaign.truth.systems
    wins = expected_wins(counts)
    assert spearmanr(wins, campaign.truth.expected_wins).statistic > 0.98
    assert spearmanr(wins, campaign.truth.qualities).statistic > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        replace(SMALL, identical=0.0),
        replace(SMALL, systems=7, identical=0.6, reference=True),
        replace(SMALL, identical=0.6, tasks=Tasks(rankings=300, block=6)),
        replace(SMALL, document_effect=0.5, judges=Judges(preference=0.5, threshold=0)),
        replace(SMALL, judges=Judges(careless=0.4, missing=0.2, skipped=0.2)),
    ],
    ids=["blocks", "identical", "identical-full-blocks", "effects", "careless"],
)
def test_truth_is_the_mean_of_many_campaigns(design: Design) -> None:
    qualities = tuple(np.linspace(-0.5, 0.5, design.systems))
    design = replace(design, qualities=qualities)
    truth = simulate(design, 0).truth
    wins, ties = [], []
    for seed in range(100):
        table = simulate(design, seed).judgements
        # Every system is there in every campaign of this size, in the order of the names.
        counts = count(compare(table))
        order = [counts.systems.index(system) for system in truth.systems]
        wins.append(counts.wins[np.ix_(order, order)])
        ties.append(counts.ties[np.ix_(order, order)])
    for observed, expected in ((wins, truth.wins), (ties, truth.ties)):
        mean = np.mean(observed, axis=0) / design.tasks.rankings
        error = np.std(observed, axis=0) / design.tasks.rankings / np.sqrt(len(observed))
        # 4.5 standard errors: about one cell in 150,000 is further out by chance.
        assert (np.abs(mean - expected) <= 4.5 * error + 1e-12).all()


def test_truth_counts_give_the_true_expected_wins() -> None:
    truth = simulate(SMALL, 3).truth
    np.testing.assert_allclose(expected_wins(truth.counts()), truth.expected_wins, atol=1e-6)
    assert truth.expected_wins.mean() == pytest.approx(0.5)
    probability = truth.win_probability
    np.testing.assert_allclose(probability + probability.T, 1)


def test_related_systems_share_outputs_as_asked() -> None:
    table = simulate(replace(SMALL, identical=0.5, documents=200), 1).judgements
    outputs = table["output"].drop_nulls().cast(pl.String).str.split("\x1f")
    shared = outputs.filter(outputs.list.len() > 1)
    pairs = {tuple(systems) for systems in shared.to_list()}
    assert pairs == {(f"system-0{i}", f"system-0{i + 1}") for i in (1, 3, 5)}
    # Half of the segments have one shared output for two own ones: a third of all outputs.
    # Blocks of five of at most six outputs take nearly all there are.
    assert len(shared) / len(outputs) == pytest.approx(1 / 3, abs=0.05)


def sittings(table: pl.DataFrame) -> pl.DataFrame:
    """How often each judge judged each segment of each HIT."""
    rankings = table.unique("ranking")
    return rankings.group_by("hit", "segment", "judge").agg(pl.len().alias("times"))


def test_repeats_and_pool_as_asked() -> None:
    tasks = Tasks(rankings=3000, repeats=0.2, pool=0.3, pool_judges=3)
    done = sittings(simulate(Design(tasks=tasks), 4).judgements)
    assert (done["times"] - 1).sum() == 600
    judges = done.group_by("hit", "segment").agg(pl.col("judge").n_unique())["judge"]
    assert judges.filter(judges > 1).sum() == 900
    assert judges.max() == 3
    none = sittings(simulate(Design(tasks=Tasks(repeats=0, pool=0)), 4).judgements)
    assert len(none) == 3000


def test_a_repeat_shows_the_same_outputs_later_in_another_order() -> None:
    tasks = Tasks(repeats=0.3, pool=0)
    table = simulate(Design(tasks=tasks, judges=COMPLETE), 4).judgements
    rankings = table.group_by("ranking", "hit", "segment", maintain_order=True).agg(
        pl.col("output").cast(pl.String), pl.col("time").first()
    )
    twice = rankings.group_by("hit", "segment", maintain_order=True).agg("output", "time")
    twice = twice.filter(pl.col("time").list.len() == 2)
    assert len(twice) == 900
    outputs = twice["output"].to_list()
    assert all(sorted(first) == sorted(second) for first, second in outputs)
    assert np.mean([first == second for first, second in outputs]) < 0.05  # 1 in 120 by chance
    assert all(first < second for first, second in twice["time"].to_list())


def test_hits_are_consecutive_segments_of_one_document() -> None:
    table = simulate(replace(SMALL, tasks=Tasks(rankings=300, repeats=0, pool=0)), 1).judgements
    hits = table.group_by("hit").agg(
        pl.col("document").n_unique(),
        pl.col("segment").cast(pl.String).cast(pl.Int64).unique().sort(),
    )
    assert len(hits) == 100
    assert hits["document"].to_list() == [1] * 100
    assert all(
        segments == [segments[0] + i for i in range(3)] for segments in hits["segment"].to_list()
    )


def test_judges_never_work_on_two_rankings_at_once() -> None:
    table = simulate(SMALL, 1).judgements.unique("ranking").sort("judge", "time")
    begin = pl.col("time") - pl.duration(milliseconds=pl.col("seconds") * 1000)
    gaps = table.select(gap=(begin - pl.col("time").shift()).over("judge"))["gap"]
    assert gaps.min().total_seconds() > -0.01


def test_careless_answers_carry_no_information() -> None:
    design = Design(
        qualities=tuple(np.linspace(-3, 3, 12)),
        identical=0,
        tasks=Tasks(rankings=20_000),
        judges=replace(COMPLETE, careless=0.5),
    )
    campaign = simulate(design, 1)
    careless = np.array(campaign.truth.judges.names)[campaign.truth.judges.careless]
    assert len(careless) == 15
    theirs = pl.col("judge").is_in(careless.tolist())
    attentive = expected_wins(count(compare(campaign.judgements.filter(~theirs))))
    random = compare(campaign.judgements.filter(theirs))
    assert attentive[-1] > 0.95
    assert np.abs(expected_wins(count(random)) - 0.5).max() < 0.02
    assert np.mean(random.outcome == 0) == pytest.approx(1 / 5, abs=0.01)
    seconds = campaign.judgements.group_by(theirs.alias("theirs")).agg(pl.col("seconds").median())
    assert dict(seconds.rows())[True] < dict(seconds.rows())[False] / 2


def test_preference_is_the_judges_own() -> None:
    """Judges with preferences agree with themselves about systems, not with each other."""
    judges = replace(COMPLETE, preference=2.0, workload=0, count=4)
    design = replace(SMALL, qualities=(0.0,) * 6, tasks=Tasks(rankings=4000), judges=judges)
    campaign = simulate(replace(design, identical=0), 1)
    drawn = campaign.truth.judges
    assert campaign.truth.expected_wins == pytest.approx(np.full(6, 0.5))
    for i, name in enumerate(drawn.names):
        theirs = compare(campaign.judgements.filter(pl.col("judge") == name))
        assert spearmanr(expected_wins(count(theirs)), drawn.preference[i]).statistic > 0.8


def test_leniency_moves_labels_and_not_the_order() -> None:
    def campaign(leniency: float) -> pl.DataFrame:
        # Uniform from 1 to 1 and from 0 to 1 draw alike, so that all else is the same.
        judges = replace(COMPLETE, least_leniency=leniency, threshold=1.0)
        return simulate(replace(SMALL, judges=judges), 1).judgements

    lenient, mixed = campaign(1.0), campaign(0.0)
    np.testing.assert_array_equal(compare(lenient).outcome, compare(mixed).outcome)
    best = [
        table.group_by("ranking").agg(pl.col("rank").min())["rank"] for table in (lenient, mixed)
    ]
    assert best[0].max() == 1
    assert best[1].max() > 1


def test_a_wider_threshold_ties_more() -> None:
    def ties(threshold: float) -> float:
        judges = replace(COMPLETE, threshold=threshold)
        table = simulate(replace(SMALL, identical=0, judges=judges), 1).judgements
        return float(np.mean(compare(table).outcome == 0))

    assert ties(0) == 0
    assert 0 < ties(0.2) < ties(0.8)


def test_missing_labels_and_skipped_rankings_as_asked() -> None:
    judges = Judges(skipped=0.2, missing=0.1)
    table = simulate(Design(identical=0, judges=judges), 1).judgements
    skipped = table.filter(pl.col("output").is_null())
    assert skipped["rank"].null_count() == skipped["position"].null_count() == len(skipped)
    assert len(skipped) == pytest.approx(600, abs=70)  # 3 standard deviations
    assert table.drop_nulls("output")["rank"].is_null().mean() == pytest.approx(0.1, abs=0.01)


def test_the_defaults_resemble_wmt15() -> None:
    """Ties, shared outputs and the first rank lie within the range of its language pairs."""
    table = simulate(Design(), 5).judgements
    assert 0.11 < np.mean(compare(table, "collapsed").outcome == 0) < 0.32
    assert 0.07 < table["output"].cast(pl.String).str.contains("\x1f").mean() < 0.22
    assert 0.6 < (table.group_by("ranking").agg(pl.col("rank").min())["rank"] == 1).mean() < 0.8


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Design(systems=1),
        lambda: Design(systems=4),
        lambda: Design(qualities=(1.0, 2.0)),
        lambda: Design(qualities=(float("nan"),) * 12),
        lambda: Design(document_length=2),
        lambda: Design(identical=1.5),
        lambda: Design(systems=200, tasks=Tasks(rankings=10_000_000)),
        lambda: Tasks(rankings=0),
        lambda: Tasks(block=1),
        lambda: Tasks(repeats=0.6),
        lambda: Tasks(repeats=0.4, pool=0.7),
        lambda: Judges(count=0),
        lambda: Judges(noise=-1),
        lambda: Judges(noise=float("nan")),
        lambda: Judges(skipped=1),
        lambda: simulate(SMALL, -1),
    ],
)
def test_nonsense_is_refused(wrong: object) -> None:
    with pytest.raises(AdjudgeError, match="no such simulation"):
        wrong()  # type: ignore[operator]
