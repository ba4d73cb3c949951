"""What judge-aware buys, and when it buys nothing: simulated campaigns with known truth.

For each kind of judges, the mean over campaigns of Kendall's τ between the order found and the
true qualities, and of the root mean squared error of the expected wins: how often a system beats
another one (ties aside) in the eyes of judges who are neither careless nor biased. Methods of
log-strengths give expected wins as the mean over opponents of 1 / (1 + exp(θ_b − θ_a)).
"""

import time
from dataclasses import replace

import numpy as np
from scipy.stats import kendalltau

from adjudge.data.comparisons import Comparisons, compare
from adjudge.data.win_counts import count
from adjudge.ranking.methods.davidson import scores as davidson
from adjudge.ranking.methods.expected_wins import scores as expected_wins
from adjudge.ranking.methods.judge_aware import fit_judge_aware
from adjudge.ranking.methods.judge_document_aware import fit_judge_document_aware
from adjudge.simulation.campaign import Campaign, simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.simulation.expectation import expected_counts

CAMPAIGNS = 50
FIRST_SEED = 1000  # none of those the model was developed on
SYSTEMS = 12
USUAL = Design(systems=SYSTEMS, identical=0.0, tasks=Tasks(rankings=600), judges=Judges(count=30))


def judged_by(**changes: float) -> Design:
    """The usual campaign with other judges."""
    return replace(USUAL, judges=replace(USUAL.judges, **changes))


SCENARIOS = {
    "all judges alike": judged_by(spread=0.0),
    "judges as usual": USUAL,
    "20 % careless": judged_by(careless=0.2),
    "40 % careless": judged_by(careless=0.4),
    "judges with favourites": judged_by(preference=0.4),
    "one system favoured by a third": USUAL,
    "few documents": replace(USUAL, documents=12, document_effect=0.4),
}
FAVOURED = "one system favoured by a third"


def expected_from(strengths: np.ndarray) -> np.ndarray:
    """Mean chance to beat another system."""
    chance = 1 / (1 + np.exp(strengths - strengths[:, None]))
    return (chance.sum(axis=1) - 0.5) / (len(strengths) - 1)


def methods(comparisons: Comparisons) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By method: scores to order by, expected wins."""
    counts = count(comparisons)
    wins = expected_wins(counts)
    fitted = fit_judge_document_aware(comparisons)
    found = {
        "davidson": davidson(counts),
        "judge-aware": fitted.judges.scores,
        "judge-document-aware": fitted.scores,
    }
    return {"expected-wins": (wins, wins)} | {
        name: (strengths, expected_from(strengths)) for name, strengths in found.items()
    }


def favour(comparisons: Comparisons, system: int, seed: int) -> Comparisons:
    """A third of the judges never rank `system` below anything."""
    random = np.random.default_rng(seed)
    judges = random.permutation(len(comparisons.judges))[: len(comparisons.judges) // 3]
    biased = np.isin(comparisons.judge, judges)
    outcome = comparisons.outcome.copy()
    outcome[biased & (comparisons.left == system)] = 1
    outcome[biased & (comparisons.right == system)] = -1
    return replace(comparisons, outcome=outcome)


def errors(name: str, campaign: Campaign, seed: int) -> dict[str, tuple[float, float]]:
    """By method: Kendall's τ, and the error of expected wins."""
    comparisons = compare(campaign.judgements)
    order = [campaign.truth.systems.index(system) for system in comparisons.systems]
    qualities = campaign.truth.qualities[order]
    if name == FAVOURED:
        comparisons = favour(comparisons, int(np.argsort(qualities)[SYSTEMS // 2]), seed)
    design = campaign.truth.design
    honest = replace(design, judges=replace(design.judges, careless=0.0, preference=0.0))
    wins, ties = expected_counts(honest, tuple(campaign.truth.qualities.tolist()))
    expected_truth = replace(campaign.truth, wins=wins, ties=ties).expected_wins[order]
    return {
        method: (
            float(kendalltau(scores, qualities).statistic),
            float(np.sqrt(((expected - expected_truth) ** 2).mean())),
        )
        for method, (scores, expected) in methods(comparisons).items()
    }


def main() -> None:
    """Print the table, and how long fits take."""
    print(
        f"{CAMPAIGNS} campaigns each, {USUAL.tasks.rankings} rankings of {SYSTEMS} systems by "
        f"{USUAL.judges.count} judges; Kendall's τ (error of expected wins), ± standard error"
    )
    for name, design in SCENARIOS.items():
        seeds = range(FIRST_SEED, FIRST_SEED + CAMPAIGNS)
        found = [errors(name, simulate(design, seed), seed) for seed in seeds]
        print(f"{name}:", flush=True)
        base = np.array([one["davidson"] for one in found])
        for method in found[0]:
            values = np.array([one[method] for one in found])
            tau, error = values.mean(axis=0)
            gain = (values - base)[:, 0]
            print(
                f"  {method:22s} {tau:.3f} ({error:.4f})   τ against davidson "
                f"{gain.mean():+.3f} ± {gain.std() / np.sqrt(CAMPAIGNS):.3f}"
            )
    comparisons = compare(simulate(USUAL, 1).judgements)
    for fit in (fit_judge_aware, fit_judge_document_aware):
        began = time.perf_counter()
        fit(comparisons)
        print(
            f"{fit.__name__}: {len(comparisons)} comparisons, {time.perf_counter() - began:.3f} s"
        )


if __name__ == "__main__":
    main()
