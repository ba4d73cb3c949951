"""Krippendorff's α of 100,000 units by 20 judges: ours, evalica's and the krippendorff package's.

A tenth of the labels are missing. Each starts from the form it takes labels in: ours from coded
labels, the other two from a matrix of judges × units. Then the same with a bootstrap interval,
which evalica has too (it draws disagreements, ours draws units), on a hundredth of the units.
"""

from collections.abc import Callable
from time import perf_counter

import evalica
import krippendorff
import numpy as np
import pandas as pd

from adjudge.agreement.chance_corrected import (
    LEVELS,
    alpha,
    alpha_from_sums,
    alpha_sums,
    unit_counts,
)
from adjudge.stats.bootstrap import bootstrap
from adjudge.stats.resampling import Resampling, units_of

UNITS, JUDGES, REPEATS, REPLICATES = 100_000, 20, 3, 1000


def main() -> None:
    """Time all at every level, and check that they agree."""
    rng = np.random.default_rng(1)
    quality = rng.normal(size=UNITS)
    matrix = np.clip(np.round(2 + quality + rng.normal(size=(JUDGES, UNITS))), 0, 4)
    matrix[rng.random(matrix.shape) < 0.1] = np.nan
    frame = pd.DataFrame(matrix)
    judge, unit = np.nonzero(~np.isnan(matrix))
    label = matrix[judge, unit].astype(np.int64)
    print(f"α of {len(label):,} labels, best of {REPEATS}")
    for level in LEVELS:
        ours, took = timed(lambda level=level: alpha(unit, label, level))
        print(f"  {level:9} adjudge       {ours:.4f} {took:7.3f} s")
        for name, peer in (
            ("evalica", lambda level=level: evalica.alpha(frame, level).alpha),
            ("krippendorff", lambda at=level: krippendorff.alpha(matrix, level_of_measurement=at)),
        ):
            theirs, taken = timed(peer)
            if abs(theirs - ours) > 1e-9:
                raise SystemExit(f"{level}: {name} says {theirs}, we say {ours}")
            print(f"  {level:9} {name:13} {theirs:.4f} {taken:7.3f} s  {taken / took:.1f}×")

    part = unit < UNITS // 100
    print(f"nominal α of {part.sum():,} labels with {REPLICATES:,} replicates")
    _, took = timed(lambda: interval(unit[part], label[part]))
    some = frame.iloc[:, : UNITS // 100]
    _, taken = timed(lambda: evalica.alpha_bootstrap(some, n_resamples=REPLICATES, random_state=1))
    print(f"  adjudge {took:.3f} s, evalica {taken:.3f} s  {taken / took:.1f}×")


def interval(unit: np.ndarray, label: np.ndarray) -> object:
    """Our bootstrap interval of nominal α."""
    units = (units_of(np.arange(int(unit.max()) + 1), "unit"),)
    statistics = alpha_sums(unit_counts(unit, label), None)
    drawn = Resampling(replicates=REPLICATES)
    return bootstrap(
        statistics, lambda sums: alpha_from_sums(sums, "nominal"), units, drawn
    ).interval()


def timed(run: Callable[[], object]) -> tuple[object, float]:
    """The result, and the best time of a few runs."""
    best = np.inf
    for _ in range(REPEATS):
        start = perf_counter()
        result = run()
        best = min(best, perf_counter() - start)
    return result, best


if __name__ == "__main__":
    main()
