"""All forty rows of WMT15's agreement: ours, and label by label in plain Python.

The peer does what the published tables were made by: gather the labels of every pair of
outputs, then compare them two by two. Ours is timed from the table of judgements, gives the
sound figures beside, and is timed once more with a bootstrap interval for every row.
"""

import os
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from time import perf_counter

from adjudge.agreement.pairwise import agreement
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.data.table_files import read
from adjudge.stats.resampling import Resampling

FORMS = ("collapsed", "expanded")
Counts = tuple[int, int, int, int]


def pair_by_pair(comparisons: Comparisons) -> tuple[Counts, Counts]:
    """Agree, comparable, ties and total, between judges and within them."""
    c = comparisons
    rows = list(
        zip(c.segment.tolist(), c.left.tolist(), c.right.tolist(), c.judge.tolist(),
            c.outcome.tolist(), strict=True)
    )  # fmt: skip
    between, within, on_segment = defaultdict(list), defaultdict(list), defaultdict(list)
    for segment, left, right, judge, outcome in rows:
        between[segment, left, right].append(outcome)
        within[segment, judge, left, right].append(outcome)
        on_segment[segment, judge].append(outcome)
    repeated = {key[:2] for key, labels in within.items() if len(labels) > 1}
    seen = [outcome for key in repeated for outcome in on_segment[key]]
    return (
        (*two_by_two(between.values()), sum(row[4] == 0 for row in rows), len(rows)),
        (*two_by_two(within.values()), seen.count(0), len(seen)),
    )


def two_by_two(groups: object) -> tuple[int, int]:
    """Pairs that agree, and all pairs, of the labels in each group."""
    agree = comparable = 0
    for labels in groups:  # type: ignore[attr-defined]
        for one, other in combinations(labels, 2):
            comparable += 1
            agree += one == other
    return agree, comparable


def main() -> None:
    """Time both on WMT15 and check that they count alike."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    file = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside)) / "wmt15" / "wmt15.xml.gz"
    if not file.exists():
        print(f"no {file}: set ADJUDGE_SHARED_DATA to the folder of shared data")
        return
    table = read(str(file))
    start = perf_counter()
    agreement(table, FORMS, "wmt15", Resampling(unit="segment", replicates=1))
    counting = perf_counter() - start
    start = perf_counter()
    ours = agreement(table, FORMS, "wmt15")
    taken = perf_counter() - start
    parts = [(pair, form, compare(part, form)) for pair, part in by_pair(table) for form in FORMS]
    start = perf_counter()
    peer = {(pair, form): pair_by_pair(comparisons) for pair, form, comparisons in parts}
    theirs = perf_counter() - start
    for result in ours:
        t = result.tally
        expected = peer[result.pair, result.outputs][result.kind == "intra"]
        if (t.agree, t.comparable, t.ties, t.total) != expected:
            raise SystemExit(f"{result.pair} {result.kind}: {t} is not {expected}")
    print(f"{len(ours)} rows, equal counts")
    print(f"  label by label in Python       {theirs:6.2f} s")
    print(f"  adjudge, both conventions      {counting:6.2f} s  {theirs / counting:.1f}×")
    print(f"  the same, with intervals       {taken:6.2f} s  {theirs / taken:.1f}×")


if __name__ == "__main__":
    main()
