"""WMT15's published agreement counts, all forty rows."""

import json
from pathlib import Path

import polars as pl
import pytest

CODES = {
    "English": "eng",
    "Czech": "ces",
    "German": "deu",
    "French": "fre",
    "Finnish": "fin",
    "Russian": "rus",
}
COUNTS = ("agree", "comparable", "ties", "total")
RATES = (("pA", "p_a"), ("pE", "p_e"), ("kappa", "kappa"))


def test_all_forty_rows(published, shared_data: Path, adjudge) -> None:
    """By `--convention wmt15`: a pair compares only where both judgements showed it in one order,
    and `inter` counts one judge's repeats too. Agree, comparable, ties, total, P(A), P(E), κ.
    """
    table = published("WMT15", "agreement", "WMT15")
    files = str(shared_data / "wmt15" / "wmt15.xml.gz")
    options = ["--convention", "wmt15", "--format", "json", "--replicates", "20"]
    answer = adjudge("agreement", files, *options)
    assert answer.code == 0, answer.err
    ours = {(row["kind"], row["outputs"], row["pair"]): row for row in json.loads(answer.out)}
    official = pl.read_csv(shared_data / "wmt15" / "official-agreement.tsv", separator="\t")
    assert len(ours) == len(official) == 40
    for row in official.iter_rows(named=True):
        source, target = row["language_pair"].split("-")
        mine = ours[row["kind"], row["form"], f"{CODES[source]}-{CODES[target]}"]
        assert mine["convention"] == "wmt15"
        figures = [str(row[key]) for key in COUNTS] + [f"{row[theirs]:.3f}" for theirs, _ in RATES]
        counted = [mine[key] for key in (*COUNTS, *(key for _, key in RATES))]
        name = f"{row['language_pair']}, {row['kind']}, {row['form']}"
        table.row(name, tuple(figures), tuple(counted))
        # The sound figures stand beside, never the same count of comparable pairs.
        assert mine["other_comparable"] != mine["comparable"]
        assert mine["difference"] == pytest.approx(mine["other_kappa"] - mine["kappa"])
