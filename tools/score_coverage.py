"""Coverage, false claims and power of `adjudge scores` on campaigns whose truth is known.

Systems in pairs of equals are scored on documents of six segments, on a scale that is cut at 0 and
100. Judges differ in severity (SD 8) and in how much they favour a system, documents in difficulty
(SD 10) and in how well they suit a system; segment × system has SD 5 and single scores SD 6. One
judge scores all systems of a document, or every system of a document has another judge, or every
judge knows only half of the systems. Beside the default stands the same model with the variances of
the simulation instead of estimates, the most that can be found.

    python tools/score_coverage.py 300 > table.md
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.scoring.adjusted_scores import memory_cells
from adjudge.scoring.score_matrix import Scored
from adjudge.scoring.system_scores import SystemScores, system_scores
from adjudge.stats.mixed_model import MOST_DEGREES, fit_mixed_model
from adjudge.stats.simultaneous import Relation, told_apart

Floats = NDArray[np.float64]

SYSTEMS, DOCUMENTS, SEGMENTS = 8, 40, 6
SEVERITY, DIFFICULTY, SEGMENT, NOISE = 8.0, 10.0, 5.0, 6.0
TRUTHS = {
    "pairs": np.repeat([66.0, 63.0, 60.0, 57.0], 2),
    "equal": np.full(SYSTEMS, 62.0),
    "ceiling": np.repeat([90.0, 87.0, 84.0, 81.0], 2),
}


@dataclass(frozen=True)
class Situation:
    """A kind of campaign."""

    judges: int
    assignment: str  # document: one judge scores all systems; system: another judge for each
    truth: str = "pairs"
    liking: float = 2.0  # SD of judge × system
    suiting: float = 3.0  # SD of document × system
    workloads: float = 0.0  # SD of the logarithm of a judge's share of the work
    documents: int = DOCUMENTS

    def row(self) -> list[str]:
        """The cells of the table that name the situation."""
        workloads = "unequal" if self.workloads else "equal"
        likings = f"{self.liking:g}, {self.suiting:g}"
        shown = (self.judges, self.documents, self.assignment, workloads, likings, self.truth)
        return [str(cell) for cell in shown]


SITUATIONS = (
    *(Situation(n, kind) for n in (3, 8, 20) for kind in ("document", "system")),
    *(Situation(20, kind, workloads=0.8) for kind in ("document", "system")),
    *(Situation(20, kind, liking=5, suiting=6) for kind in ("document", "system")),
    *(Situation(n, "half") for n in (8, 20)),
    *(Situation(8, kind, "ceiling") for kind in ("document", "system")),
    *(Situation(n, kind, "equal") for n in (3, 8, 20) for kind in ("document", "system")),
    *(Situation(8, kind, "equal", documents=10) for kind in ("document", "system")),
)


def judge_of(case: Situation, random: np.random.Generator) -> NDArray[np.int64]:
    """The judge of every document and system."""
    shape = (case.documents, SYSTEMS)
    share = np.exp(random.normal(0, case.workloads, case.judges))
    share /= share.sum()
    if case.assignment == "document":
        return np.repeat(random.choice(case.judges, (case.documents, 1), p=share), SYSTEMS, axis=1)
    if case.assignment == "system":
        if case.judges < SYSTEMS:
            return random.choice(case.judges, shape, p=share)
        drawn = [random.choice(case.judges, SYSTEMS, False, share) for _ in range(case.documents)]
        return np.array(drawn)
    knows = np.array([random.permutation(SYSTEMS) < SYSTEMS // 2 for _ in range(case.judges)])
    knows[0] |= ~knows.any(axis=0)
    chosen = [random.choice(np.flatnonzero(known), case.documents) for known in knows.T]
    return np.array(chosen).T


def simulate(case: Situation, random: np.random.Generator) -> Scored:
    """The scores of one campaign."""
    judge_at = judge_of(case, random)
    shape = (case.documents, SYSTEMS, SEGMENTS)
    document, system, segment = (axis.ravel() for axis in np.indices(shape))
    judge = judge_at[document, system]
    value = (
        TRUTHS[case.truth][system]
        + random.normal(0, SEVERITY, case.judges)[judge]
        + random.normal(0, case.liking, (case.judges, SYSTEMS))[judge, system]
        + random.normal(0, DIFFICULTY, case.documents)[document]
        + random.normal(0, case.suiting, shape[:2])[document, system]
        + random.normal(0, np.hypot(SEGMENT, NOISE), len(system))
    )
    unknown = np.full(len(value), -1, np.int32)
    return Scored(
        pair="",
        scale="",
        value=np.clip(np.rint(value), 0, 100),
        system=system.astype(np.int32),
        segment=(document * SEGMENTS + segment).astype(np.int32),
        document=document.astype(np.int32),
        hit=unknown,
        item=np.arange(len(value), dtype=np.int32),
        judge=judge.astype(np.int32),
        systems=tuple(f"{n}" for n in range(SYSTEMS)),
        judges=tuple(f"{n}" for n in range(case.judges)),
        unattributed=0,
    )


def expected(case: Situation) -> Floats:
    """Expected scores of the systems, once cut at 0 and 100."""
    variance = SEVERITY**2 + DIFFICULTY**2 + SEGMENT**2 + NOISE**2
    spread = np.sqrt(variance + case.liking**2 + case.suiting**2)
    noise = np.random.default_rng(0).normal(0, spread, 400_000)
    return np.array([np.clip(mean + noise, 0, 100).mean() for mean in TRUTHS[case.truth]])


def in_order(found: SystemScores) -> Relation:
    """The pairs told apart, by the numbers of the systems."""
    order = [int(name) for name in found.systems]
    better = np.zeros((SYSTEMS, SYSTEMS), bool)
    better[np.ix_(order, order)] = found.told_apart
    return better


def at_known_variances(case: Situation, scored: Scored) -> Relation:
    """The pairs told apart by the model with the variances of the simulation."""
    cells = memory_cells(scored, "judge+document")
    variances = [SEVERITY, case.liking, DIFFICULTY, case.suiting, np.hypot(SEGMENT, NOISE)]
    fit = fit_mixed_model(cells, variances=np.array(variances) ** 2)
    return told_apart(fit.estimate, fit.covariance, MOST_DEGREES, 0.95)


def claims(better: Relation, truth: Floats) -> tuple[float, bool]:
    """Share of the true differences that are found, and whether any false one is."""
    differ = truth[:, None] > truth
    power = float(better[differ].mean()) if differ.any() else np.nan
    return power, bool((better & ~differ).any())


def measure(case: Situation, campaigns: int) -> Iterator[str]:
    """The cells of a row of the table."""
    truth = expected(case)
    held, found, known, seconds = [], [], [], 0.0
    for seed in range(campaigns):
        scored = simulate(case, np.random.default_rng([seed, case.judges, case.documents]))
        begin = time.process_time()
        result = system_scores(scored)
        seconds += time.process_time() - begin
        own = truth[[int(name) for name in result.systems]]
        held.append((result.low <= own) & (own <= result.high))
        found.append(claims(in_order(result), truth))
        known.append(claims(at_known_variances(case, scored), truth))
    yield from case.row()
    yield f"{100 * np.mean(held):.1f} %"
    for claimed in (found, known):
        power, false = np.mean(claimed, axis=0)
        yield "" if np.isnan(power) else f"{100 * power:.0f} %"
        yield f"{100 * false:.1f} %"
    yield f"{1000 * seconds / campaigns:.0f} ms"


HEADINGS = (
    "judges", "documents", "judge of each", "workloads", "likings", "truth", "scores hold",
    "found", "false", "known variances: found", "false", "time",
)  # fmt: skip


def main() -> None:
    """Print the table."""
    campaigns = int(sys.argv[1])
    print(f"| {' | '.join(HEADINGS)} |")
    print("|" + "---|" * len(HEADINGS))
    for case in SITUATIONS:
        print(f"| {' | '.join(measure(case, campaigns))} |", flush=True)


if __name__ == "__main__":
    main()
