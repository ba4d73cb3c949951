"""Scores of simulated judges on systems of known quality."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from adjudge.data.score_table import score_table
from adjudge.scoring.score_matrix import Scored, by_scale, code

Simulate = Callable[..., pl.DataFrame]


@pytest.fixture
def simulate() -> Simulate:
    """Judges who score every system's output of their segments, each on a scale of their own."""

    def simulated(
        quality: tuple[float, ...] = (0.0, -5.0, -20.0),
        segments: int = 40,
        judges: int = 4,
        per_segment: int = 2,
        seed: int = 1,
        severity: float = 10.0,
    ) -> pl.DataFrame:
        rng = np.random.default_rng(seed)
        strict = rng.normal(0, severity, judges)
        hard = rng.normal(0, 8, (segments, len(quality)))
        rows = []
        for segment in range(segments):
            for judge in rng.permutation(judges)[:per_segment]:
                for system, level in enumerate(quality):
                    seen = 60 + level + hard[segment, system] + strict[judge] + rng.normal(0, 6)
                    rows.append((segment, judge, system, float(np.clip(round(seen), 0, 100))))
        frame = pl.DataFrame(
            [
                {
                    "pair": "en-cs",
                    "document": f"d{segment // 5}",
                    "segment": f"s{segment}",
                    "item": number,
                    "judge": f"j{judge}",
                    "output": "ABCDEFGH"[system],
                    "scale": "direct-assessment",
                    "score": score,
                }
                for number, (segment, judge, system, score) in enumerate(rows, 1)
            ]
        )
        return score_table(frame)

    return simulated


@pytest.fixture
def coded() -> Callable[[pl.DataFrame], Scored]:
    """The only scale of a table."""

    def only(table: pl.DataFrame) -> Scored:
        (part,) = by_scale(table)
        return code(*part)

    return only
