"""Graham and Liu 2016: metrics of WMT15 at the level of systems, and differences between them."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.metaeval.correlations import pearson, zou_interval

TURNED = {"BS"}  # lower is better; nobody turned it
SIGNED = {("fr-en", "BS")}  # printed with its sign


def test_all_190_correlations(
    published, wmt15_metrics: dict[str, pl.DataFrame], shared_data: Path
) -> None:
    """r of all metrics in the order of the authors' files, without its sign as they print it. The
    files have 15 digits, of which ours has 12 at least; here stand three.
    """
    table = published("Graham 2016", "r of WMT15", "WMT15")
    number = 0
    for pair, scores in wmt15_metrics.items():
        figures, ours = [], []
        folder = shared_data / "metaeval" / "history" / "wmt15-system-level"
        for line in (folder / f"wmt-r.{pair}.csv").read_text().splitlines()[1:]:
            _, printed, systems, metric = line.split()
            part = scores.filter(pl.col("METRIC") == metric)
            r = float(pearson(part["HUMAN"].to_numpy(), part["SCORE"].to_numpy()))
            if metric in TURNED and pair != "en-fi":
                assert r < 0
            shown = r if (pair, metric) in SIGNED else abs(r)
            assert shown == pytest.approx(float(printed), abs=1e-12)
            assert len(part) == int(systems)
            figures.append(f"{float(printed):.3f}")
            ours.append(shown)
        table.row(pair, tuple(figures), tuple(ours))
        number += len(figures)
    assert number == 190


def test_all_253_intervals_of_differences(
    published, wmt15_metrics: dict[str, pl.DataFrame], shared_data: Path
) -> None:
    """Zou's intervals (2007) of the difference of two dependent r, of every two metrics."""
    table = published("Graham 2016", "intervals of cs-en", "WMT15")
    folder = shared_data / "metaeval" / "history" / "wmt15-system-level"
    header, *lines = (folder / "zou-ci.cs-en.txt").read_text().splitlines()
    names = header.split()
    scores = wmt15_metrics["cs-en"]
    parts = {name: scores.filter(pl.col("METRIC") == name).sort("SYSTEM") for name in names}
    metrics = np.array([parts[name]["SCORE"].to_numpy() for name in names])
    people = parts[names[0]]["HUMAN"].to_numpy()
    r = np.abs(pearson(people, metrics))
    same, number = 0, 0
    for i, line in enumerate(lines):
        printed = re.findall(r"\[ (\S+) , (\S+) \]", line)
        for j, ends in zip(range(i + 1, len(names)), printed, strict=True):
            between = np.abs(pearson(metrics[i], metrics[j]))
            ours = zou_interval(r[i], r[j], between, len(people))
            number += 1
            same += [round(float(end), 3) for end in ours] == list(map(float, ends))
    assert same == number == 253
    table.words("intervals with both ends the same to three digits", f"{number}", f"{same}")
