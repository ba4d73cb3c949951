"""The doubt about Table 3.8 of Macháček 2014: is it chance which metric one should tune towards?

Needs the real data (docs/test-data.md). The ten systems' outputs of newstest2014 are the
candidates, the thesis's database of ranked segments is tuned towards, and half of the sentences are
kept to test on. Prints the tables of `adjudge tune-variance`; some minutes on one core.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gzip
import runpy
import tempfile
from contextlib import redirect_stdout
from html import unescape
from pathlib import Path
from time import process_time

import adjudge

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared" / "data"
BLEU = "bleu(tokenize=none)"
SETS = 30
GOALS = (BLEU, f"exact-match + {BLEU}", f"penalize-unknown + {BLEU}", "segranks-bleu")


def ten_systems(data: Path, folder: Path) -> adjudge.Candidates:
    """The outputs as candidates, in Moses' tokens, with references and ranked segments."""
    given = data / "segranks"
    for name in ("annotations", "sentences"):
        (folder / f"{name}.tsv.gz").symlink_to(given / f"{name}.tsv.gz")
    (folder / "segments.tsv.gz").symlink_to(given / "segments-remapped.tsv.gz")
    paths = {}
    for packed in sorted((given / "extraction" / "tokenized").glob("*.txt.gz")):
        own = folder / packed.name.removesuffix(".gz")
        own.write_text(unescape(gzip.decompress(packed.read_bytes()).decode()), encoding="utf-8")
        paths[own.stem] = str(own)
    source, reference = paths.pop("source"), paths.pop("reference")
    made = runpy.run_path(str(ROOT / "examples" / "system-combination" / "candidates.py"))
    with open(folder / "candidates.jsonl", "w", encoding="utf-8") as file, redirect_stdout(file):
        made["main"]([source, *paths.values()])
    return adjudge.read_candidates(
        str(folder / "candidates.jsonl"),
        reference=reference,
        segments=str(folder / "annotations.tsv.gz"),
    )


def main() -> None:
    """Print the tables."""
    data = Path(os.environ.get("ADJUDGE_SHARED_DATA", SHARED))
    if not (data / "segranks").is_dir():
        print(f"no data at {data}; set ADJUDGE_SHARED_DATA to its folder")
        return
    with tempfile.TemporaryDirectory() as folder:
        candidates = ten_systems(data, Path(folder))
        began = process_time()
        result = candidates.tune_variance(
            GOALS,
            by="cder(tokenize=none)",
            sets=SETS,
            seeds=2,
            restarts=10,
            rounds=0,
        )
        print(result.render())
        print(f"{process_time() - began:.0f} s of processor time")
