"""Metrics beside sacrebleu: ten systems of newstest2014 English to Czech, 3,003 segments each.

Processor seconds on one core, for the statistics of all segments and the scores of all systems;
then a thousand replicates of all systems by eight metrics.
"""

import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from adjudge.door.text_reading import read_texts
from adjudge.door.texts import Texts
from adjudge.metrics import metric_named
from adjudge.metrics.measured import measure
from adjudge.metrics.standing import resampled
from adjudge.statistics.resampling import Resampling

PEERS = (("bleu", "BLEU"), ("chrf", "CHRF"), ("ter", "TER"))
EIGHT = ("bleu", "sentbleu", "nist", "chrf", "chrf++", "ter", "wer", "cder")


def newstest() -> Texts | None:
    """The texts, where the real data are."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside)) / "segranks"
    if not folder.is_dir():
        return None
    systems = {path.name[:-7]: str(path) for path in sorted((folder / "systems").iterdir())}
    return read_texts(systems, str(folder / "reference.txt.gz"))


def main() -> None:
    """Measure and print."""
    from sacrebleu import metrics as peers

    texts = newstest()
    if texts is None:
        print("  no real data here (docs/test-data.md)")
        return
    material = texts.material
    for metric in map(metric_named, EIGHT):  # compile everything first
        metric.statistics([("a b c", "d")])(("a c b", "e"))
    references = [list(lines) for lines in material.references]
    print(f"{len(texts.systems)} systems, {len(texts):,} segments each")
    for name, theirs in PEERS:
        peer: Any = getattr(peers, theirs)(references=references)
        took, expected = _timed(
            lambda peer=peer: [
                peer.corpus_score(list(lines), None).score for lines in material.systems.values()
            ]
        )
        metric = metric_named(name)
        ours, measured = _timed(lambda metric=metric: measure(material, [metric])[0])
        apart = max(abs(measured.scores() - expected))
        print(
            f"  {name:5} sacrebleu {took:6.2f} s, adjudge {ours:5.2f} s, {took / ours:4.0f}×, "
            f"largest difference {apart:.0e}"
        )
    counted = measure(material, [metric_named(name) for name in EIGHT])
    drawn = Resampling("segment")
    took, _ = _timed(lambda: [resampled(each, drawn) for each in counted])
    print(f"  1,000 replicates of all systems by {len(EIGHT)} metrics: {took:.2f} s")


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = process_time()
    result = work()
    return process_time() - start, result


if __name__ == "__main__":
    main()
