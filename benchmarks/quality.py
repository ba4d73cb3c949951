"""What models of quality reach on test sets that they have not seen: Tasks 1.1, 1.2 and 1.3.

Every row trains on a training part with the defaults of `adjudge quality train`, predicts the test
part and prints its measures beside the published ones and our goals. Defaults were chosen by
cross-validation on training parts. Then the 90 % intervals: how many hold, on a fifth of the
training translations that was held out, and on the test set, which of WMT12 is of another year.
Needs the real data (docs/test-data.md). Times are of one processor. Task 2 is `quality_words`.

    python -m benchmarks quality
"""

import gzip
import json
import lzma
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
import polars as pl

import adjudge
from adjudge.quality.features.inputs import prepare
from adjudge.quality.models.numbers import train_number_model
from adjudge.quality.reading import read_quality
from adjudge.quality.tasks.scoring import scoring_task

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
# All families but the given one.
OURS = (
    "baseline", "counts", "language-model", "frequencies", "lexicon", "alignment", "style",
    "changes",
)  # fmt: skip
# Newstest sets beside Europarl; those of 2008 and 2010 are of the test and training sources.
NEWS = ("2009", "2009syscomb", "2011", "2012", "2013", "2014-deen")


@dataclass(frozen=True)
class Row:
    """What is trained, what is predicted, and what is to be reached, a number a measure."""

    title: str
    train: tuple[str, ...]
    test: str
    measures: tuple[str, ...]
    published: tuple[float | None, ...]
    goal: tuple[float, ...]
    how: dict[str, Any] = field(default_factory=dict)
    resources: str | None = None
    split: bool = False  # are both parts in one file?


SCORING = ("mae", "rmse", "delta_avg", "spearman")


def rows(folder: Path) -> Iterator[Row]:
    """The rows of Tasks 1.1 to 1.3."""
    wmt12, wmt17 = folder / "wmt12-qe", folder / "wmt17-qe-en-de"
    effort = (str(wmt12 / "train"),), str(wmt12 / "test"), SCORING
    yield Row(
        "1.1 WMT12 effort, given features", *effort, (0.69, 0.82, 0.55, 0.58),
        (0.68, 0.815, 0.56, 0.57),
        {"predict": "effort", "feature": "given"},
    )  # fmt: skip
    yield Row(
        "1.1 WMT12 effort, our features", *effort, (None,) * 4, (0.69, 0.83, 0.55, 0.56),
        {"predict": "effort", "feature": OURS}, "en-es",
    )  # fmt: skip
    yield Row(
        "1.1 WMT12 HTER, given features", *effort, (14.81, 18.22, 8.52, 0.46),
        (14.0, 18.0, 8.5, 0.44), {"predict": "hter", "feature": "given"},
    )  # fmt: skip
    yield Row(
        "1.1 WMT17 en-de HTER, all features", (str(wmt17 / "train"),), str(wmt17 / "test"),
        SCORING, (13.28, 17.57, 7.79, 0.430), (13.0, 17.4, 8.2, 0.45),
        {"predict": "hter"}, "en-de",
    )  # fmt: skip
    ranked = DATA / "quality" / "rankings-de-en"
    learned = tuple(str(ranked / f"wmt10-{part}.jsonl.gz") for part in ("train", "public"))
    yield Row(
        "1.2 WMT08 de-en", learned, str(ranked / "wmt08.jsonl.gz"), ("tau_penalised",),
        (0.170,), (0.25,), {}, "de-en",
    )  # fmt: skip
    times = str(DATA / "quality" / "pe-time-en-es" / "pe-time.tsv.gz")
    yield Row(
        "1.3 seconds, with translator", (times,), times, ("mae", "spearman"), (40.9, 0.67),
        (39.5, 0.69), {"task": "time"}, "en-es", split=True,
    )  # fmt: skip


def main() -> None:
    """Every row, then the intervals."""
    if not (DATA / "quality").is_dir():
        print(f"no data at {DATA}; set ADJUDGE_SHARED_DATA to its folder")
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        for archive in ("wmt12-qe", "wmt17-qe-en-de"):
            with tarfile.open(DATA / "quality" / archive / f"{archive}.tar.xz") as packed:
                packed.extractall(folder / archive, filter="data")
        made = {pair: resources(pair, folder) for pair in ("en-es", "en-de", "de-en")}
        for row in rows(folder):
            reached(row, made, folder)
        for quantity in ("effort", "hter"):
            coverage(folder / "wmt12-qe", quantity)


def resources(pair: str, folder: Path) -> str:
    """From Europarl; for the rankings also from news, without the sentences that were ranked."""
    texts = [europarl(language) for language in pair.split("-")]
    if pair == "de-en":
        for year in NEWS:
            for lines, language in zip(texts, pair.split("-"), strict=True):
                path = DATA / "corpora" / "newstest" / f"{year}.{language}.txt.gz"
                lines += gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]
        ranked = ranked_sources()
        kept = [both for both in zip(*texts, strict=True) if both[0].strip() not in ranked]
        texts = [[line for line in side if line] for side in zip(*filter(all, kept), strict=True)]
    paths = [folder / f"{pair}.{side}" for side in ("source", "target")]
    for path, lines in zip(paths, texts, strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    adjudge.train_resources(str(paths[0]), str(paths[1]), str(folder / pair))
    return str(folder / pair)


def europarl(language: str) -> list[str]:
    """100,000 lines."""
    path = DATA / "corpora" / "europarl-en-es-de" / f"europarl.{language}.xz"
    return lzma.decompress(path.read_bytes()).decode().split("\n")[:-1]


def ranked_sources() -> set[str]:
    """Every source of Task 1.2: six of them stand in Europarl."""
    files = (DATA / "quality" / "rankings-de-en").glob("*.jsonl.gz")
    texts = [gzip.decompress(file.read_bytes()).decode() for file in files]
    lines = [line for text in texts for line in text.split("\n")[:-1]]
    return {json.loads(line)["source"].strip() for line in lines}


def reached(row: Row, made: dict[str, str], folder: Path) -> None:
    """Train, predict, evaluate, and print."""
    start = process_time()
    known = None if row.resources is None else made[row.resources]
    part = {"split": "train"} if row.split else {}
    trained = adjudge.train_quality(*row.train, resources=known, **part, **row.how)
    model, said = str(folder / "model.adjudge"), str(folder / "predictions.tsv")
    trained[0].save(model)
    took = process_time() - start
    part = {"split": "test"} if row.split else {}
    predicted = adjudge.predict_quality(model, row.test, resources=known, **part)
    predicted.write_csv(said, separator="\t")
    asked = {name: row.how[name] for name in ("task", "predict") if name in row.how}
    tables = adjudge.evaluate_quality(row.test, said, unit="none", oracles=False, **asked, **part)
    values: dict[str, float] = {}
    for table in tables:
        values |= {name: value for name, value in table.row(0).items() if name in row.measures}
    print(f"{row.title} ({trained.model.learner}, {took:.0f} s)")
    for place, name in enumerate(row.measures):
        before, goal = row.published[place], row.goal[place]
        lower = name in ("mae", "rmse")
        met = values[name] <= goal if lower else values[name] >= goal
        told = "–" if before is None else f"{before:g}"
        seen = trained.card.measured.get(name)
        inside = "" if seen is None else f"; on training translations held out {seen:.3f}"
        print(
            f"  {name:14} {values[name]:8.3f}   published or simple {told:>6}   goal "
            f"{'≤' if lower else '≥'} {goal:g}: {'reached' if met else 'missed'}{inside}"
        )
    if "low" in predicted.columns:
        held(predicted, read_quality([row.test], **part).table, trained.predicts)


def held(predicted: pl.DataFrame, table: pl.DataFrame, quantity: str) -> None:
    """How many intervals of a test set hold."""
    gold = table[quantity].to_numpy()
    inside = (predicted["low"].to_numpy() <= gold) & (gold <= predicted["high"].to_numpy())
    print(f"  90 % intervals hold {inside.mean():.1%} of {len(gold):,}")


def coverage(wmt12: Path, quantity: str) -> None:
    """A fifth of the training translations held out: how many intervals hold."""
    task = scoring_task(read_quality([str(wmt12 / "train")]).table, quantity)
    shuffled = np.random.default_rng(1).permutation(len(task))
    asked, others = shuffled[: len(task) // 5], task.take(shuffled[len(task) // 5 :])
    model = train_number_model(others, prepare(others.table), "ensemble", ("given",))
    said = model.predict(prepare(task.table[asked]))
    inside = (said.low <= task.gold[asked]) & (task.gold[asked] <= said.high)
    print(f"1.1 WMT12 {quantity}, given features, ensemble: of translations like those of training")
    print(f"  90 % intervals hold {inside.mean():.1%} of {len(inside):,}")
