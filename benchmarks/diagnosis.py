"""Leave-one-judge-out on WMT15, all judges at once and one after another; and the whole diagnosis.

The peer is the plain way: for every judge, drop the judge's comparisons, count the rest again and
score. Nobody else publishes the other findings, so the whole diagnosis has only its own time.
"""

import os
from pathlib import Path
from time import perf_counter

import numpy as np

from adjudge.data.comparisons import by_pair, compare
from adjudge.data.table_files import read
from adjudge.data.win_counts import count
from adjudge.diagnosis.diagnose import diagnose
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.findings.influence import scores_without_each
from adjudge.ranking.methods.expected_wins import METHOD


def main() -> None:
    """Time both on every language pair and check that they score alike."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    file = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside)) / "wmt15" / "wmt15.xml.gz"
    if not file.exists():
        print(f"no {file}: set ADJUDGE_SHARED_DATA to the folder of shared data")
        return
    parts = [part for _, part in by_pair(read(str(file)))]
    ours = theirs = 0.0
    judges = 0
    for part in parts:
        evidence = Evidence(part, compare(part), METHOD)
        data = evidence.comparisons
        judges += len(data.judges)
        start = perf_counter()
        at_once = scores_without_each(evidence, data.judge, len(data.judges))
        ours += perf_counter() - start
        start = perf_counter()
        one_by_one = [
            evidence.scores_of(count(data.where(data.judge != judge)))
            for judge in range(len(data.judges))
        ]
        theirs += perf_counter() - start
        if not np.allclose(at_once, one_by_one):
            raise SystemExit(f"{data.pair}: the scores differ")
    print(f"leave one of {judges} judges out, at once        {ours:6.3f} s")
    print(f"leave one of {judges} judges out, one by one     {theirs:6.3f} s")
    print(f"ratio {theirs / ours:.1f}, equal scores")
    start = perf_counter()
    findings = sum(len(diagnose(part)) for part in parts)
    taken = perf_counter() - start
    print(f"all {findings} findings on {len(parts)} language pairs   {taken:6.3f} s")


if __name__ == "__main__":
    main()
