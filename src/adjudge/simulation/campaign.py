"""Simulated campaigns: judgements whose truth is known.

The truth is the estimand of every ranking method.

It is defined over the population of documents, segments and judges, not over those drawn: the
result of an infinite campaign, careless judges included. `expectation` computes it.

Simulated answers as a judgement table.

A simulated campaign: judgements whose truth is known.

A simulated campaign on disk: its judgements, and its truth beside them.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import open_output, uncompressed_name
from adjudge.data.judgement_table import ID, SCHEMA, is_reference
from adjudge.data.table_files import format_for, write
from adjudge.data.win_counts import WinCounts
from adjudge.simulation.assignment import NOBODY, Assignment, assign
from adjudge.simulation.design import Design, Judges, Tasks, require
from adjudge.simulation.expectation import expected_counts
from adjudge.simulation.outputs import Material, draw_material, draw_qualities
from adjudge.simulation.simulated_judges import Answers, DrawnJudges, answer, draw_judges

Floats = NDArray[np.float64]

MANY = 10**9  # rankings, as good as endless


@dataclass(frozen=True, eq=False)
class Truth:
    """True qualities of the systems, their expected wins, and the judges drawn.

    `wins[i, j]` and `ties[i, j]` are expected counts for one ranking, an output shared by several
    systems counting for each (`expanded`).
    """

    design: Design
    seed: int
    systems: tuple[str, ...]
    qualities: Floats
    wins: Floats
    ties: Floats
    judges: DrawnJudges

    @property
    def win_probability(self) -> Floats:
        """Matrix of P(i is ranked better than j | no tie); one half on the diagonal."""
        decided = self.wins + self.wins.T
        return np.divide(self.wins, decided, out=np.full_like(decided, 0.5), where=decided > 0)

    @property
    def expected_wins(self) -> Floats:
        """Mean probability of each system to beat another one (WMT13 §3.3).

        The reference, if judged, is not an opponent; its own entry is its mean probability of
        beating a system.
        """
        systems = np.array([not is_reference(system) for system in self.systems])
        opponents = systems & ~np.eye(len(systems), dtype=bool)
        return np.asarray((self.win_probability * opponents).sum(1) / opponents.sum(1))

    def counts(self) -> WinCounts:
        """Counts of an infinite campaign.

        A count method applied to them gives the value it estimates from fewer judgements.
        """
        return WinCounts(
            self.systems,
            np.rint(MANY * self.wins).astype(np.int64),
            np.rint(MANY * self.ties).astype(np.int64),
        )

    def to_json(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        systems = zip(self.systems, self.qualities, self.expected_wins, strict=True)
        drawn = self.judges
        return {
            "simulated": True,
            "seed": self.seed,
            "design": asdict(self.design),
            "systems": [
                {"system": name, "quality": float(quality), "expected_wins": float(wins)}
                for name, quality, wins in systems
            ],
            "win_probability": self.win_probability.tolist(),
            "judges": [
                {
                    "judge": name,
                    "noise": float(drawn.noise[i]),
                    "threshold": float(drawn.threshold[i]),
                    "leniency": float(drawn.leniency[i]),
                    "careless": bool(drawn.careless[i]),
                    "preference": drawn.preference[i].tolist(),
                }
                for i, name in enumerate(drawn.names)
            ],
        }


START = datetime(2026, 1, 5, 9, tzinfo=UTC)


def table(
    material: Material,
    assignment: Assignment,
    drawn: DrawnJudges,
    answers: Answers,
    rankings: int,
) -> pl.DataFrame:
    """Build the table of the first `rankings` by time: one row per shown output, one per skipped
    ranking.

    It is well-formed by construction, so the checks of files are skipped: they would take most of
    the time of a small campaign.
    """
    chronological = np.argsort(answers.end, kind="stable")[:rankings]
    shown = assignment.shown[chronological]
    skipped = answers.skipped[chronological]
    rows = (shown != NOBODY) & ~skipped[:, None]
    rows[:, 0] |= skipped
    number, place = np.nonzero(rows)
    ranked = chronological[number]
    segment = assignment.segment[ranked]
    code, outputs = material.output_names()
    hits = [f"hit-{i}" for i in range(1, assignment.hits + 1)]
    frame = pl.DataFrame(
        {
            "pair": _named([material.pair], np.zeros(len(ranked), np.int64)),
            "document": _named(material.documents, material.document[segment]),
            "segment": _named(material.segments, segment),
            "ranking": number + 1,
            "hit": _named(hits, assignment.hit[ranked]),
            "judge": _named(drawn.names, assignment.judge[ranked]),
            "output": outputs.gather(code[segment, shown[number, place]]),
            "rank": answers.ranks[ranked, place],
            "position": np.cumsum(rows, axis=1)[number, place],
            "seconds": answers.seconds[ranked],
            "time": np.rint(answers.end[ranked] * 1e6).astype("timedelta64[us]"),
        }
    )
    was_shown = pl.Series(~answers.skipped[ranked])
    labelled = pl.Series(answers.labelled[ranked, place])
    frame = frame.with_columns(
        pl.when(was_shown).then(pl.col("output", "position")),
        pl.when(labelled).then(pl.col("rank")),
        pl.col("time") + pl.lit(START),
    )
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in SCHEMA.items()
    )


def _named(names: Sequence[str], codes: NDArray[np.int64]) -> pl.Series:
    return pl.Series(names, dtype=ID).gather(codes)


@dataclass(frozen=True, eq=False)
class Campaign:
    """Simulated judgements and their truth."""

    judgements: pl.DataFrame
    truth: Truth


def simulate(design: Design, seed: int = 1) -> Campaign:
    """Simulate a campaign; the same seed gives the same judgements."""
    require(seed >= 0, f"the seed {seed}; give 0 or more")
    rng = np.random.default_rng(seed)
    qualities = draw_qualities(design, rng)
    material = draw_material(design, qualities, rng)
    judges = draw_judges(design.judges, len(qualities), rng)
    wins, ties = expected_counts(design, tuple(qualities.tolist()))
    truth = Truth(design, seed, material.systems, qualities, wins, ties, judges)
    return Campaign(judge(material, design.tasks, design.judges, judges, rng), truth)


def judge(
    material: Material, tasks: Tasks, judges: Judges, drawn: DrawnJudges, rng: np.random.Generator
) -> pl.DataFrame:
    """Judgement table produced by the drawn judges on the material."""
    assignment = assign(tasks, material, drawn.workload, rng)
    answers = answer(assignment, material, judges, drawn, rng)
    return table(material, assignment, drawn, answers, tasks.rankings)


def truth_file(path: str, to: str | None = None) -> str:
    """File name for the truth of the judgements in `path`: out.jsonl.gz has out.truth.json.

    Refuses a path to which judgements cannot be written in the format `to`.
    """
    if path == "-":
        raise AdjudgeError("the truth is saved beside the judgements; name a file, not -")
    suffix = format_for(path, to).suffix
    return uncompressed_name(path).removesuffix(suffix) + ".truth.json"


def save(campaign: Campaign, path: str, to: str | None = None) -> None:
    """Save judgements and truth, both or neither."""
    with open_output(truth_file(path, to)) as stream:
        text = json.dumps(campaign.truth.to_json(), indent=1, ensure_ascii=False)
        stream.write(f"{text}\n".encode())
        write(campaign.judgements, path, to)
