#!/usr/bin/env python3
"""Metrics of ours beside people's preferences of WMT14 into English: Kendall's τ by direction.

    tools/wmt14_tau.py DATA "sentbleu(tokenize=mteval-intl,lowercase=yes)" bleu-nrc amber

prints rows of Tables 4.4 and 4.6 of Macháček 2014: τ (WMT14) of the five directions, and means by
WMT14, WMT12 and WMT13. DATA has the folders of docs/test-data.md. With `--moses` words are first
cut as Moses' tokenizer cut them in 2014 (`pip install sacremoses`; a metric then takes
`tokenize=none`). That one took a virama for no letter, and so split words of Devanagari, which the
outputs from Hindi are full of.
"""

import argparse
import re
import tarfile
import unicodedata
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl

import adjudge
from adjudge.api.judgements import Judgements
from adjudge.api.texts import Texts
from adjudge.stats.resampling import Floats

DIRECTIONS = ("fr-en", "de-en", "hi-en", "cs-en", "ru-en")
VARIANTS = ("wmt14", "wmt12", "wmt13")
SIDES = pl.col("better", "worse")
History = Path  # the folder metaeval/history of the data


def preferences(history: History) -> pl.DataFrame:
    """direction, segment, better, worse: a row for every preference."""
    path = history / "wmt14-into-english" / "preferences.tsv.gz"
    return pl.read_csv(path, separator="\t", schema_overrides={"segment": pl.String})


def people(table: pl.DataFrame) -> Judgements:
    """The preferences as judgements."""
    return adjudge.from_comparisons(
        table["better"],
        table["worse"],
        [1] * len(table),
        segment=table["segment"],
        pair=table["direction"],
    )


def texts(history: History, told: pl.DataFrame, cut: Callable[[str], str] = str) -> Texts:
    """Outputs and reference of the direction of these preferences; empty where nobody judged."""
    (pair,) = told["direction"].unique()
    judged = {
        name: set(map(int, told.filter(pl.any_horizontal(name == SIDES))["segment"]))
        for name in sorted({*told["better"], *told["worse"]})
    }
    root = "wmt14-data/txt"
    files = {
        f"{root}/system-outputs/newstest2014/{pair}/newstest2014.{name}.{pair}": name
        for name in judged
    }
    reference = f"{root}/references/newstest2014-{pair.replace('-', '')}-ref.en"
    lines: dict[str, list[str]] = {}
    with tarfile.open(history / "wmt14-texts" / "wmt14-data-txt.tar.gz") as archive:
        for member in archive:
            if member.name in files or member.name == reference:
                stream = archive.extractfile(member)
                assert stream is not None
                name = files.get(member.name, "")
                kept = judged.get(name, set.union(*judged.values()))
                lines[name] = [
                    cut(line) if number in kept else ""
                    for number, line in enumerate(
                        stream.read().decode().removesuffix("\n").split("\n"), 1
                    )
                ]
    references = [lines.pop("")]
    return adjudge.from_texts(dict(sorted(lines.items())), references, pair=pair)


def taus(told: pl.DataFrame, given: Texts, metrics: Sequence[str]) -> Floats:
    """τ of each metric by each variant, of one direction."""
    scores = given.metric_scores(metrics)
    (part,) = people(told).metaeval(scores, level="segment", tau=VARIANTS, unit="none")
    return part.values[[part.metrics.index(each.metric) for each in scores.submissions]]


def moses() -> Callable[[str], str]:
    """Moses' tokenizer for English, with words split at what it took for no letter in 2014."""
    tokenizer = import_module("sacremoses").MosesTokenizer(lang="en")
    marks = {
        chr(code) for code in range(0x900, 0xE00) if unicodedata.combining(chr(code)) in (7, 9)
    }
    between = re.compile(f"([{''.join(sorted(marks))}])")
    return lambda line: between.sub(r" \1 ", str(tokenizer.tokenize(line, return_str=True)))


def _nukta_or_virama(character: str) -> bool:
    return unicodedata.combining(character) in (7, 9)


def main() -> None:
    """A row a metric, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("metric", nargs="+")
    parser.add_argument("--moses", action="store_true")
    given = parser.parse_args()
    history = given.data / "metaeval" / "history"
    cut = moses() if given.moses else str
    told = preferences(history)
    values = np.array(
        [
            taus(part, texts(history, part, cut), given.metric)
            for part in (told.filter(pl.col("direction") == pair) for pair in DIRECTIONS)
        ]
    )
    print(f"| metric | {' | '.join((*DIRECTIONS, *VARIANTS))} |")
    print("|---" * (1 + len(DIRECTIONS) + len(VARIANTS)) + "|")
    for name, directions, mean in zip(
        given.metric, values[:, :, 0].T, values.mean(axis=0), strict=True
    ):
        cells = " | ".join(f"{value:.3f}" for value in (*directions, *mean))
        print(f"| `{name}` | {cells} |")


if __name__ == "__main__":
    main()
