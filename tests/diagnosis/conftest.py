"""Small campaigns written out, and simulated ones to plant trouble in."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl
import pytest

from adjudge.data.comparisons import compare
from adjudge.data.judgement_table import judgement_table
from adjudge.diagnosis.evidence import Evidence
from adjudge.ranking.methods.expected_wins import METHOD
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks

Block = tuple[str, Mapping[str, int]]  # judge, ranks by system in shown order


def written_out(blocks: Sequence[Block], **columns: object) -> pl.DataFrame:
    """A judgement table of blocks, each on a segment of its own."""
    return judgement_table(
        pl.DataFrame(
            [
                {
                    "pair": "a-b",
                    "ranking": number,
                    "segment": f"s{number}",
                    "judge": judge,
                    "output": system,
                    "rank": rank,
                    "position": place,
                    **columns,
                }
                for number, (judge, ranks) in enumerate(blocks, 1)
                for place, (system, rank) in enumerate(ranks.items(), 1)
            ]
        )
    )


@pytest.fixture(scope="session")
def table_of() -> Callable[..., pl.DataFrame]:
    """`table_of(blocks, **columns)`."""
    return written_out


@pytest.fixture(scope="session")
def evidence_of() -> Callable[..., Evidence]:
    """`evidence_of(table)`."""
    return lambda table: Evidence(table, compare(table), METHOD)


@pytest.fixture(scope="session")
def clean() -> Callable[[int], pl.DataFrame]:
    """A campaign of equally good judges without any trouble, by seed; each made once."""
    made: dict[int, pl.DataFrame] = {}

    def campaign(seed: int) -> pl.DataFrame:
        if seed not in made:
            design = Design(
                identical=0.0,
                document_effect=0.0,
                tasks=Tasks(rankings=2000),
                judges=Judges(count=20, spread=0.0, workload=0.5, taste=0.2),
            )
            made[seed] = simulate(design, seed).judgements
        return made[seed]

    return campaign
