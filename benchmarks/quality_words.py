"""Task 2 by the commands: labels of words learned, predicted and judged, beside what was asked for.

WMT17 English–German (docs/test-data.md): every tagger is trained on 23,000 translations as
`adjudge quality train DATA --task words --resources FOLDER` does it, and asked for the labels of
the test set's words; macro F1 stands beside the simple model of the data's README and the goal,
with the time of one processor. Of the test set's chances: Brier score and calibration error with
95 % intervals over sentences, and how often words were changed by their chance. Then the default
tagger on two other sets: MLQE-PE with its own test set, and WMT14 English–Spanish, whose test
labels are not public, by cross-validation. Name taggers (`BENCHMARK_TAGGERS=crf`) to run fewer.
"""

import lzma
import os
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import polars as pl

import adjudge
from adjudge.quality.learners.learner import TAGGERS
from adjudge.quality.measures.calibration import brier, calibration_error, in_bins, reliability
from adjudge.quality.reading import read_quality
from adjudge.quality.tasks.words import LABELS, WordTask, word_task
from adjudge.stats.replicates import sums_by_row

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
SIMPLE = {"binary": (0.596, 0.64), "edits": (0.422, 0.46)}  # a simple model's macro F1; the goal
REPLICATES = 1000


def main() -> None:
    """Train, predict, judge."""
    if not (DATA / "quality" / "wmt17-qe-en-de").is_dir():
        print(f"no data at {DATA}; set ADJUDGE_SHARED_DATA to its folder")
        return
    asked = os.environ.get("BENCHMARK_TAGGERS")
    taggers = asked.split() if asked else sorted(TAGGERS)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for archive in (
            "quality/wmt17-qe-en-de/wmt17-qe-en-de.tar.xz",
            "quality/word-level/word-level.tar.xz",
            "mlqe-pe/en-de/train.tar.gz",
            "mlqe-pe/en-de/test.tar.gz",
        ):
            with tarfile.open(DATA / archive) as packed:
                packed.extractall(folder, filter="data")
        german, spanish = (resources(folder, language) for language in ("de", "es"))
        for labels, (simple, goal) in SIMPLE.items():
            print(f"WMT17 en-de test, {labels}: macro F1 {simple} simple, {goal} asked for")
            for tagger in taggers:
                try_on(folder / "train", folder / "test", labels, german, tagger)
        for labels in SIMPLE:
            print(f"MLQE-PE en-de test20, {labels}")
            try_on(folder / "en-de-train", folder / "en-de-test20", labels, german)
        print("WMT14 en-es, binary, by cross-validation")
        trained(folder / "wmt14-en-es" / "target.train", "binary", spanish)


def resources(folder: Path, language: str) -> str:
    """Resources from 100,000 lines of Europarl, English and another language."""
    for each in ("en", language):
        packed = DATA / "corpora" / "europarl-en-es-de" / f"europarl.{each}.xz"
        (folder / each).write_bytes(lzma.decompress(packed.read_bytes()))
    kept = str(folder / f"resources-{language}")
    adjudge.train_resources(str(folder / "en"), str(folder / language), folder=kept)
    return kept


def trained(data: Path, labels: str, kept: str, tagger: str | None = None) -> str:
    """Train, say what cross-validation measured, and give the model's file."""
    start = process_time()
    model = adjudge.train_quality(
        str(data), task="words", labels=labels, learner=tagger, resources=kept
    )
    row = model[0].to_frame().row(0, named=True)
    print(
        f"  {row['learner']:11s} ({row['chosen']}), {process_time() - start:.0f} s: "
        f"cross-validated macro F1 {row['macro_f1']:.3f}, Brier {row['brier']:.4f}, "
        f"calibration error {row['calibration_error']:.4f}",
        flush=True,
    )
    path = str(data.parent / f"{row['learner']}-{labels}.adjudge")
    model[0].save(path)
    return path


def try_on(data: Path, test: Path, labels: str, kept: str, tagger: str | None = None) -> None:
    """Train on one part, and judge the predictions of another."""
    model = trained(data, labels, kept, tagger)
    predicted = adjudge.predict_quality(model, str(test), resources=kept)
    tags = test.parent / "predicted.tags"
    tags.write_text("".join(f"{' '.join(line)}\n" for line in predicted["tags"].to_list()))
    result = adjudge.evaluate_quality(
        str(test), str(tags), task="words", labels=labels, replicates=REPLICATES
    )
    row = result[0].to_frame().row(0, named=True)
    shown = [f"F1 {name} {row[f'f1_{name.lower()}']:.3f}" for name in LABELS[labels]]
    print(
        f"    test: macro F1 {row['macro_f1']:.3f} "
        f"({row['macro_f1_low']:.3f}–{row['macro_f1_high']:.3f}); {', '.join(shown)}"
    )
    chances(word_task(read_quality([str(test)]).table, labels), predicted)


def chances(task: WordTask, predicted: pl.DataFrame) -> None:
    """How true the chances are that words are changed."""
    chance = predicted["chances"].explode().drop_nulls().to_numpy()
    cells = in_bins(chance, task.gold != 0)
    by_sentence = sums_by_row(cells.reshape(len(chance), -1), task.sentence, len(task))
    random = np.random.default_rng(1)
    drawn = random.multinomial(len(task), np.full(len(task), 1 / len(task)), REPLICATES)
    replicates = (drawn.astype(np.float64) @ by_sentence).reshape(REPLICATES, *cells.shape[1:])
    for name, measure in (("Brier score", brier), ("calibration error", calibration_error)):
        low, high = np.quantile(measure(replicates), (0.025, 0.975))
        print(f"    {name} {measure(cells.sum(axis=0)):.4f} ({low:.4f}–{high:.4f})")
    bins = reliability(cells.sum(axis=0))
    spoken = [f"{mean:.2f} → {share:.2f} ({number:,.0f})" for number, mean, share in bins if number]
    print(f"    chance → share changed (words): {', '.join(spoken)}", flush=True)
