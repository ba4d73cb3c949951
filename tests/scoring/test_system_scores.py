"""System scores, their intervals, ranges and clusters."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from scipy.stats import mannwhitneyu

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.data.score_table import score_table
from adjudge.scoring.cells import bootstrapped, score_units, segment_cells
from adjudge.scoring.score_matrix import Scored
from adjudge.scoring.system_scores import system_scores
from adjudge.stats.resampling import Resampling, drawing
from adjudge.stats.tests import rank_sum_tests

Coded = Callable[[pl.DataFrame], Scored]
Simulate = Callable[..., pl.DataFrame]
UNITS = ("item", "segment", "document", "judge")


def by_hand(table: pl.DataFrame) -> dict[str, float]:
    """z per judge, then means of segments, then means of systems, one at a time."""
    z: dict[tuple[str, str], list[float]] = {}
    for judge in table["judge"].unique().to_list():
        own = table.filter(table["judge"] == judge)
        mean, deviation = np.mean(own["score"].to_list()), np.std(own["score"].to_list(), ddof=1)
        for output, segment, score in own.select("output", "segment", "score").rows():
            z.setdefault((output, segment), []).append((score - mean) / deviation)
    systems = sorted({output for output, _ in z})
    return {s: np.mean([np.mean(v) for (o, _), v in z.items() if o == s]) for s in systems}


def test_scores_are_means_of_segments_and_then_of_systems(simulate: Simulate, coded: Coded) -> None:
    table = simulate()
    # Unequal numbers of scores in a segment: it still counts once.
    table = table.filter(~((table["segment"] == "s3") & (table["judge"] == table["judge"][20])))
    result = system_scores(coded(table), "z", Resampling("none"))
    expected = by_hand(table)
    assert result.systems == ("A", "B", "C")
    np.testing.assert_allclose(result.scores, [expected[s] for s in result.systems])
    assert result.number.sum() == len(table)


def test_relabelling_systems_relabels_the_result(simulate: Simulate, coded: Coded) -> None:
    table = simulate()
    other = table.with_columns(
        pl.col("output").cast(pl.String).replace({"A": "C", "C": "A"}).cast(pl.Categorical)
    )
    first, second = system_scores(coded(table)), system_scores(coded(other))
    assert second.systems == ("C", "B", "A")
    np.testing.assert_allclose(first.scores, second.scores)
    np.testing.assert_allclose(first.low, second.low)


@pytest.mark.parametrize("unit", UNITS)
def test_replicates_are_what_drawn_tables_give(simulate: Simulate, coded: Coded, unit: str) -> None:
    """Each replicate against the same table drawn row by row."""
    scored = coded(simulate(segments=12, judges=5))
    resampling = Resampling(unit, 30, 7)  # type: ignore[arg-type]
    found = bootstrapped(scored, segment_cells(scored), resampling).replicates
    label = getattr(scored, unit)
    number = label.max() + 1
    for replicate, got in enumerate(found):
        weights = drawing((score_units(scored, resampling.unit),), 7).weights(
            range(replicate, replicate + 1)
        )
        drawn = np.repeat(np.arange(number), weights[0].astype(int))
        sums: dict[int, list[float]] = {system: [] for system in range(3)}
        whole = unit in ("segment", "document")
        copies = [(copy, u) for copy, u in enumerate(drawn)] if whole else [(0, None)]
        for _, u in copies:
            rows = (
                np.flatnonzero(label == u)
                if whole
                else np.concatenate([np.flatnonzero(label == one) for one in drawn])
            )
            for system in sums:
                for segment in np.unique(scored.segment[rows]):
                    chosen = [
                        r
                        for r in rows
                        if scored.system[r] == system and scored.segment[r] == segment
                    ]
                    if chosen:
                        sums[system].append(np.mean(scored.value[chosen]))
        np.testing.assert_allclose(got, [np.mean(sums[system]) for system in range(3)])


@pytest.mark.parametrize("unit", UNITS)
def test_the_same_seed_gives_the_same_intervals(
    simulate: Simulate, coded: Coded, unit: str
) -> None:
    table = simulate()
    resampling = Resampling(unit, 100, 3)  # type: ignore[arg-type]
    first, second = (system_scores(coded(table), "z", resampling) for _ in range(2))
    np.testing.assert_array_equal(first.low, second.low)
    other = system_scores(coded(table), "z", Resampling(unit, 100, 4))  # type: ignore[arg-type]
    assert not np.array_equal(first.low, other.low)
    assert (first.low <= first.scores).all()
    assert (first.scores <= first.high).all()


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(simulate: Simulate, coded: Coded) -> None:
    """Drawing segments, the judges as they are: 95 of 100 intervals hold the expected score."""
    held = []
    for seed in range(60):
        table = simulate((0.0, -6.0), 40, seed=seed, severity=0.0)
        result = system_scores(coded(table), "raw", Resampling("segment", 300, seed))
        truth = [60.0, 54.0]
        held += list((result.low <= truth) & (truth <= result.high))
    assert 0.89 <= np.mean(held) <= 0.99


def test_normalising_and_the_model_undo_strict_judges(simulate: Simulate, coded: Coded) -> None:
    """A is better, but most of its scores are by the stricter judge: raw means turn them around."""
    both = simulate((0.0, -3.0), 30, judges=1, per_segment=1, severity=0.0)
    other = simulate((0.0, -3.0), 30, judges=1, per_segment=1, severity=0.0, seed=2)
    strict = other.with_columns(
        pl.col("score") - 30,
        pl.lit("strict").cast(pl.Categorical).alias("judge"),
        pl.col("item") + 1000,
        pl.concat_str(pl.lit("t"), "segment").cast(pl.Categorical).alias("segment"),
    )
    # The strict judge scored A on every segment, the other one on few.
    table = pl.concat([both.filter((both["output"] == "B") | (both["item"] < 20)), strict])
    means = Resampling("none")
    assert system_scores(coded(table), "raw", means).systems == ("B", "A")
    assert system_scores(coded(table), "z", means).systems == ("A", "B")
    adjusted = system_scores(coded(table))
    assert adjusted.systems == ("A", "B")
    assert adjusted.raw[0] < adjusted.raw[1]


def test_tests_and_clusters_follow_scipy(simulate: Simulate, coded: Coded) -> None:
    scored = coded(simulate((0.0, -1.0, -15.0, -30.0), 60))
    cells = segment_cells(scored)
    p = rank_sum_tests(cells.samples())
    for i, j in ((0, 2), (2, 0), (1, 0)):
        samples = [cells.mean[cells.system == system] for system in (i, j)]
        expected = mannwhitneyu(*samples, alternative="greater", method="asymptotic").pvalue
        assert p[i, j] == pytest.approx(expected, rel=1e-12)
    tied = [np.array([1.0, 2, 2, 3]), np.array([2.0, 2, 1, 1, 1]), np.ones(3), np.ones(2)]
    for i, j in ((0, 1), (1, 0), (1, 2), (2, 3)):
        expected = mannwhitneyu(tied[i], tied[j], alternative="greater", method="asymptotic").pvalue
        assert rank_sum_tests(tied)[i, j] == pytest.approx(expected, rel=1e-12)
    assert p[0, 2] + p[2, 0] == pytest.approx(1, abs=0.01)
    result = system_scores(scored)
    assert result.significance_cluster.tolist() == [1, 1, 2, 3]
    assert result.cluster.tolist() == [1, 1, 2, 3]


def test_values_that_are_there_several_times_can_be_counted() -> None:
    rng = np.random.default_rng(4)
    samples = [
        rng.integers(0, 20, size).astype(float) + shift for size, shift in ((90, 0), (70, 2))
    ]
    counted = [np.unique(sample, return_counts=True) for sample in samples]
    values, times = zip(*counted, strict=True)
    np.testing.assert_allclose(rank_sum_tests(values, times), rank_sum_tests(samples))


def test_an_output_of_two_systems_counts_for_both(coded: Coded) -> None:
    about = {"pair": "en-cs", "scale": "mqm", "judge": "j"}
    frame = pl.DataFrame(
        [
            {**about, "item": 1, "segment": "1", "output": "A\x1fB", "score": 4.0},
            {**about, "item": 2, "segment": "2", "output": "A", "score": 2.0},
            {**about, "item": 3, "segment": "2", "output": "\x1fwhose?", "score": 9.0},
        ]
    )
    result = system_scores(coded(score_table(frame)), "raw", Resampling("none"))
    assert dict(zip(result.systems, result.scores, strict=True)) == {"A": 3.0, "B": 4.0}
    assert any("1 scores of outputs of no known system" in note for note in result.notes)


def test_systems_that_share_nothing_are_named(simulate: Simulate, coded: Coded) -> None:
    table = simulate((0.0, -5.0), 20, judges=2, per_segment=2)
    odd = pl.col("segment").cast(pl.String).str.slice(1).cast(pl.Int64) % 2 == 1
    apart = table.filter(
        pl.when(odd).then(pl.col("output") == "A").otherwise(pl.col("output") == "B")
    )
    assert any("A and B have no segment" in n for n in system_scores(coded(apart)).notes)
    own = pl.col("judge") == pl.when(pl.col("output") == "A").then(pl.lit("j0")).otherwise(
        pl.lit("j1")
    )
    raw = system_scores(coded(table.filter(own)), "raw", Resampling("segment"))
    assert any("A and B have no judge in common" in note for note in raw.notes)
    assert not system_scores(coded(table), "raw", Resampling("item")).notes
    adjusted = system_scores(coded(table.filter(own)))  # the interval knows of it
    assert (adjusted.high - adjusted.low).min() > (raw.high - raw.low).max()


def test_replicates_without_a_system_are_left_out_and_said(
    simulate: Simulate, coded: Coded
) -> None:
    table = simulate((0.0, -5.0), 20, judges=3, per_segment=3)
    rare = table.filter((pl.col("output") == "A") | (pl.col("judge") == "j1"))
    result = system_scores(coded(rare), "z", Resampling("judge", 200))
    assert any("replicates lacked some system" in note for note in result.notes)
    assert any("intervals from so few units are approximate" in note for note in result.notes)
    assert np.isfinite(result.low).all()


def test_impossible_questions_are_refused(simulate: Simulate, coded: Coded) -> None:
    scored = coded(simulate(judges=1, per_segment=1))
    with pytest.raises(NotEnoughData, match="only one judge"):
        system_scores(scored, "z", Resampling("judge"))
    with pytest.raises(NotEnoughData, match="no hit is known"):
        system_scores(scored, "z", Resampling("hit"))
    with pytest.raises(BadParameter, match="`normalise` cannot be 'Z'"):
        system_scores(scored, "Z")
    with pytest.raises(BadParameter, match="`unit` cannot be 'ranking'"):
        system_scores(scored, "z", Resampling("ranking"))


def test_more_data_is_never_less_certain(simulate: Simulate, coded: Coded) -> None:
    widths = []
    for segments in (10, 40, 160):
        result = system_scores(coded(simulate(segments=segments)), "z")
        widths.append(float((result.high - result.low).mean()))
    assert all(more < less for less, more in pairwise(widths))


def test_a_segment_of_an_unknown_document_is_drawn_as_a_whole(
    simulate: Simulate, coded: Coded
) -> None:
    table = simulate(segments=10)
    known = pl.when(pl.col("document") == "d0").then("document")
    units = score_units(coded(table.with_columns(known.alias("document"))), "document").code
    scored = coded(table)
    assert units.max() + 1 == 1 + 5  # d0 and five segments of d1
    for segment in range(10):
        assert len(set(units[scored.segment == segment])) == 1
