"""Files into win counts: ours beside the obvious script, time and peak memory of each.

Every way runs in a process of its own and must arrive at the same counts, or the same best systems
of a year of ESA. One million votes by
default; `python -m benchmarks.reading 10000000` for the ten million of a large arena.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

SHARED = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
Wins = Counter[tuple[str, str, str]]  # (language pair, better, worse)


def ours(path: str) -> Wins:
    """What `counts_from_file` gives."""
    from adjudge.data.votes.count_wins import counts_from_file

    return Counter(
        {
            (pair, a, b): int(counts.wins[i, j])
            for pair, counts in counts_from_file(path).items()
            for i, a in enumerate(counts.systems)
            for j, b in enumerate(counts.systems)
            if counts.wins[i, j]
        }
    )


def csv_module(path: str) -> Wins:
    """A loop over the rows."""
    import csv

    wins: Wins = Counter()
    with open(path, newline="") as stream:
        for row in csv.DictReader(stream):
            a, b = row["model_a"], row["model_b"]
            if row["winner"] == "model_a":
                wins["arena", a, b] += 1
            elif row["winner"] == "model_b":
                wins["arena", b, a] += 1
    return wins


def pandas_csv(path: str) -> Wins:
    """Read it all, then group."""
    import pandas

    return _grouped(pandas.read_csv(path))


def pandas_parquet(path: str) -> Wins:
    """Read the three columns, then group."""
    import pandas

    return _grouped(pandas.read_parquet(path, columns=["model_a", "model_b", "winner"]))


def _grouped(votes: object) -> Wins:
    wins: Wins = Counter()
    groups = votes.groupby(["winner", "model_a", "model_b"]).size()  # type: ignore[attr-defined]
    for (winner, a, b), times in groups.items():
        if winner in ("model_a", "model_b"):
            wins[("arena", a, b) if winner == "model_a" else ("arena", b, a)] += int(times)
    return wins


def element_tree(path: str) -> Wins:
    """WMT's own way: the whole XML as a tree, then every pair of every ranking."""
    import gzip
    from itertools import combinations
    from xml.etree import ElementTree

    wins: Wins = Counter()
    with gzip.open(path) as stream:
        root = ElementTree.parse(stream).getroot()
    for hit in root.iter("HIT"):
        pair = f"{hit.attrib['source-language']}-{hit.attrib['target-language']}"
        for result in hit.iter("ranking-result"):
            ranked = [
                (system, int(translation.attrib["rank"]))
                for translation in result.iter("translation")
                if translation.attrib["rank"] != "-1"
                for system in translation.attrib["system"].split(",")
            ]
            for (a, rank_a), (b, rank_b) in combinations(ranked, 2):
                if rank_a != rank_b:
                    wins[(pair, a, b) if rank_a < rank_b else (pair, b, a)] += 1
    return wins


def ours_esa(path: str) -> Wins:
    """A table of scores without a known format: its columns recognised, systems ranked."""
    import adjudge

    ranking = adjudge.read(path).rank()
    return Counter({(part.pair, part.systems[0], ""): 1 for part in ranking})


def pandas_esa(path: str) -> Wins:
    """The same columns, scores normalised per judge, and a mean per system."""
    import pandas

    scores = pandas.read_csv(path)
    by_judge = scores.groupby("annotator")["score"]
    scores["z"] = (scores["score"] - by_judge.transform("mean")) / by_judge.transform("std")
    means = scores.groupby(["lp", "system"])["z"].mean()
    best = means.groupby("lp").idxmax()
    return Counter({(str(pair), str(system), ""): 1 for pair, system in best})


WAYS: dict[str, Callable[[str], Wins]] = {
    f.__name__: f
    for f in (
        *(ours, csv_module, pandas_csv, pandas_parquet, element_tree),
        *(ours_esa, pandas_esa),
    )
}


def _votes(rows: int, folder: Path) -> None:
    """The same random votes among forty models as CSV, Parquet, and our own Parquet."""
    import numpy as np
    import polars as pl

    from adjudge.data.table_files import read, write

    rng = np.random.default_rng(1)
    first = rng.integers(0, 40, rows)
    models = pl.Series([f"model-{i:02}-instruct" for i in range(40)])
    winners = pl.Series(["model_a", "model_b", "tie", "tie (bothbad)"])
    votes = pl.DataFrame(
        {
            "question_id": pl.Series(range(rows)).cast(pl.String),
            "model_a": models.gather(first),
            "model_b": models.gather((first + rng.integers(1, 40, rows)) % 40),
            "winner": winners.gather(rng.choice(4, rows, p=(0.35, 0.35, 0.2, 0.1))),
            "judge": "user_" + pl.Series(rng.integers(0, 20_000, rows)).cast(pl.String),
        }
    )
    votes.write_csv(folder / "votes.csv")
    votes.write_parquet(folder / "votes.parquet")
    write(read(str(folder / "votes.parquet")), str(folder / "judgements.parquet"))


def _esa(rows: int, path: Path) -> None:
    """A year of ESA: eleven language pairs, 15 systems each, two judgements an output."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(1)
    row = np.arange(rows)
    pair, system, segment = row % 11, row // 11 % 15, row // 330
    judge = pair * 30 + rng.integers(0, 30, rows)
    score = np.clip(60 + 3 * system + rng.normal(0, 20, rows) + judge % 7, 0, 100).round()
    pl.DataFrame(
        {
            "lp": [f"en-{'abcdefghijk'[i]}x" for i in pair],
            "system": [f"system-{i:02}" for i in system],
            "doc_id": [f"doc-{i // 10}" for i in segment],
            "segment_id": segment,
            "annotator": [f"judge-{i}" for i in judge],
            "score": score,
        }
    ).write_csv(path)


def _run(way: str, path: Path) -> tuple[float, float, float, str]:
    """Seconds, seconds of processor time, peak megabytes, and a digest of the counts."""
    command = [sys.executable, "-m", "benchmarks.reading", "--way", way, str(path)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), float(out[1]), float(out[2]), out[3]


def _one(way: str, path: str) -> None:
    _import_first(way)
    start, started = time.perf_counter(), time.process_time()
    wins = WAYS[way](path)
    print(time.perf_counter() - start, time.process_time() - started, _peak(), _digest(wins))


def _import_first(way: str) -> None:
    """Importing is not reading: neither side pays for it."""
    if way == "ours_esa":
        import adjudge.report.analysis
        import adjudge.scoring.system_scores  # noqa: F401
    if way.startswith("ours"):
        from adjudge.data.formats import FORMATS

        len(FORMATS)  # imports them
    elif way.startswith("pandas"):
        import pandas  # noqa: F401
        import pyarrow.parquet  # noqa: F401


def _peak() -> float:
    """The most memory this process ever held, in megabytes, imports included."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _digest(wins: Wins) -> str:
    import hashlib

    return hashlib.sha256(repr(sorted(wins.items())).encode()).hexdigest()


def _compare(title: str, path: Path, *ways: str) -> None:
    print(f"{title} ({path.stat().st_size / 1e6:,.0f} MB)")
    results = {way: _run(way, path) for way in ways}
    reference = results[ways[0]]
    for way, (seconds, processor, peak, digest) in results.items():
        same = "" if digest == reference[3] else "  DIFFERENT RESULTS"
        times = "" if way == ways[0] else f"  {seconds / reference[0]:.2g} × our time"
        memory = "" if way == ways[0] else f", {peak / reference[2]:.2g} × our memory"
        print(
            f"  {way:15} {seconds:7.2f} s (processor {processor:6.2f} s) {peak:8,.0f} MB"
            f"{times}{memory}{same}"
        )


def main(rows: int = 1_000_000) -> None:
    """Print every comparison."""
    xml = SHARED / "wmt15" / "wmt15.xml.gz"
    if xml.exists():
        _compare("WMT15, 29,017 rankings as Appraise XML", xml, "ours", "element_tree")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _esa(100_000, folder / "esa.csv")
        title = "A year of ESA read and ranked, 100,000 scores"
        _compare(title, folder / "esa.csv", "ours_esa", "pandas_esa")
        _votes(rows, folder)
        title = f"{rows:,} votes as"
        _compare(f"{title} CSV", folder / "votes.csv", "ours", "pandas_csv", "csv_module")
        _compare(f"{title} Parquet", folder / "votes.parquet", "ours", "pandas_parquet")
        _compare(f"{title} Adjudge Parquet", folder / "judgements.parquet", "ours")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        _one(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
