"""Outputs of several systems as candidates of every sentence, for `adjudge tune`.

    python candidates.py SOURCE OUTPUT… > candidates.jsonl

A candidate's features: which systems made it (one feature each, named after the file), how much of
the others' outputs its words are (the mean share), and its length in words beside the source's.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path


def candidates(source: list[str], outputs: dict[str, list[str]]) -> Iterator[dict[str, object]]:
    """Every distinct output of every sentence, with its features."""
    for number, words in enumerate(source):
        made = {name: lines[number] for name, lines in outputs.items()}
        bags = {text: Counter(text.split()) for text in made.values()}
        for text in dict.fromkeys(made.values()):
            shares = [
                (bags[text] & bags[other]).total() / max(1, bags[other].total())
                for other in made.values()
            ]
            features = {
                "agreement": round(sum(shares) / len(shares), 4),
                "length": round(len(text.split()) / max(1, len(words.split())), 4),
            }
            features |= {name: int(own == text) for name, own in made.items()}
            yield {"segment": number + 1, "text": text, "features": features}


def main(paths: list[str]) -> None:
    """Print them, a line each."""
    texts = {Path(path).stem: Path(path).read_text(encoding="utf-8").splitlines() for path in paths}
    source, *_ = texts
    lines = texts.pop(source)
    if any(len(own) != len(lines) for own in texts.values()):
        sys.exit("outputs must have as many lines as the source")
    for row in candidates(lines, texts):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
