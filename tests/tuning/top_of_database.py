"""A decoder for tests: the best candidates of a fixed database under the weights it is given.

    python top_of_database.py DATABASE NUMBER WEIGHTS LIST

It is what Z-MERT's own example has for a decoder. Files are n-best lists with values only.
"""

import sys
from itertools import groupby
from pathlib import Path


def main(database: str, number: str, weights: str, nbest: str) -> None:
    given = [float(token) for token in Path(weights).read_text().split() if token != "feature="]
    rows = [line.split(" ||| ") for line in Path(database).read_text().splitlines()]
    with open(nbest, "w") as stream:
        for sentence, own in groupby(rows, key=lambda row: row[0]):
            scored = [
                (-sum(w * float(v) for w, v in zip(given, row[2].split(), strict=True)), k, row)
                for k, row in enumerate(own)
            ]
            for score, _, row in sorted(scored)[: int(number)]:
                stream.write(f"{sentence} ||| {row[1]} ||| {row[2]} ||| {-score}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
