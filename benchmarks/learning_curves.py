"""Do learning curves say what more data bring? They are continued, and then the data are given.

From training data of WMT17 (HTER, words) and WMT10 (rankings) some are held out; a model learns
from N others, and its report says how much better it would be with 2N and 4N, with a 95 %
interval. Then models do learn from 2N and 4N.

    python -m benchmarks learning_curves

prints the mean expected and true gain, the mean distance between them, and how often the interval
held. $CURVES sets how many draws a row has (10).
"""

import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Table
from adjudge.quality.models.train import Trained, train
from adjudge.quality.reading import QualityData, read_quality
from adjudge.quality.studies.held_out import held_out
from adjudge.quality.studies.learning_curve import TIMES, learning_curve
from adjudge.quality.translations import codes_of, document_groups
from adjudge.stats.resampling import Resampling

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
DRAWS = int(os.environ.get("CURVES", "10"))


@dataclass(frozen=True)
class Trial:
    """What is learned, from how many, and tried on how many."""

    name: str
    table: pl.DataFrame
    unit: Any  # of each row: what is drawn
    learned: int
    tried: int
    how: dict[str, Any]


def trials(folder: Path) -> Iterator[Trial]:
    """HTER, words, rankings."""
    with tarfile.open(DATA / "quality/wmt17-qe-en-de/wmt17-qe-en-de.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    texts = read_quality([str(folder / "train")]).table[:12_000]
    group = document_groups(texts)
    hter = {"predict": "hter", "features": ("given",)}
    yield Trial("HTER, pls", texts, group, 500, 2_000, {**hter, "learner": "pls"})
    yield Trial("HTER, elastic-net", texts, group, 500, 2_000, {**hter, "learner": "elastic-net"})
    yield Trial(
        "words, logistic", texts, group, 250, 2_000, {"task": "words", "learner": "logistic"}
    )
    ranked = read_quality([str(DATA / "quality/rankings-de-en/wmt10-public.jsonl.gz")]).table
    sources = codes_of(ranked["source"])[0]
    yield Trial("ranks, logistic", ranked, sources, 40, 120, {"features": ("counts",)})


def gains(trial: Trial, seed: int) -> list[tuple[float, float, bool]]:
    """For twice and four times as many: the expected gain, the true one, whether it lay within."""
    order = np.random.default_rng(seed).permutation(int(trial.unit.max()) + 1)
    place = np.argsort(order)[trial.unit]
    ends = [trial.tried, *(trial.tried + trial.learned * times for times in (1, *TIMES))]

    def part(first: int, last: int) -> QualityData:
        return QualityData(trial.table.filter((place >= first) & (place < last)), f"{seed}/{last}")

    small, others = part(ends[0], ends[1]), part(0, ends[0])
    drawn = Resampling(replicates=500, seed=seed)

    def measured(model: Trained) -> float:
        own = held_out(model, others, None, drawn)
        said = own.predicted(own.model.estimator, own.matrix)
        return float(own.value(own.statistics(said).sum(axis=0))[0])

    trained = train(small, seed=seed, **trial.how)
    held = held_out(trained, others, None, drawn)
    curve = learning_curve(held, held.training(small, None), seed)
    found = []
    for point, end in zip(curve.expected, ends[2:], strict=True):
        true = measured(train(part(ends[0], end), seed=seed, **trial.how)) - measured(trained)
        true = true if held.measure.higher_is_better else -true
        inside = point.gain.low <= true <= point.gain.high
        found.append((point.gain.value, true, bool(inside)))
    return found


def main() -> None:
    """A row a kind of model and size."""
    rows = []
    with TemporaryDirectory() as folder:
        for trial in trials(Path(folder)):
            drawn = np.array([gains(trial, seed) for seed in range(1, DRAWS + 1)])
            for at, times in enumerate(TIMES):
                expected, true, held = drawn[:, at].T
                rows.append(
                    {
                        "model": trial.name,
                        "from": trial.learned,
                        "to": trial.learned * times,
                        "expected": float(expected.mean()),
                        "true": float(true.mean()),
                        "off": float(np.abs(expected - true).mean()),
                        "held": float(held.mean()),
                    }
                )
    columns = [
        *(Column(name, name) for name in ("model", "from", "to")),
        *(Column(name, name, 4) for name in ("expected", "true", "off")),
        Column("held", "interval held", percent=True),
    ]
    print(render([Table(rows, columns, title=f"{DRAWS} draws a row")], "table"))
