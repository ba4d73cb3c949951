"""Judgement tables of every kind, for hypothesis."""

from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import strategies as st

from adjudge.judgements.judgement_table import judgement_table
from adjudge.judgements.outputs import join_systems, unattributed

PLAIN = ("A", "B", "online-C", "d.1", "Übersetzer", "مترجم", "e f")
AWKWARD = (*PLAIN, "a,b", 'the "best"', "x+y", "-1", "null", " padded ", "'", "<&>", "\u2028")


def _rankings(names: tuple[str, ...], attributed: bool) -> st.SearchStrategy[dict]:
    maybe = st.one_of(st.none(), st.sampled_from(names))
    output = st.lists(st.sampled_from(names), min_size=0 if not attributed else 1, max_size=3)
    return st.fixed_dictionaries(
        {
            "pair": st.sampled_from(("eng-deu", "fra-eng")),
            "document": maybe.filter(lambda name: name != "-1"),
            "segment": maybe,
            "hit": maybe,
            "judge": maybe,
            "group": maybe,
            "seconds": st.one_of(st.none(), st.integers(0, 10**9).map(lambda n: n / 1000)),
            "time": st.one_of(
                st.none(),
                st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
                    lambda moment: moment.replace(tzinfo=UTC)
                ),
            ),
            "shown": st.booleans(),
            "outputs": st.lists(
                st.tuples(output, st.one_of(st.none(), st.integers(1, 6)), maybe, st.text("ab ,")),
                max_size=5,
            ),
        }
    )


def _table(rankings: list[dict]) -> pl.DataFrame:
    rows = []
    for number, ranking in enumerate(rankings, 1):
        context = {k: v for k, v in ranking.items() if k not in ("outputs", "shown")}
        context["ranking"] = number
        taken: set[str] = set()
        position = 0
        for systems, rank, label, text in ranking["outputs"]:
            own = set(systems) - taken
            taken |= own
            output = join_systems(own) if own else unattributed(text)
            if (systems and not own) or output in taken:
                continue
            taken.add(output)
            position += 1
            place = position if ranking["shown"] else None
            text_given = text if not own else None
            rows.append(
                {
                    **context,
                    "output": output,
                    "rank": rank,
                    "position": place,
                    "label": label,
                    "text": text_given,
                }
            )
        if not position:
            rows.append({**context, "output": None})
    return judgement_table(pl.DataFrame(rows, infer_schema_length=None))


@pytest.fixture(scope="session")
def tables() -> st.SearchStrategy[pl.DataFrame]:
    """Any judgement table."""
    return st.lists(_rankings(AWKWARD, attributed=False), min_size=1, max_size=6).map(_table)


@pytest.fixture(scope="session")
def plain_tables() -> st.SearchStrategy[pl.DataFrame]:
    """Tables of known systems with names that give no format trouble."""
    return st.lists(_rankings(PLAIN, attributed=True), min_size=1, max_size=6).map(_table)
