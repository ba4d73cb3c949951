"""judge-aware and judge-document-aware: derivatives, recovery, repeatability, bad input."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau

from adjudge.comparisons import Comparisons, compare, count
from adjudge.comparisons.comparisons import by_pair
from adjudge.errors import NotEnoughData
from adjudge.judgements import read
from adjudge.parallel import Engine
from adjudge.ranking.methods import davidson
from adjudge.ranking.methods.judge_aware import UNKNOWN, estimate, fit_judge_aware, judge_cells
from adjudge.ranking.methods.judge_document_aware import (
    _document_cells,
    _slopes,
    fit_judge_document_aware,
)
from adjudge.ranking.methods.judge_document_aware import estimate as estimate_documents
from adjudge.ranking.models.davidson_model import chances
from adjudge.ranking.models.judge_likelihood import Parameters, Spreads, evaluate, objective
from adjudge.simulation import Design, Judges, Tasks, simulate
from adjudge.statistics import Resampling

SPREADS = Spreads(reliability=0.6, tie=0.4, preference=0.5)


def drawn(seed, strength, reliability, tie, each, documents=None, effect=0.0):
    """Independent comparisons by judges who follow the model."""
    random = np.random.default_rng(seed)
    systems, judges = len(strength), len(reliability)
    number = judges * each
    judge = np.repeat(np.arange(judges, dtype=np.int32), each)
    left = random.integers(0, systems, number).astype(np.int32)
    right = ((left + random.integers(1, systems, number)) % systems).astype(np.int32)
    places = documents or 1
    document = random.integers(0, places, number).astype(np.int32)
    at = strength + random.normal(0, effect, (places, systems))
    d = reliability[judge] * (at[document, left] - at[document, right])
    better, worse, _ = chances(d, tie[judge])
    u = random.random(number)
    outcome = np.where(u < better, 1, np.where(u < better + worse, -1, 0)).astype(np.int8)
    every = np.arange(number, dtype=np.int32)
    return Comparisons(
        pair="xxx-yyy",
        left=left,
        right=right,
        outcome=outcome,
        ranking=every,
        segment=every,
        document=document if documents else np.full(number, -1, np.int32),
        hit=np.full(number, -1, np.int32),
        judge=judge,
        systems=tuple(f"system {i}" for i in range(systems)),
        rankings=every.astype(np.int64),
        segments=tuple(map(str, every)),
        documents=tuple(f"document {i}" for i in range(documents or 0)),
        hits=(),
        judges=tuple(f"judge {i}" for i in range(judges)),
        groups=(None,) * judges,
    )


STRENGTH = np.array([0.9, 0.5, 0.1, -0.2, -0.4, -0.9])


@pytest.fixture(scope="module")
def mixed():
    """Ten ordinary judges and four who click at random."""
    reliability = np.concatenate([np.ones(10), np.full(4, 0.02)])
    tie = np.linspace(-1, 0.5, 14)
    return drawn(1, STRENGTH, reliability, tie, 600), reliability, tie


def test_derivatives_are_those_of_finite_differences(mixed):
    of, _ = judge_cells(mixed[0])
    random = np.random.default_rng(2)
    at = Parameters(
        random.normal(0, 0.5, of.shared), random.normal(0, 0.5, (of.judges, 2 + of.systems))
    )
    found = evaluate(of, at, SPREADS)
    step = 1e-5

    def moved(shared=None, judge=None, by=0.0):
        new = Parameters(at.shared.copy(), at.judge.copy())
        if shared is not None:
            new.shared[shared] += by
        else:
            new.judge[judge] += by
        return new

    def slope(**where):
        up, down = moved(**where, by=step), moved(**where, by=-step)
        first = (objective(of, up, SPREADS) - objective(of, down, SPREADS)) / (2 * step)
        above, below = (evaluate(of, point, SPREADS).gradient for point in (up, down))
        second = (
            (below.shared - above.shared) / (2 * step),
            (below.judge - above.judge) / (2 * step),
        )
        return first, second

    assert found.value == pytest.approx(objective(of, at, SPREADS))
    for k in range(of.shared):
        first, (shared, judge) = slope(shared=k)
        assert found.gradient.shared[k] == pytest.approx(first, rel=1e-5, abs=1e-3)
        np.testing.assert_allclose(found.shared[k], shared, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(found.cross[:, :, k], judge, rtol=1e-4, atol=1e-3)
    for j, k in ((3, 0), (3, 1), (12, 0), (12, 1), (3, 2), (12, 7)):
        first, (_, judge) = slope(judge=(j, k))
        assert found.gradient.judge[j, k] == pytest.approx(first, rel=1e-5, abs=1e-3)
        np.testing.assert_allclose(found.judge[j, k], judge[j], rtol=1e-4, atol=1e-3)
        others = np.delete(judge, j, axis=0)
        np.testing.assert_allclose(others, 0, atol=1e-6)


def test_recovers_strengths_reliabilities_and_tie_tendencies(mixed):
    comparisons, _, tie = mixed
    found = fit_judge_aware(comparisons)
    # The unit of reliability is the median judge; what ordinary judges see does not depend on it.
    seen = found.scores * found.reliability[:10].mean()
    np.testing.assert_allclose(seen, STRENGTH - STRENGTH.mean(), atol=0.08)
    assert found.reliability[:10].min() > 2.5 * found.reliability[10:].max()
    np.testing.assert_allclose(np.log(found.tie_tendency), tie, atol=0.3)
    ordinary = np.log(found.reliability[:10])
    assert (np.abs(ordinary - ordinary.mean()) < 3 * found.reliability_sd[:10]).all()
    assert found.spreads.reliability > 0.5


def test_judges_alike_are_found_alike_and_scores_are_davidsons():
    comparisons = drawn(3, STRENGTH, np.ones(12), np.full(12, -0.5), 500)
    found = fit_judge_aware(comparisons)
    assert found.spreads.reliability < 0.25
    expected = davidson.scores(count(comparisons))
    np.testing.assert_allclose(found.scores, expected, atol=0.06)


def test_careless_judges_count_less(mixed):
    comparisons, _, _ = mixed
    truth = STRENGTH - STRENGTH.mean()
    aware = np.abs(fit_judge_aware(comparisons).scores - truth).mean()
    plain = np.abs(davidson.scores(count(comparisons)) - truth).mean()
    assert aware < 0.5 * plain


def test_frame_lists_the_least_reliable_judge_first(mixed):
    frame = fit_judge_aware(mixed[0]).to_frame()
    assert frame.columns == [
        "judge",
        "comparisons",
        "reliability",
        "low",
        "high",
        "tie_tendency",
        "favourite",
        "preference",
    ]
    assert set(frame["judge"][:4]) == {f"judge {i}" for i in range(10, 14)}
    assert (frame["low"] < frame["reliability"]).all()
    assert frame["comparisons"].sum() == 14 * 600


def test_names_do_not_matter(mixed):
    comparisons = mixed[0]
    order = np.array([4, 2, 0, 5, 1, 3], np.int32)
    renamed = replace(comparisons, left=order[comparisons.left], right=order[comparisons.right])
    before, after = fit_judge_aware(comparisons), fit_judge_aware(renamed)
    np.testing.assert_allclose(after.scores[order], before.scores, atol=1e-6)
    np.testing.assert_allclose(after.reliability, before.reliability, atol=1e-6)


def test_swapping_what_is_shown_first_changes_nothing(mixed):
    comparisons = mixed[0]
    swapped = replace(
        comparisons,
        left=comparisons.right,
        right=comparisons.left,
        outcome=-comparisons.outcome,
    )
    np.testing.assert_allclose(
        fit_judge_aware(swapped).scores, fit_judge_aware(comparisons).scores, atol=1e-9
    )


@pytest.mark.parametrize("method", [estimate, estimate_documents])
def test_replicates_do_not_depend_on_the_workers(method):
    comparisons = drawn(5, STRENGTH, np.ones(4), np.zeros(4), 60, documents=5)
    resampling = Resampling("judge", 27, 3)
    here = method(comparisons, resampling, Engine())
    there = method(comparisons, resampling, Engine(workers=2))
    assert here.replicates.shape == (27, 6)
    np.testing.assert_array_equal(here.replicates, there.replicates)
    np.testing.assert_array_equal(here.scores, there.scores)
    assert here.replicates.std(axis=0).min() > 0


def test_one_judge_is_davidson():
    comparisons = drawn(6, STRENGTH, np.ones(1), np.zeros(1), 2000)
    found = fit_judge_aware(comparisons)
    np.testing.assert_allclose(found.scores, davidson.scores(count(comparisons)), atol=0.02)
    np.testing.assert_allclose(found.reliability, 1)


def test_unknown_judges_are_one_further_judge():
    comparisons = drawn(7, STRENGTH, np.ones(3), np.zeros(3), 100)
    judge = np.where(comparisons.judge == 1, -1, comparisons.judge).astype(np.int32)
    found = fit_judge_aware(replace(comparisons, judge=judge))
    assert found.judges == ("judge 0", "judge 2", UNKNOWN)


def test_without_any_judge_it_says_what_to_do():
    comparisons = drawn(8, STRENGTH, np.ones(2), np.zeros(2), 50)
    nobody = replace(comparisons, judge=np.full(len(comparisons), -1, np.int32))
    with pytest.raises(NotEnoughData, match="choose davidson"):
        fit_judge_aware(nobody)


@pytest.mark.parametrize("outcome", [0, 1])
def test_only_ties_and_separable_data_have_finite_scores(outcome):
    comparisons = drawn(9, STRENGTH, np.ones(3), np.zeros(3), 100)
    same = np.where(comparisons.left < comparisons.right, outcome, -outcome).astype(np.int8)
    found = fit_judge_aware(replace(comparisons, outcome=same))
    assert np.isfinite(found.scores).all()
    assert (np.diff(found.scores) < 0).all() if outcome else np.allclose(found.scores, 0)


def test_document_slopes_vanish_at_the_fit():
    comparisons = drawn(10, STRENGTH, np.ones(5), np.zeros(5), 400, documents=30, effect=0.5)
    found = fit_judge_document_aware(comparisons)
    of = _document_cells(comparisons)
    at = np.vstack([found.scores, found.effects]) / found.judges.middle
    slope, _ = _slopes(of, found.judges.parameters, at)
    np.testing.assert_allclose(slope.sum(axis=0), at[0] / 9, atol=1e-3)
    np.testing.assert_allclose(slope, at[1:] / found.spread**2, atol=0.05)


def test_document_effects_are_found_where_there_are_some():
    without, with_effects = (
        fit_judge_document_aware(
            drawn(11, STRENGTH, np.ones(8), np.zeros(8), 2000, documents=40, effect=effect)
        ).spread
        for effect in (0.0, 0.5)
    )
    assert without < 0.15
    assert with_effects == pytest.approx(0.5, abs=0.12)


def test_documents_must_be_known():
    comparisons = drawn(12, STRENGTH, np.ones(2), np.zeros(2), 50)
    with pytest.raises(NotEnoughData, match="choose judge-aware"):
        fit_judge_document_aware(comparisons)


def test_careless_judges_of_a_simulated_campaign_are_the_least_reliable():
    design = Design(
        systems=8,
        documents=60,
        tasks=Tasks(rankings=1500),
        judges=Judges(count=20, careless=0.2, workload=0.3),
    )
    simulated = simulate(design, seed=2)
    comparisons = compare(simulated.judgements)
    frame = fit_judge_aware(comparisons).to_frame()
    drawn_judges = simulated.truth.judges
    careless = {
        name for name, bad in zip(drawn_judges.names, drawn_judges.careless, strict=True) if bad
    }
    assert set(frame["judge"][: len(careless)]) == careless
    scores = dict(zip(comparisons.systems, fit_judge_aware(comparisons).scores, strict=True))
    found = [scores[system] for system in simulated.truth.systems]
    assert kendalltau(found, simulated.truth.qualities).statistic > 0.7


def test_real_judges_differ_and_official_clusters_keep_their_order(shared_data):
    table = read(str(shared_data / "wmt15" / "wmt15.xml.gz"))
    comparisons = compare(dict(by_pair(table))["rus-eng"])
    found = fit_judge_aware(comparisons)
    assert found.to_frame()["comparisons"].sum() == len(comparisons)
    assert found.reliability.max() > 2 * found.reliability.min()
    scores = dict(zip(found.systems, found.scores, strict=True))
    official = (shared_data / "wmt15" / "official-ranking" / "rus-eng.txt").read_text()
    clusters = [
        [scores[line.split()[0]] for line in part.splitlines() if line]
        for part in official.split("++++++++++")
    ]
    assert len(clusters) == 6
    for better, worse in pairwise(clusters):
        assert min(better) > max(worse)
