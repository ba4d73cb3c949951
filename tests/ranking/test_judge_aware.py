"""judge-aware and judge-document-aware: derivatives, recovery, repeatability, bad input."""

from dataclasses import astuple, replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.data.table_files import read
from adjudge.data.win_counts import count
from adjudge.ranking.methods import davidson, judge_aware
from adjudge.ranking.methods.judge_aware import (
    UNKNOWN,
    USUAL,
    Path,
    estimate,
    fit_judge_aware,
    judge_cells,
)
from adjudge.ranking.methods.judge_document_aware import (
    _document_cells,
    _slopes,
    fit_judge_document_aware,
)
from adjudge.ranking.methods.judge_document_aware import estimate as estimate_documents
from adjudge.ranking.models import judge_likelihood
from adjudge.ranking.models import judge_likelihood as judge_cells_module
from adjudge.ranking.models.inverse_kernels import symmetric_inverses
from adjudge.ranking.models.judge_likelihood import (
    Elimination,
    Parameters,
    Spreads,
    eliminate,
    maximise,
    objective,
    precisions,
    start,
)
from adjudge.ranking.models.paired_comparison import chances
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.stats.resampling import Resampling

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


@pytest.fixture(scope="module")
def somewhere(mixed):
    """The cells of those judges, a point near the maximum, and the curvature there."""
    of, _ = judge_cells(mixed[0])
    found, _ = maximise(of, start(of), SPREADS)
    at = np.concatenate([found.shared, found.judge.ravel()])
    at = at + np.random.default_rng(2).normal(0, 0.002, len(at))

    def point(values):
        return Parameters(
            values[: of.shared], values[of.shared :].reshape(of.judges, 2 + of.systems)
        )

    def slope(values):
        gradient = eliminate(of, point(values), SPREADS).gradient
        return np.concatenate([gradient.shared, gradient.judge.ravel()])

    steps = 1e-5 * np.eye(len(at))
    curvature = np.array([slope(at - step) - slope(at + step) for step in steps]) / 2e-5
    return of, at, point, slope, curvature


def test_slopes_are_those_of_finite_differences(somewhere):
    of, at, point, slope, _ = somewhere
    found = slope(at)
    value = eliminate(of, point(at), SPREADS).value
    assert value == pytest.approx(objective(of, point(at), SPREADS))
    for k in (0, 3, of.shared - 1, of.shared, of.shared + 1, of.shared + 2, len(at) - 1):
        step = np.zeros(len(at))
        step[k] = 1e-5
        up, down = (objective(of, point(at + by), SPREADS) for by in (step, -step))
        assert found[k] == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-3)


def test_elimination_is_that_of_the_whole_curvature(somewhere, monkeypatch):
    of, at, point, slope, curvature = somewhere
    # Some judges at a time, the last time fewer.
    monkeypatch.setattr(judge_cells_module, "AT_ONCE", 4 * (2 + of.systems) ** 2)
    assert len(list(of.parts())) > 2
    found = eliminate(of, point(at), SPREADS)
    step = found.direction()
    whole = np.linalg.solve(curvature, slope(at))
    np.testing.assert_allclose(step.shared, whole[: of.shared], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(step.judge.ravel(), whole[of.shared :], rtol=1e-4, atol=1e-5)
    shared, rest = slice(of.shared), slice(of.shared, None)
    schur = curvature[shared, shared] - curvature[shared, rest] @ np.linalg.solve(
        curvature[rest, rest], curvature[rest, shared]
    )
    np.testing.assert_allclose(found.exact, schur, rtol=1e-4, atol=1e-3)


def test_compiled_inverses_lead_the_same_way(somewhere, monkeypatch):
    of, at, point, _, _ = somewhere
    before = eliminate(of, point(at), SPREADS)
    monkeypatch.setattr(judge_likelihood, "MANY_JUDGES", 1)
    after = eliminate(of, point(at), SPREADS)
    for way in (Elimination.direction, lambda found: replace(found, exact=None).direction()):
        np.testing.assert_allclose(way(after).shared, way(before).shared, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(way(after).judge, way(before).judge, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(after.variances(), before.variances(), rtol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 7, 42])
def test_compiled_inverses_are_inverses(size):
    roots = np.random.default_rng(size).normal(size=(5, size, size + 2))
    blocks = roots @ np.swapaxes(roots, 1, 2)
    before = blocks.copy()
    found = symmetric_inverses(blocks)
    np.testing.assert_allclose(found @ blocks, np.broadcast_to(np.eye(size), blocks.shape), 0, 1e-8)
    np.testing.assert_array_equal(found, np.swapaxes(found, 1, 2))
    np.testing.assert_array_equal(blocks, before)


def test_where_there_is_no_maximum_a_step_still_leads_up(mixed):
    of, _ = judge_cells(mixed[0])
    far = start(of)
    far.shared[:-1] = -2 * STRENGTH  # and so every judge's α should be 0
    found = eliminate(of, far, Spreads(reliability=3.0, tie=0.4, preference=0.5))
    assert found.exact is None
    move = found.direction()
    spreads = Spreads(reliability=3.0, tie=0.4, preference=0.5)
    assert objective(of, far.moved(move, 0.01), spreads) > found.value


def test_parameters_follow_the_spreads(mixed):
    of, _ = judge_cells(mixed[0])
    wider = Spreads(*(1.02 * spread for spread in astuple(SPREADS)))
    here, found = maximise(of, start(of), SPREADS)
    there, _ = maximise(of, here, wider)
    followed = found.following(here, precisions(of, wider)[1])
    moved, missed = here.moved(there, -1), followed.moved(there, -1)
    assert missed.largest < 0.05 * moved.largest


def test_the_path_ends_where_changes_vanish():
    # Changes that hang on all spreads, one of them hardly at all, and not quite linearly.
    slopes = np.array([[-0.3, 0.1, 0.02], [0.15, -0.5, 0.05], [0.0, 0.01, -0.02]])
    end = np.array([-2.7, -2.5, -1.9])
    path = Path(np.log(astuple(USUAL)))
    for _ in range(20):
        away = path.at - end
        path.go(slopes @ away + 0.02 * slopes.diagonal() * away**2)
    np.testing.assert_allclose(path.at, end, atol=1e-9)


def test_variances_are_the_diagonal_of_the_whole_inverse():
    # Where everything is even the expected curvature is the exact one.
    even = drawn(5, np.zeros(4), np.ones(6), np.zeros(6), 200)
    both = replace(
        even,
        **{
            name: np.concatenate([getattr(even, name)] * 2)
            for name in ("left", "right", "ranking", "segment", "document", "hit", "judge")
        },
        outcome=np.concatenate([even.outcome, -even.outcome]),
    )
    of, _ = judge_cells(both)
    at = start(of)
    found = eliminate(of, at, SPREADS)
    columns = []
    for k in range(of.shared + of.judges * (2 + of.systems)):
        unit = np.eye(of.shared + of.judges * (2 + of.systems))[k]
        gradient = Parameters(unit[: of.shared], unit[of.shared :].reshape(of.judges, -1))
        step = replace(found, gradient=gradient).direction()
        columns.append(np.concatenate([step.shared, step.judge.ravel()]))
    diagonal = np.diag(np.array(columns))[of.shared :].reshape(of.judges, -1)
    np.testing.assert_allclose(found.variances(), diagonal, rtol=1e-9)


def test_many_judges_are_fitted_as_few_are(monkeypatch):
    comparisons = drawn(7, STRENGTH, np.full(60, 0.8), np.linspace(-1, 0, 60), 40)
    at_once = judge_aware._fit(comparisons)
    monkeypatch.setattr(judge_aware, "FEW_JUDGES", 20)
    in_turn = judge_aware._fit(comparisons)
    np.testing.assert_allclose(astuple(in_turn.spreads), astuple(at_once.spreads), rtol=1e-5)
    np.testing.assert_allclose(in_turn.scores, at_once.scores, atol=1e-6)


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


@pytest.mark.slow
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
