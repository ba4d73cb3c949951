"""A simulated campaign: judgements whose truth is known."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.simulation.assignment import assign
from adjudge.simulation.design import Design, Judges, Tasks, require
from adjudge.simulation.expectation import expected_counts
from adjudge.simulation.outputs import Material, draw_material, draw_qualities
from adjudge.simulation.simulated_judges import DrawnJudges, answer, draw_judges
from adjudge.simulation.table import table
from adjudge.simulation.truth import Truth


@dataclass(frozen=True, eq=False)
class Campaign:
    """Simulated judgements, and what is true of them."""

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
    """The judgement table that the drawn judges produce on the material."""
    assignment = assign(tasks, material, drawn.workload, rng)
    answers = answer(assignment, material, judges, drawn, rng)
    return table(material, assignment, drawn, answers, tasks.rankings)
