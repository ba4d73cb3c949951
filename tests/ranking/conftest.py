"""Small campaigns for the tests of ranking methods."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl
import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from adjudge.data.comparisons import Comparisons, compare
from adjudge.data.judgement_table import judgement_table

Block = Mapping[str, int]  # the rank of each system


def campaign(
    blocks: Sequence[Block],
    *,
    judges: Sequence[str] | None = None,
    segments: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
) -> Comparisons:
    """The comparisons of blocks, each with its judge, segment and document where given."""
    rows = [
        {
            "pair": "xxx-yyy",
            "ranking": number,
            "output": system,
            "rank": rank,
            "judge": judges[number] if judges else None,
            "segment": segments[number] if segments else None,
            "document": documents[number] if documents else None,
        }
        for number, block in enumerate(blocks)
        for system, rank in block.items()
    ]
    return compare(judgement_table(pl.DataFrame(rows, infer_schema_length=None)))


@st.composite
def _blocks(draw: DrawFn, ties: bool = True) -> list[Block]:
    systems = [f"system {letter}" for letter in "ABCDE"[: draw(st.integers(3, 5))]]
    ranks = st.integers(1, 3) if ties else None
    chosen = draw(
        st.lists(
            st.lists(st.sampled_from(systems), min_size=2, max_size=4, unique=True),
            min_size=3,
            max_size=10,
        )
    )
    # One block shows all systems, so that nobody stands alone.
    blocks = [draw(st.permutations(systems)), *chosen]
    return [
        {
            system: place if number == 0 or ranks is None else draw(ranks)
            for place, system in enumerate(shown, 1)
        }
        for number, shown in enumerate(blocks)
    ]


@pytest.fixture(scope="session", name="campaign")
def _campaign() -> Callable[..., Comparisons]:
    return campaign


@pytest.fixture(scope="session")
def blocks() -> Callable[..., SearchStrategy[list[Block]]]:
    """Blocks of three to five systems that are all connected; without ties on request."""
    return _blocks
