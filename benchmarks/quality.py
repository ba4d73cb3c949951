"""What models of quality reach on test sets that they have not seen: Tasks 1.1, 1.2 and 1.3.

Every row trains on a training part with the defaults of `adjudge quality train`, predicts the test
part and prints its measures beside the published ones and our goals. Defaults were chosen by
cross-validation on training parts. Then the 90 % intervals: how many hold, on a fifth of the
training translations that was held out, and on the test set, which of WMT12 is of another year.
Needs the real data (docs/test-data.md). Times are of one processor. Task 2 is `quality_words`.

    python -m benchmarks quality
"""

import gzip
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
from adjudge.quality.features.preparing import prepare
from adjudge.quality.models.numbers import train_number_model
from adjudge.quality.reading import read_quality
from adjudge.quality.tasks.scoring import scoring_task

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
RANKED = DATA / "quality" / "rankings-de-en"
TIMES = str(DATA / "quality" / "pe-time-en-es" / "pe-time.tsv.gz")
# All families but the given one.
OURS = (
    "baseline", "counts", "language-model", "frequencies", "lexicon", "alignment", "style",
    "changes",
)  # fmt: skip


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
    learned = tuple(str(RANKED / f"wmt10-{part}.jsonl.gz") for part in ("train", "public"))
    yield Row(
        "1.2 WMT08 de-en", learned, str(RANKED / "wmt08.jsonl.gz"), ("tau_penalised",),
        (0.170,), (0.25,), {}, "de-en",
    )  # fmt: skip
    yield Row(
        "1.3 seconds, with translator", (TIMES,), TIMES, ("mae", "spearman"), (40.9, 0.67),
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
    """From Europarl, and from news documents of which no sentence is judged; of IT texts no news.

    Six ranked sentences stand in Europarl; they are left out.
    """
    source, target = pair.split("-")
    pairs = list(zip(europarl(source), europarl(target), strict=True))
    judged = judged_sources(pair, folder)
    if judged:
        pairs += news(source, target, judged)
    paths = [folder / f"{pair}.{side}" for side in ("source", "target")]
    kept = [both for both in pairs if all(both) and letters(both[0]) not in judged]
    for path, lines in zip(paths, zip(*kept, strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    adjudge.train_resources(str(paths[0]), str(paths[1]), str(folder / pair))
    return str(folder / pair)


def news(source: str, target: str, judged: set[str]) -> list[tuple[str, str]]:
    """Newstest sets without the documents of judged sentences."""
    pairs = []
    for names in sorted((DATA / "corpora" / "newstest").glob("*.documents.tsv.gz")):
        year = names.name.split(".")[0]
        texts = [names.with_name(f"{year}.{language}.txt.gz") for language in (source, target)]
        if all(path.exists() for path in texts):
            documents = [line.split("\t")[1] for line in lines_of(names)[1:]]
            rows = list(zip(documents, *map(lines_of, texts), strict=True))
            left_out = {document for document, line, _ in rows if letters(line) in judged}
            pairs += [(ours, theirs) for document, ours, theirs in rows if document not in left_out]
    return pairs


def europarl(language: str) -> list[str]:
    """100,000 lines."""
    path = DATA / "corpora" / "europarl-en-es-de" / f"europarl.{language}.xz"
    return lzma.decompress(path.read_bytes()).decode().split("\n")[:-1]


def judged_sources(pair: str, folder: Path) -> set[str]:
    """The letters of every source in the data of Tasks 1.1 to 1.3 that are news."""
    files = {
        "en-es": [str(folder / "wmt12-qe" / part) for part in ("train", "test")] + [TIMES],
        "de-en": [str(path) for path in RANKED.glob("*.jsonl.gz")],
    }
    return {
        letters(source)
        for file in files.get(pair, ())
        for source in read_quality([file]).table["source"]
    }


def letters(text: str) -> str:
    """Letters and digits only: quotation marks and blanks differ between releases."""
    return "".join(filter(str.isalnum, text.lower()))


def lines_of(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


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
