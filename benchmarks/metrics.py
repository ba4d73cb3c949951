"""Metrics beside sacrebleu: ten systems of newstest2014 English to Czech, 3,003 segments each.

Processor seconds on one core, for the statistics of all segments and the scores of all systems;
then a thousand replicates of all systems by eight metrics; `adjudge metrics` with five metrics from
its start to its end; and METEOR beside its jar, both from start to end, on multeval's 2,489
segments.
"""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from adjudge.api.text_reading import read_texts
from adjudge.api.texts import Texts
from adjudge.metrics.metric import metric_named
from adjudge.metrics.sufficient_statistics import measure
from adjudge.metrics.system_scores import resampled
from adjudge.stats.resampling import Resampling

PEERS = (("bleu", "BLEU"), ("chrf", "CHRF"), ("ter", "TER"))
EIGHT = ("bleu", "sentbleu", "nist", "chrf", "chrf++", "ter", "wer", "cder")


FIVE = ("bleu", "chrf", "ter", "wer", "per")
_LAUNCH = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)
"""
ALL_MODULES = "exact+stem+synonym+paraphrase"


def data() -> Path:
    """The folder of real data."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    return Path(os.environ.get("ADJUDGE_SHARED_DATA", beside))


def files() -> tuple[dict[str, str], str]:
    """The files of the systems of newstest2014, and of the reference."""
    folder = data() / "segranks"
    systems = {path.name[:-7]: str(path) for path in sorted((folder / "systems").iterdir())}
    return systems, str(folder / "reference.txt.gz")


def newstest() -> Texts | None:
    """The texts, where the real data are."""
    return read_texts(*files()) if (data() / "segranks").is_dir() else None


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
    _command()
    _meteor()


def _command() -> None:
    """The command line, start included."""
    systems, reference = files()
    given = [word for name, path in systems.items() for word in ("--system", f"{name}={path}")]
    chosen = [word for name in FIVE for word in ("-m", name)]
    words = ["-m", "adjudge", "metrics", "--reference", reference, *given, *chosen]
    one, alone = _process([sys.executable, *words[:5], *given[:2], *chosen])
    took, memory = _process([sys.executable, *words])
    print(f"  adjudge metrics with {len(FIVE)} metrics, start included: {took:.1f} s, {memory} MB")
    print(f"    the same of one system: {one:.1f} s, {alone} MB")


def _meteor() -> None:
    """METEOR with all four modules, in a process of its own, as the jar is."""
    package, gold = find_spec("pycocoevalcap"), data() / "metrics-gold" / "multeval"
    if package is None or not package.submodule_search_locations or which("java") is None:
        print("  no METEOR to compare with (pip install pycocoevalcap, and Java)")
        return
    jar = Path(package.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar"
    table = jar.parent / "data" / "paraphrase-en.gz"
    with TemporaryDirectory() as folder:
        paths = []
        for name in ("hyp.baseline.opt0", "reference"):
            paths.append(str(Path(folder, name)))
            Path(paths[-1]).write_bytes(gzip.decompress((gold / f"{name}.txt.gz").read_bytes()))
        asked = ["-l", "en", "-norm", "-a", str(table)]
        theirs, _ = _process(["java", "-Xmx2G", "-jar", str(jar), *paths, *asked])
        metric = f"meteor(modules={ALL_MODULES},resources={jar},paraphrases={table})"
        given = ["--reference", paths[1], "--system", f"A={paths[0]}", "-m", metric]
        ours, _ = _process([sys.executable, "-m", "adjudge", "metrics", *given])
    print(f"  meteor, start included: jar {theirs:.1f} s, adjudge {ours:.1f} s")


def _process(command: list[str]) -> tuple[float, int]:
    """Processor seconds of a command, and its memory at the most (MB)."""
    # A small process starts it: what this one needs would count as the command's own.
    launched = [sys.executable, "-c", _LAUNCH, *command]
    printed = subprocess.run(launched, check=True, capture_output=True, text=True).stdout
    seconds, memory = printed.split()
    return float(seconds), int(memory)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = process_time()
    result = work()
    return process_time() - start, result


if __name__ == "__main__":
    main()
