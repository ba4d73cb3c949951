"""Does the order of `adjudge quality order` save annotations? Beside an order at random.

WMT12's effort, its 17 given features, the training part alone (docs/test-data.md): a fifth is held
out, 50 others are annotated, drawn at random, and a Gaussian process learns from them. It puts the
rest in order. Models then learn from the 50 and the first 25, 50, 100, … of the rest, by that
order and by chance.

    python -m benchmarks annotation_order

prints the mean MAE and ρ on the fifth held out, and by how much the order is better than chance in
MAE, with a 95 % interval (Student's) over draws of both parts. $DRAWS sets how many (20).
"""

import os
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Row, Table
from adjudge.quality.features.inputs import prepare
from adjudge.quality.measures.correlation import spearman
from adjudge.quality.models.annotation_order import annotation_order
from adjudge.quality.models.numbers import NumberModel
from adjudge.quality.models.train import train
from adjudge.quality.reading import QualityData, read_quality
from adjudge.stats.tests import student

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
DRAWS = int(os.environ.get("DRAWS", "20"))
FIRST = 50
MORE = (25, 50, 100, 200, 400, 800)
WAYS = ("order", "chance")


def learned(table: pl.DataFrame, seed: int) -> NumberModel:
    """A Gaussian process that learned from these translations."""
    how = {"predict": "effort", "learner": "gaussian-process", "features": ("given",)}
    model = train(QualityData(table, ""), seed=seed, **how).model  # type: ignore[arg-type]
    assert isinstance(model, NumberModel)
    return model


def measured(model: NumberModel, held: pl.DataFrame) -> tuple[float, float]:
    """MAE and Spearman's ρ."""
    said, gold = model.predict(prepare(held)).value, held["effort"].to_numpy()
    rho = spearman(np.ones((1, len(gold))), gold, said[None]).ravel()[0]
    return float(np.abs(said - gold).mean()), float(rho)


def tried(table: pl.DataFrame, seed: int) -> list[list[tuple[float, float]]]:
    """Of every number of annotations and every way to choose them, MAE and ρ."""
    rows = np.random.default_rng(seed).permutation(len(table))
    fifth = len(table) // 5
    held, start, rest = (table[rows[a:b]] for a, b in
                         ((0, fifth), (fifth, fifth + FIRST), (fifth + FIRST, None)))  # fmt: skip
    order = annotation_order(learned(start, seed), prepare(rest), None)["row"].to_numpy() - 1
    ways = (order, np.arange(len(rest)))  # the rest is in a random order
    return [
        [measured(learned(pl.concat([start, rest[way[:more]]]), seed), held) for way in ways]
        for more in MORE
    ]


def main() -> None:
    """A row a number of annotations."""
    if not (DATA / "quality" / "wmt12-qe").is_dir():
        print(f"no data at {DATA}; set ADJUDGE_SHARED_DATA to its folder")
        return
    with TemporaryDirectory() as folder:
        with tarfile.open(DATA / "quality" / "wmt12-qe" / "wmt12-qe.tar.xz") as packed:
            packed.extractall(folder, filter="data")
        table = read_quality([str(Path(folder) / "train")]).table
        drawn = np.array([tried(table, seed) for seed in range(1, DRAWS + 1)])
    rows: list[Row] = []
    for at, more in enumerate(MORE):
        better = drawn[:, at, 1, 0] - drawn[:, at, 0, 0]
        reach = student(0.95, DRAWS) * better.std(ddof=1) / np.sqrt(DRAWS)
        found = drawn[:, at].mean(axis=0)
        rows.append(
            {"annotated": FIRST + more, "better": float(better.mean()), "reach": float(reach)}
            | {f"{way}_mae": float(found[i, 0]) for i, way in enumerate(WAYS)}
            | {f"{way}_rho": float(found[i, 1]) for i, way in enumerate(WAYS)}
        )
    columns = [
        Column("annotated", "annotated"),
        *(Column(f"{way}_mae", f"MAE, {way}", 3) for way in WAYS),
        Column("better", "order better by", 4),
        Column("reach", "±", 4),
        *(Column(f"{way}_rho", f"ρ, {way}", 3) for way in WAYS),
    ]
    print(render([Table(rows, columns, title=f"WMT12 effort, means of {DRAWS} draws")], "table"))
