"""Comparisons and counts against a slow and plain way to make them, and their properties."""

from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.data.comparisons import MISSING, by_pair, compare, encode
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import join_systems, systems_of, unattributed
from adjudge.data.summary import summarise
from adjudge.data.votes.count_wins import counts_from_file
from adjudge.data.win_counts import count

pytestmark = pytest.mark.slow

few = settings(max_examples=40, deadline=None)


def oracle(table: pl.DataFrame, outputs: str) -> Counter[tuple]:
    """Every comparison, one by one, in plain Python."""
    found: Counter[tuple] = Counter()
    blocks: dict[int, list[dict]] = {}
    for row in table.to_dicts():
        blocks.setdefault(row["ranking"], []).append(row)
    for number, rows in blocks.items():
        shown = [row for row in rows if row["output"] is not None and row["rank"] is not None]
        shown.sort(key=lambda row: row["position"] or 0)
        candidates = []
        for row in shown:
            names = systems_of(row["output"]) if outputs == "expanded" else [row["output"]]
            candidates += [(name, row["rank"], row) for name in names]
        for (a, rank_a, row), (b, rank_b, _) in combinations(candidates, 2):
            outcome = (rank_b > rank_a) - (rank_b < rank_a)
            found[number, a, b, outcome, row["judge"], row["segment"], row["hit"]] += 1
    return found


def named(values: np.ndarray, names: tuple[str, ...]) -> list[str | None]:
    return [None if code == MISSING else names[code] for code in values]


@pytest.mark.parametrize("outputs", ["expanded", "collapsed"])
@few
@given(data=st.data())
def test_expansion_is_that_of_the_oracle(tables, outputs, data):
    table = data.draw(tables)
    expected = oracle(table, outputs)
    found: Counter[tuple] = Counter()
    for _, part in by_pair(table):
        c = compare(part, outputs)
        found.update(
            zip(
                c.rankings[c.ranking].tolist(),
                named(c.left, c.systems),
                named(c.right, c.systems),
                c.outcome.tolist(),
                named(c.judge, c.judges),
                named(c.segment, c.segments),
                named(c.hit, c.hits),
                strict=True,
            )
        )
    assert found == expected


@few
@given(data=st.data())
def test_counts_are_those_of_the_oracle(tables, data):
    for pair, part in by_pair(data.draw(tables)):
        counts = count(compare(part))
        wins: Counter[tuple] = Counter()
        ties: Counter[tuple] = Counter()
        for (_, a, b, outcome, *_), times in oracle(part, "expanded").items():
            if outcome:
                wins[(a, b) if outcome > 0 else (b, a)] += times
            else:
                ties[a, b] += times
                ties[b, a] += times
        for i, a in enumerate(counts.systems):
            for j, b in enumerate(counts.systems):
                assert counts.wins[i, j] == wins[a, b], pair
                assert counts.ties[i, j] == ties[a, b], pair


@pytest.mark.slow
@few
@given(data=st.data())
def test_relabelling_systems_permutes_the_counts(plain_tables, data):
    table = data.draw(plain_tables)
    table = table.filter(pl.col("pair") == table["pair"][0])
    before = count(compare(table))
    renamed = {
        output: join_systems(f"{ord(name[0]) * 7 % 13}-{name}" for name in systems_of(output))
        for output in table["output"].unique().drop_nulls().to_list()
    }
    output = table["output"].cast(pl.String).replace(renamed)
    after = count(compare(judgement_table(table.with_columns(output))))
    order = [after.systems.index(renamed_one(name)) for name in before.systems]
    assert np.array_equal(after.wins[np.ix_(order, order)], before.wins)
    assert np.array_equal(after.ties[np.ix_(order, order)], before.ties)


def renamed_one(name: str) -> str:
    return f"{ord(name[0]) * 7 % 13}-{name}"


@few
@given(data=st.data())
def test_duplicating_every_ranking_doubles_the_counts(tables, data):
    table = data.draw(tables)
    table = table.filter(pl.col("pair") == table["pair"][0])
    highest = table["ranking"].max()
    twice = pl.concat([table, table.with_columns(pl.col("ranking") + highest)])
    once, doubled = count(compare(table)), count(compare(judgement_table(twice)))
    assert np.array_equal(doubled.wins, 2 * once.wins)
    assert np.array_equal(doubled.ties, 2 * once.ties)


@pytest.mark.slow
@few
@given(data=st.data())
def test_reversing_every_rank_turns_wins_into_losses(tables, data):
    table = data.draw(tables)
    table = table.filter(pl.col("pair") == table["pair"][0])
    reversed_ranks = judgement_table(table.with_columns(rank=7 - pl.col("rank")))
    before, after = count(compare(table)), count(compare(reversed_ranks))
    assert np.array_equal(after.wins, before.wins.T)
    assert np.array_equal(after.ties, before.ties)


def block(*outputs: tuple[str, int | None], **columns: object) -> pl.DataFrame:
    names, ranks = zip(*outputs, strict=True)
    frame = pl.DataFrame({"output": names, "rank": ranks})
    return judgement_table(
        frame.with_columns(pair=pl.lit("eng-deu"), ranking=pl.lit(1)).with_columns(**columns)
    )


def test_five_outputs_give_ten_comparisons():
    assert len(compare(block(*((name, 1) for name in "ABCDE")))) == 10


def test_a_missing_label_gives_none():
    assert len(compare(block(("A", 1), ("B", None), ("C", 2)))) == 1


def test_systems_that_share_an_output_tie_when_expanded():
    table = block((join_systems(("A", "B")), 1), ("C", 2))
    expanded = compare(table, "expanded")
    assert sorted(expanded.outcome.tolist()) == [0, 1, 1]
    assert len(compare(table, "collapsed")) == 1


def test_an_output_of_no_system_is_compared_only_when_collapsed():
    table = block((unattributed("some text"), 1), ("A", 2), ("B", 2))
    assert compare(table, "expanded").systems == ("A", "B")
    assert len(compare(table, "expanded")) == 1
    assert len(compare(table, "collapsed")) == 3


def test_a_system_is_not_compared_with_itself():
    table = block((join_systems(("A", "B")), 1), (join_systems(("A", "C")), 2))
    with pytest.raises(InputError, match="compares A with itself"):
        compare(table)


@pytest.mark.parametrize(
    "made", [compare, summarise, lambda _, outputs: counts_from_file("-", outputs=outputs)]
)
def test_outputs_are_expanded_or_collapsed_and_nothing_else(made):
    table = block((join_systems(("A", "B")), 1), ("C", 2))
    with pytest.raises(BadParameter, match="`outputs` cannot be 'colapsed'; did you mean 'collaps"):
        made(table, "colapsed")


def test_two_language_pairs_at_once_are_refused():
    one = block(("A", 1), ("B", 2))
    other = one.with_columns(pl.lit("fra-eng").cast(pl.Categorical).alias("pair"))
    with pytest.raises(AdjudgeError, match="`pair`"):
        compare(pl.concat([one, other]))


@few
@given(st.lists(st.one_of(st.none(), st.text("abc", min_size=1)), min_size=1))
def test_encode_decodes(values):
    codes, names = encode(pl.Series(values, dtype=pl.Categorical))
    assert list(names) == sorted({value for value in values if value is not None})
    assert named(codes, names) == values
