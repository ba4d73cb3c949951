#!/usr/bin/env python3
"""Do intervals of metric-assisted rankings hold, whatever the metric? Simulated campaigns say.

Six systems, documents of eight segments, of which some were judged; judges differ in strictness
and in what they like. The metrics are `good` (the quality and noise), `useless` (noise) and
`misleading` (it likes bad systems best, and else sees only which segments are hard). `main` prints
the table of docs/assisted-ranking.md:

    tools/assisted_coverage.py --campaigns 2000

With `--wmt23 FOLDER` (docs/test-data.md) it hides most of WMT23's MQM scores of English–German
instead, and asks whether intervals from the rest hold the means of all:

    tools/assisted_coverage.py --campaigns 200 --wmt23 ../shared/data/wmt23
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from scipy.stats import rankdata

from adjudge.api.reading import from_rankings, from_scores, read
from adjudge.data.comparisons import compare
from adjudge.metaeval.assisted.result import Assisted
from adjudge.metaeval.assisted.scores import assist_scores
from adjudge.metaeval.assisted.segment_matching import KnownTexts, known_texts
from adjudge.metaeval.assisted.wins import assist_rankings
from adjudge.metaeval.submission import Submission, read_submissions
from adjudge.scoring.score_matrix import by_scale
from adjudge.stats.resampling import Resampling

SYSTEMS, SEGMENTS, SHOWN = 6, 8, 4
QUALITY = np.linspace(0, 0.5, SYSTEMS)
METRICS = ("good", "useless", "misleading")
STEP = 0.5  # what a judge who ranks can tell apart


@dataclass(frozen=True)
class Design:
    """How much of how many documents is judged, and by whom."""

    documents: int
    judged: int  # documents, or as many segments
    judges: int
    whole: bool = True  # are whole documents judged, or scattered segments?
    rankings: bool = False  # of four outputs; else scores of all
    per_segment: int = 1  # judgements


DESIGNS = {
    "scores, 20 of 60 documents": Design(60, 20, 10),
    "scores, 80 segments of 80 documents": Design(80, 10, 20, whole=False),
    "rankings, 30 of 90 documents": Design(90, 30, 20, rankings=True, per_segment=2),
}


def campaign(design: Design, metric: str, seed: int) -> tuple[Assisted, np.ndarray]:
    """A simulated campaign with its true scores."""
    random = np.random.default_rng([seed, METRICS.index(metric)])
    document = np.repeat(np.arange(design.documents), SEGMENTS)
    lines = len(document)
    shared = random.normal(0, 0.4, design.documents)[document] + random.normal(0, 0.6, lines)
    suits = random.normal(0, 0.2, (SYSTEMS, design.documents))[:, document]
    quality = QUALITY[:, None] + shared + suits + random.normal(0, 0.7, (SYSTEMS, lines))
    noise = random.normal(0, 1, (SYSTEMS, lines))
    scores = {
        "good": quality + 0.5 * noise,
        "useless": noise,
        "misleading": shared + noise - 4 * QUALITY[:, None],
    }[metric]
    names = tuple(f"S{number}" for number in range(SYSTEMS))
    segments = tuple(map(str, range(1, lines + 1)))
    known = KnownTexts(
        Submission(metric, "xx-yy", names, None, segments, scores),
        tuple(f"d{number}" for number in document),
    )
    if design.whole:
        chosen = random.permutation(design.documents)[: design.judged]
        line = np.flatnonzero(np.isin(document, chosen))
    else:
        line = np.sort(random.permutation(lines)[: design.judged * SEGMENTS])
    line = np.repeat(line, design.per_segment)
    judge = random.integers(0, design.judges, len(line))
    likes = random.normal(0, 0.1, (design.judges, SYSTEMS)).T[:, judge]
    strict = random.normal(0, 0.4, design.judges)[judge]
    seen = quality[:, line] + strict + likes + random.normal(0, 0.5, (SYSTEMS, len(line)))
    ask = _ranked if design.rankings else _scored
    result = ask(seen, line, judge, document, known, random)
    truth = _expected_wins() if design.rankings else QUALITY
    return result, truth[[names.index(name) for name in result.systems]]


def _scored(seen, line, judge, document, known, random) -> Assisted:  # type: ignore[no-untyped-def]
    system, column = np.divmod(np.arange(seen.size), seen.shape[1])
    given = from_scores(
        [f"S{number}" for number in system],
        [str(number + 1) for number in line[column]],
        seen.ravel(),
        judge=[f"j{number}" for number in judge[column]],
        document=[f"d{number}" for number in document[line[column]]],
        pair="xx-yy",
    )
    ((pair, scale, part),) = by_scale(given.table)
    return assist_scores(pair, scale, part, known, "raw", Resampling())


def _ranked(seen, line, judge, document, known, random) -> Assisted:  # type: ignore[no-untyped-def]
    shown = np.argsort(random.random(seen.shape), axis=0)[:SHOWN]
    rank = rankdata(-np.take_along_axis(_steps(seen), shown, axis=0), method="dense", axis=0)
    place = np.tile(np.arange(len(line)), SHOWN)
    frame = pl.DataFrame(
        {
            "pair": "xx-yy",
            "ranking": place + 1,
            "output": [f"S{number}" for number in shown.ravel()],
            "rank": rank.ravel().astype(np.int64),
            "segment": [str(number + 1) for number in line[place]],
            "document": [f"d{number}" for number in document[line[place]]],
            "judge": [f"j{number}" for number in judge[place]],
        }
    ).sort("ranking")
    return assist_rankings(compare(from_rankings(frame).table), known, Resampling())


def _steps(seen: np.ndarray) -> np.ndarray:
    return np.asarray(np.round(seen / STEP))


@lru_cache
def _expected_wins(draws: int = 400_000) -> np.ndarray:
    """Of judges and texts without number; their draws are the same for every campaign."""
    random = np.random.default_rng(1)
    seen = QUALITY[:, None] + random.normal(0, np.sqrt(0.4**2 + 0.6**2 + 0.4**2), draws)
    own = np.sqrt(0.2**2 + 0.7**2 + 0.1**2 + 0.5**2)
    seen = _steps(seen + random.normal(0, own, (SYSTEMS, draws)))
    wins = np.array([[(a > b).sum() for b in seen] for a in seen])
    share = wins / np.maximum(wins + wins.T, 1)
    return np.asarray(share.sum(axis=1) / (SYSTEMS - 1))


def covered(design: Design, metric: str, campaigns: int, seed: int = 1) -> dict[str, float]:
    """Shares of intervals that hold the truth, and how much narrower a metric makes them."""
    rows = []
    for number in range(campaigns):
        result, truth = campaign(design, metric, seed * 1_000_000 + number)
        best = 1 + (truth[:, None] < truth - 1e-9).sum(axis=1)
        rows.append(
            {
                "together": _holds(result.low, truth, result.high),
                "alone": _holds(result.alone_low, truth, result.alone_high),
                "ranges": float(((result.rank_low <= best) & (best <= result.rank_high)).all()),
                "width": float((result.high - result.low).mean()),
                "alone_width": float((result.alone_high - result.alone_low).mean()),
                "saved": float(result.saved.sum() / result.judgements.sum()),
            }
        )
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def _holds(low: np.ndarray, truth: np.ndarray, high: np.ndarray) -> float:
    return float(((low <= truth) & (truth <= high)).mean())


def hidden(folder: str, metric: str, kept: int, draws: int, seed: int = 1) -> dict[str, float]:
    """WMT23 English–German by MQM, of which people are believed to have judged a few documents."""
    people = read(f"{folder}/human-scores/en-de.mqm.seg.score").select(without_reference=True)
    ((pair, scale, part),) = by_scale(people.table)
    path = f"{folder}/metric-scores/en-de/{metric}.seg.score"
    whole = known_texts(read_submissions([path])[0], beside=path)
    judged = sorted(set(map(int, part["segment"].cast(pl.String))))
    known = KnownTexts(
        whole.submission.among(whole.submission.systems, [str(line) for line in judged]),
        tuple((whole.documents or ())[line - 1] for line in judged),
    )
    part = part.with_columns(pl.col("segment").cast(pl.String), pl.col("document").cast(pl.String))
    truth = dict(part.group_by(pl.col("output").cast(pl.String)).agg(pl.col("score").mean()).rows())
    documents = part["document"].unique().sort()
    categorical = pl.col("segment", "document").cast(pl.Categorical)
    rows = []
    for draw in range(draws):
        chosen = documents.sample(kept, seed=seed * 10_000 + draw)
        some = part.filter(pl.col("document").is_in(chosen.implode())).with_columns(categorical)
        result = assist_scores(pair, scale, some, known, None, Resampling())
        mean = np.array([truth[name] for name in result.systems])
        rows.append(
            {
                "together": _holds(result.low, mean, result.high),
                "alone": _holds(result.alone_low, mean, result.alone_high),
                "error": float(np.abs(result.scores - mean).mean()),
                "alone_error": float(np.abs(result.alone - mean).mean()),
                "apart": float(result.told_apart.sum()),
                "alone_apart": float(result.alone_told_apart),
                "width": float((result.high - result.low).mean()),
                "alone_width": float((result.alone_high - result.alone_low).mean()),
                "saved": float(result.saved.sum() / result.judgements.sum()),
            }
        )
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


WMT23_METRICS = ("XCOMET-Ensemble-refA", "COMET-refA", "BLEU-refA", "Random-sysname-src")
KEPT = 40  # of WMT23's documents


def _wmt23_table(folder: str, draws: int, say: Callable[[str], None]) -> None:
    say("| metric | people alone | together | width | mean error | pairs separated | saved |")
    say("|---|---|---|---|---|---|---|")
    for metric in WMT23_METRICS:
        row = hidden(folder, metric, KEPT, draws)
        say(
            f"| {metric} | {100 * row['alone']:.1f} % | {100 * row['together']:.1f} % "
            f"| {row['width'] / row['alone_width']:.2f} "
            f"| {row['alone_error']:.2f} → {row['error']:.2f} "
            f"| {row['alone_apart']:.1f} → {row['apart']:.1f} | {100 * row['saved']:.0f} % |"
        )


def main(say: Callable[[str], None] = print) -> None:
    """The table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=2000)
    parser.add_argument("--wmt23", metavar="FOLDER")
    given = parser.parse_args()
    campaigns = given.campaigns
    if given.wmt23 is not None:
        _wmt23_table(given.wmt23, campaigns, say)
        return
    say("| judged | metric | people alone | together | rank ranges | width | saved |")
    say("|---|---|---|---|---|---|---|")
    for name, design in DESIGNS.items():
        for metric in METRICS:
            row = covered(design, metric, campaigns)
            say(
                f"| {name} | {metric} | {100 * row['alone']:.1f} % | {100 * row['together']:.1f} % "
                f"| {100 * row['ranges']:.1f} % | {row['width'] / row['alone_width']:.2f} "
                f"| {100 * row['saved']:.0f} % |"
            )


if __name__ == "__main__":
    main()
