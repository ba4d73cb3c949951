"""Shared by the tests of segments: small databases, in memory."""

from collections.abc import Callable, Sequence

import polars as pl
import pytest

import adjudge
from adjudge.judgements.outputs import join_systems

# annotation, systems, rank, text
Rows = Sequence[tuple[int, str, int, str]]


@pytest.fixture(scope="session")
def database_of() -> Callable[..., adjudge.Segments]:
    """`database_of([(1, "A B", 1, "kočka"), …])`: annotation n is of segment n, sentence n."""

    def database_of(rows: Rows, **columns: object) -> adjudge.Segments:
        frame = pl.DataFrame(
            {
                "pair": "en-cs",
                "protocol": "segments",
                "segment": f"{number}:0,1,2",
                "ranking": number,
                "output": join_systems(systems.split()),
                "rank": rank,
                "text": text,
                "source": "a black cat sleeps",
                "reference": "černá kočka spí",
            }
            | columns
            for number, systems, rank, text in rows
        )
        return adjudge.from_rankings(frame).segments()

    return database_of
