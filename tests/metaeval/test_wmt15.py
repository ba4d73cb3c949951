"""WMT15 at the level of systems: every correlation, and every interval of a difference (cs-en)."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.metaeval.correlations import pearson
from adjudge.metaeval.dependent_correlations import zou_interval

TURNED = {"BS"}  # lower is better; nobody turned it
SIGNED = {("fr-en", "BS")}  # printed with its sign


@pytest.fixture(scope="module")
def tables(shared_data: Path) -> dict[str, pl.DataFrame]:
    """Scores of metrics and people by language pair."""
    folder = shared_data / "metaeval" / "history" / "wmt15-system-level"
    found = {}
    for path in sorted(folder.glob("hum-sys.*.csv")):
        header, *lines = (line.split() for line in path.read_text().splitlines())
        frame = pl.DataFrame(lines, schema=header, orient="row")
        found[path.name.split(".")[1]] = frame.with_columns(
            pl.col("SCORE", "HUMAN").cast(pl.Float64)
        )
    return found


def test_all_190_correlations(tables: dict[str, pl.DataFrame], shared_data: Path) -> None:
    number = 0
    for pair, table in tables.items():
        folder = shared_data / "metaeval" / "history" / "wmt15-system-level"
        for line in (folder / f"wmt-r.{pair}.csv").read_text().splitlines()[1:]:
            _, printed, systems, metric = line.split()
            part = table.filter(pl.col("METRIC") == metric)
            ours = float(pearson(part["HUMAN"].to_numpy(), part["SCORE"].to_numpy()))
            if metric in TURNED and pair != "en-fi":
                assert ours < 0
            shown = ours if (pair, metric) in SIGNED else abs(ours)
            assert shown == pytest.approx(float(printed), abs=1e-12)
            assert len(part) == int(systems)
            number += 1
    assert number == 190


def test_all_253_intervals_of_differences(
    tables: dict[str, pl.DataFrame], shared_data: Path
) -> None:
    folder = shared_data / "metaeval" / "history" / "wmt15-system-level"
    header, *lines = (folder / "zou-ci.cs-en.txt").read_text().splitlines()
    names = header.split()
    parts = {
        name: tables["cs-en"].filter(pl.col("METRIC") == name).sort("SYSTEM") for name in names
    }
    scores = np.array([parts[name]["SCORE"].to_numpy() for name in names])
    people = parts[names[0]]["HUMAN"].to_numpy()
    r = np.abs(pearson(people, scores))
    number = 0
    for i, line in enumerate(lines):
        printed = re.findall(r"\[ (\S+) , (\S+) \]", line)
        for j, ends in zip(range(i + 1, len(names)), printed, strict=True):
            between = np.abs(pearson(scores[i], scores[j]))
            ours = zou_interval(r[i], r[j], between, len(people))
            assert [round(float(end), 3) for end in ours] == pytest.approx(list(map(float, ends)))
            number += 1
    assert number == 253


def test_from_rankings_through_trueskill_to_the_correlations(
    tables: dict[str, pl.DataFrame], shared_data: Path
) -> None:
    """French to English: our TrueSkill differs from the official one by Monte Carlo noise only."""
    judgements = adjudge.read(str(shared_data / "wmt15" / "wmt15.xml.gz"))
    ranking = judgements.select(pair="fre-eng").rank("trueskill", unit="none", replicates=20)
    scores = {
        name.partition(".")[2].removesuffix(".fr-en.txt"): score
        for name, score in zip(ranking.systems, ranking.scores, strict=True)
    }
    parts = tables["fr-en"].partition_by("METRIC")
    assert len(parts) == 23
    for part in parts:
        ours = np.array([scores[name] for name in part["SYSTEM"]])
        metric = part["SCORE"].to_numpy()
        official = float(pearson(part["HUMAN"].to_numpy(), metric))
        assert float(pearson(ours, metric)) == pytest.approx(official, abs=0.005)
