"""Meta-evaluation of WMT23 en-de (MQM): ours beside plain NumPy, on the same core in one run.

Ties of 43 metrics calibrated by segment; all 990 pairs of metrics tested at the level of systems
(Pearson's r, all 4,096 swaps); item-grouped accuracy of 903 pairs with 1,000 draws, the plain
version on one pair and ten draws and multiplied. Both give the same numbers where both are whole.
"""

import os
from pathlib import Path
from time import process_time

import numpy as np

from adjudge.metaeval.correlations import accuracy, pearson
from adjudge.metaeval.human_scores import HumanScores
from adjudge.metaeval.metrics_task import metrics_task
from adjudge.metaeval.permutation import standardised, system_tests
from adjudge.metaeval.segment_coefficients import calibrate
from adjudge.metaeval.segment_tests import accuracy_tests
from adjudge.metaeval.submission import read_submissions

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", "../shared/data")) / "wmt23"


def main() -> None:
    """Time both."""
    files = [str(DATA / "human-scores" / f"en-de.mqm.{level}.score") for level in ("seg", "sys")]
    (people,) = read_submissions(files)
    human = HumanScores(
        "en-de",
        "mqm",
        people.systems,
        np.asarray(people.system_scores),
        people.segments,
        people.segment_scores,
    )
    task = metrics_task(human, read_submissions([str(DATA / "metric-scores" / "en-de")]))
    scores = np.asarray(task.human.segment_scores)
    judged = np.isfinite(scores).any(axis=0)
    h = scores[:, judged].T
    metrics = np.array(
        [
            each.segment_scores[:, judged].T
            for each in task.submissions
            if each.segment_scores is not None
        ]
    )
    start = process_time()
    ours = [calibrate(h, each).accuracy for each in metrics]
    took = process_time() - start
    start = process_time()
    plain = [_plain_calibration(h, each) for each in metrics]
    _report("ties of 43 metrics calibrated", took, process_time() - start, ours, plain)

    whole = np.array([each.system_scores for each in task.submissions])
    first, second = np.triu_indices(len(whole), 1)
    r = pearson(task.human.system_scores, whole)
    better, worse = np.where(r[first] >= r[second], (first, second), (second, first))
    start = process_time()
    p = system_tests("pearson", task.human.system_scores, whole, better, worse)
    took = process_time() - start
    start = process_time()
    theirs = _plain_tests(task.human.system_scores, whole, better[:50], worse[:50])
    taken = (process_time() - start) * len(better) / 50
    _report("990 pairs, all swaps (plain: of 50)", took, taken, p[:50], theirs)

    first, second = np.triu_indices(len(metrics), 1)
    accuracy_tests(h, metrics, first[:1], second[:1], draws=2)  # compiles
    start = process_time()
    accuracy_tests(h, metrics, first, second)
    took = process_time() - start
    start = process_time()
    random = np.random.default_rng(1)
    one, other = (standardised(each.reshape(1, -1)).reshape(h.shape) for each in metrics[:2])
    for _ in range(10):
        swap = random.random(h.shape) < 0.5
        for side in (np.where(swap, other, one), np.where(swap, one, other)):
            accuracy(h, side).mean()
    taken = (process_time() - start) * 100 * len(first)
    _report("accuracy, 903 pairs × 1,000 draws (plain: extrapolated)", took, taken)


def _report(what: str, took: float, taken: float, ours: object = 0, plain: object = 0) -> None:
    if not np.allclose(np.asarray(ours), np.asarray(plain), atol=1e-12):
        raise SystemExit(f"{what}: not the same numbers")
    print(f"  {what}: adjudge {took:.2f} s, plain {taken:.2f} s  {taken / took:.1f}×")


def _plain_calibration(human: np.ndarray, metric: np.ndarray) -> float:
    """Sorts all pairs and sums what each changes."""
    first, second = np.triu_indices(human.shape[1], 1)
    dh, dm = ((side[:, first] - side[:, second]).ravel() for side in (human, metric))
    agreed = (np.sign(dh) == np.sign(dm)) & (dh != 0)
    gap = np.abs(dm)
    order = np.argsort(gap, kind="stable")
    after = agreed.sum() + np.cumsum(np.where(dh == 0, 1, -1 * agreed)[order])
    last = np.append(np.flatnonzero(np.diff(gap[order])), len(order) - 1)
    return float(max(after[last].max(), agreed.sum() if gap.min() > 0 else 0) / len(gap))


def _plain_tests(
    human: np.ndarray, metrics: np.ndarray, better: np.ndarray, worse: np.ndarray
) -> list[float]:
    """Every swap of every pair made and correlated."""
    ways = (np.arange(1 << len(human))[:, None] >> np.arange(len(human)) & 1).astype(bool)
    z = standardised(metrics)
    p = []
    for a, b in zip(better, worse, strict=True):
        sides = np.where(ways, z[b], z[a]), np.where(ways, z[a], z[b])
        difference = pearson(human, sides[0]) - pearson(human, sides[1])
        p.append(float((difference >= difference[0] - 1e-12).mean()))
    return p


if __name__ == "__main__":
    main()
