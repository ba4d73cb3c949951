"""The loop of reuse on the data of Macháček 2014: evaluate, ask judges for little, evaluate again.

Each of the ten systems is hidden in turn: its ranks are predicted from the others. Then judges are
asked for some of its misses, drawn by doubt, and give the ranks that they gave in 2014; and again
for more. Printed: how far the score is from the one by all of its ranks, how wide the
interval is, and how many annotations of segments drawn at random would give as narrow an interval
without a database. Needs the real data (docs/test-data.md); takes about five minutes.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import adjudge
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.overall import ratio_of_wins, resampled_ratio, wins_and_losses
from adjudge.segments.prediction.predicted_score import Learnt, Unseen, draw_misses, estimate, learn
from adjudge.segments.prediction.similarity import Flags, Likeness, likeness
from adjudge.stats.resampling import Resampling

SHARED = Path(__file__).parents[2] / "shared" / "data"
ASKED = (0, 50, 100, 200, 400, 800, 10**6)
DRAWING = Resampling("auto", 1000, 1, 0.95)


def main() -> None:
    """Print a row for every number of annotations, over all systems."""
    data = Path(os.environ.get("ADJUDGE_SHARED_DATA", SHARED)) / "segranks"
    if not data.is_dir():
        print(f"no data at {data}; set ADJUDGE_SHARED_DATA to its folder")
        return
    database = segranks_database(data)
    alike = likeness(database)
    sums = wins_and_losses(database.rank)
    known = ratio_of_wins(np.concatenate([part.sum(axis=0) for part in sums]))
    full = resampled_ratio(*sums, database.sentence, DRAWING).interval()
    rows: dict[int, list[tuple[float, float, bool, float, int]]] = {}
    for own, system in enumerate(database.systems):
        others = [column for column in range(len(database.systems)) if column != own]
        learnt = learn(alike, others, [own])
        reach = float(full[1][own] - full[0][own]) / 2
        print(f"{system}: {known[own]:.4f} ± {reach:.4f} by all ranks", flush=True)
        judged = np.zeros(database.annotations, bool)
        for number in ASKED:
            unseen, judged = _ask(alike, learnt, own, judged, number)
            low, high = (float(end[-1]) for end in unseen.scored.interval())
            half, error = (high - low) / 2, unseen.score - float(known[own])
            from_scratch = database.annotations * (reach / half) ** 2
            covered = low <= known[own] <= high
            row = (error, half, covered, from_scratch, int(judged.sum()))
            rows.setdefault(number, []).append(row)
            print(
                f"  {row[4]:5} asked: {unseen.score:.4f} ± {half:.4f}, error {error:+.4f}, as from "
                f"{from_scratch:,.0f} at random",
                flush=True,
            )
    print("asked   mean |error|   worst   mean ±   holds for   as many at random would be needed")
    for mine in rows.values():
        errors, halves, held, scratch, asked = (
            np.array(column) for column in zip(*mine, strict=True)
        )
        print(
            f"{asked.mean():5.0f}   {np.abs(errors).mean():.4f}   {np.abs(errors).max():.4f}   "
            f"{halves.mean():.4f}   {held.sum()} of {len(held)}   {scratch.mean():,.0f}"
        )


def _ask(
    alike: Likeness, learnt: Learnt, own: int, judged: Flags, number: int
) -> tuple[Unseen, Flags]:
    """Judges rank what is drawn, until they have ranked so many segments."""
    unseen = estimate(alike, learnt, own, DRAWING, judged=judged)
    drawn = draw_misses(unseen.doubt, seed=1)["annotation"].to_numpy()
    more = drawn[: max(number - int(judged.sum()), 0)]
    if not len(more):
        return unseen, judged
    judged = judged.copy()
    judged[more] = True
    return estimate(alike, learnt, own, DRAWING, judged=judged), judged


def segranks_database(data: Path) -> SegmentDatabase:
    """The database, with the better mapping of candidates to systems."""
    with TemporaryDirectory() as folder:
        given = {"annotations": "annotations", "segments": "segments-remapped"}
        for name, file in ({"sentences": "sentences"} | given).items():
            (Path(folder) / f"{name}.tsv.gz").symlink_to(data / f"{file}.tsv.gz")
        read = adjudge.read(str(Path(folder) / "annotations.tsv.gz"))
        return read.segments().databases[0]
