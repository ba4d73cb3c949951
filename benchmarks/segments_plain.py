"""New systems by their plain output alone, on the data of Macháček 2014.

Each of the ten systems is taken out of the database and then evaluated by the plain text of its
output: are its candidates found there as the author's alignment gave them, how many are hits, and
how far is the score from the one by its own ranks? Needs the real data (docs/test-data.md).
"""

import os
from pathlib import Path

import numpy as np

from adjudge.segments.closest_ranks import distances, nearest
from adjudge.segments.overall import ratio_of_wins, wins_and_losses
from adjudge.segments.prediction.database_hits import found_candidates
from adjudge.segments.prediction.predicted_score import estimate, learn
from adjudge.segments.prediction.similarity import likeness
from adjudge.text.reading import read_column
from benchmarks.segments_loop import DRAWING, SHARED, segranks_database


def main() -> None:
    """Print a row a system."""
    data = Path(os.environ.get("ADJUDGE_SHARED_DATA", SHARED)) / "segranks"
    if not data.is_dir():
        print(f"no data at {data}; set ADJUDGE_SHARED_DATA to its folder")
        return
    database = segranks_database(data)
    sums = wins_and_losses(database.rank)
    known = ratio_of_wins(np.concatenate([part.sum(axis=0) for part in sums]))
    apart = distances(database)
    target, errors = len(database.systems), []
    for own, system in enumerate(database.systems):
        lines = read_column(str(data / "systems" / f"{system}.txt.gz")).texts
        found = found_candidates(database, lines, system, without=system)
        pairs = [
            (text, database.texts[code])
            for text, code in zip(found, database.text[:, own], strict=True)
            if code >= 0
        ]
        same = np.mean([text == true for text, true in pairs])
        alike = likeness(database, found)
        others = [column for column in range(target) if column != own]
        learnt = learn(alike, others, [own, target])
        unseen = estimate(alike, learnt, target, DRAWING, [own])
        low, high = (float(end[-1]) for end in unseen.scored.interval())
        errors.append(unseen.score - float(known[own]))
        hits = (nearest(database, apart, system)[0] == 0).mean()
        print(
            f"{system}: {100 * same:.0f} % of its candidates found as extracted, hit rate "
            f"{100 * unseen.hits / database.annotations:.0f} % ({100 * hits:.0f} % as extracted), "
            f"{unseen.score:.4f} from {low:.4f} to {high:.4f}, by its ranks {known[own]:.4f}",
            flush=True,
        )
    print(
        f"mean error {np.mean(errors):+.4f}, mean |error| {np.mean(np.abs(errors)):.4f}, worst "
        f"{np.abs(errors).max():.4f}"
    )
