"""The other way: score on another machine, without Adjudge, and bring the scores as files.

    python -m neural_metric.elsewhere OUTPUT.seg.score SOURCE REFERENCE NAME=FILE…

One line a system and segment, the segments of a system in their order: name, tab, score. That is
the layout of mt-metrics-eval; a metric that reads the source, too, comes this way.
"""

import sys
from pathlib import Path

from neural_metric.network import network


def main(output: str, source: str, reference: str, *systems: str) -> None:
    """Write the scores of all segments of all systems."""
    model = network(1)
    meant = model.encode(_lines(source)) + model.encode(_lines(reference))
    with Path(output).open("w", encoding="utf-8") as file:
        for given in systems:
            name, _, path = given.partition("=")
            scores = (model.encode(_lines(path)) * meant).sum(axis=1)
            file.writelines(f"{name}\t{score:.6f}\n" for score in scores)


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main(*sys.argv[1:])
