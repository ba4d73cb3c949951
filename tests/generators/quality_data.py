"""Small data for quality estimation of every task, and a model of each."""

import json
from pathlib import Path
from typing import Any

import numpy as np


def edited(path: Path, seed: int, rows: int = 120) -> Path:
    """Translations with words to change; who edited them, and for how long."""
    random = np.random.default_rng(seed)
    lines = ["source\ttarget\tpost_edit\tseconds\ttranslator\tdocument"]
    for row in range(rows):
        words = random.choice(["Haus", "Hund", "<xx>", "geht", "yy"], int(random.integers(3, 15)))
        target = " ".join([*words, str(row), str(seed)])
        edit = target.replace("<xx>", "der Hund").replace("yy", "sieht")
        seconds = len(words) * random.uniform(1, 2)
        who = ("ann", "bob")[row % 2]
        lines.append(f"{target.lower()}\t{target}\t{edit}\t{seconds:.1f}\t{who}\td{row // 6}")
    path.write_text("\n".join(lines) + "\n")
    return path


def ranked(path: Path, seed: int) -> Path:
    """Three candidates of every source, the longer the better."""
    random = np.random.default_rng(seed)
    rows = []
    for number in range(120):
        lengths = random.permutation([3, 6, 9])
        candidates = [
            {"system": name, "rank": int(4 - length // 3), "text": "Wort " * int(length)}
            for name, length in zip("ABC", lengths, strict=True)
        ]
        rows.append({"segment": str(number), "source": f"s {number}", "candidates": candidates})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def models_of_every_task(folder: Path, adjudge: Any) -> dict[str, tuple[Path, Path, Path]]:
    """For every task: the model, its training data, and other data."""
    texts = [edited(folder / f"{name}.tsv", seed) for seed, name in enumerate(("train", "test"))]
    rankings = [ranked(folder / f"{name}.jsonl", seed) for seed, name in enumerate(("tr", "te"))]
    made = {}
    for task, data, told in (
        ("hter", texts, ("--predict", "hter", "--learner", "pls", "--feature", "counts")),
        (
            "time",
            texts,
            ("--task", "time", "--learner", "pls", "--feature", "counts", "--feature", "editing"),
        ),
        ("words", texts, ("--task", "words", "--feature", "word", "--feature", "position")),
        ("ranks", rankings, ("--feature", "counts")),
    ):
        model = folder / f"{task}.adjudge"
        answer = adjudge("quality", "train", data[0], "-o", model, *told)
        assert answer.code == 0, answer.err
        made[task] = (model, *data)
    return made
