"""Win counts straight from a file, in memory that depends on the systems, not on the judgements.

Where every row of a file is one comparison, Polars tallies the rows while it reads them; our
own Parquet is read a part at a time. Other files are read whole. What is streamed is checked as
far as counting needs: when something is wrong the file is read the careful way, which says what.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from adjudge.core.errors import InputError, one_of
from adjudge.core.files.batches import in_batches
from adjudge.core.files.checked_table import READ_ERRORS
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.parquet import lazy_parquet, parquet_columns, quietly
from adjudge.core.options import choices
from adjudge.data.comparisons import Outputs, by_pair, compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.native_tables import NATIVE
from adjudge.data.outputs import breaks_names, systems_among
from adjudge.data.selection import (
    Selection,
    keep_systems,
    kept_outputs,
    named_filters,
    require,
    require_systems,
    select,
)
from adjudge.data.table_files import Path, read_as, recognise
from adjudge.data.validation import LONGEST_NAME, UNREADABLE
from adjudge.data.win_counts import WinCounts, count

_NEEDED = ("pair", "protocol", "ranking", "judge", "group", "systems", "rank", "text")
_PART = 1 << 20  # rows read at a time
_EVERYTHING = Selection()


def counts_from_file(
    path: Path, selection: Selection = _EVERYTHING, outputs: Outputs = "expanded"
) -> dict[str, WinCounts]:
    """The win counts of every language pair in the file."""
    one_of(outputs, choices(Outputs), "outputs")
    file = InputFile(path)
    chosen = recognise(file)
    unknown_to_votes = selection.group or selection.protocol
    counts = None
    with quietly(file):
        if chosen.votes is not None and by_name_only(selection) and not unknown_to_votes:
            counts = _from_votes(chosen.votes(file), chosen.outcome, selection, outputs)
        elif chosen.name == "parquet" and by_name_only(selection):
            counts = _from_parts(file, selection, outputs)
    if counts is None:
        table = select(read_as("judgements", file, chosen), selection)
        counts = {pair: count(compare(part, outputs)) for pair, part in by_pair(table)}
    return counts


def by_name_only(selection: Selection) -> bool:
    """Can rows be chosen while they stream by?"""
    limits = (selection.shortest, selection.longest, selection.since, selection.until)
    return all(limit is None for limit in limits)


def _from_votes(
    votes: pl.LazyFrame, outcome: pl.Expr | None, selection: Selection, outputs: Outputs
) -> dict[str, WinCounts] | None:
    """The counts of rows that are comparisons; None where they need a closer look."""
    try:
        votes = chosen_rows(votes, selection).drop("judge", "segment", "time", strict=False)
        # What a row means is worked out once for each distinct row, after counting.
        tally = (
            votes.group_by(pl.all())
            .agg(pl.len().cast(pl.Int64).alias("times"))
            .collect(engine="streaming")
            .select("pair", "left", "right", "times", outcome=outcome)
        )
    except READ_ERRORS:
        return None
    names = pl.concat([tally["left"], tally["right"]]).unique()
    if not _countable(tally, names, outputs):
        return None
    require_systems(selection, systems_among(names.to_list()))
    kept = kept_outputs(names.to_list(), selection)
    tally = tally.with_columns(
        pl.col("left", "right").replace_strict(kept, default=None, return_dtype=pl.String)
    )
    counts = {pair: _cells(part) for pair, part in by_pair(tally)}
    return {pair: cells for pair, cells in counts.items() if cells.systems}


def chosen_rows(query: pl.LazyFrame, selection: Selection) -> pl.LazyFrame:
    """The rows whose pair, judge and group were chosen."""
    for column, names, keep in named_filters(selection):
        known = query.select(pl.col(column).unique()).collect(engine="streaming").to_series()
        require(names, known.drop_nulls().to_list(), column)
        query = query.filter(keep)
    return query


def _countable(tally: pl.DataFrame, names: pl.Series, outputs: Outputs) -> bool:
    """Is every value sound?"""
    return (
        len(tally) > 0
        and not sum(tally.null_count().row(0))
        and not (tally["left"] == tally["right"]).any()
        and sound_names(names, outputs)
    )


def sound_names(names: pl.Series, outputs: Outputs = "expanded") -> bool:
    """Can systems be called so? (Those that share an output tie once a ranking, not a row.)"""
    return not (
        (names.str.len_bytes() > LONGEST_NAME).any()
        or names.str.contains(UNREADABLE).any()
        or (outputs == "expanded" and breaks_names(names).any())
    )


def _cells(tally: pl.DataFrame) -> WinCounts:
    """The counts of a tally; a side that was left out is null."""
    systems = tuple(pl.concat([tally["left"], tally["right"]]).drop_nulls().unique().sort())
    tally = tally.drop_nulls()
    cells = np.zeros((3, len(systems), len(systems)), np.int64)
    if len(tally):
        code = {system: i for i, system in enumerate(systems)}
        left, right = (
            tally[side].replace_strict(code, return_dtype=pl.Int64).to_numpy()
            for side in ("left", "right")
        )
        np.add.at(cells, (tally["outcome"].to_numpy() + 1, left, right), tally["times"].to_numpy())
    lost, tied, won = cells
    return WinCounts(systems, won + lost.T, tied + tied.T)


def _from_parts(
    file: InputFile, selection: Selection, outputs: Outputs
) -> dict[str, WinCounts] | None:
    """The counts of our own Parquet, part by part; None where its rankings are not in order."""
    columns = [name for name in parquet_columns(file) if name in _NEEDED]
    try:
        query = chosen_rows(lazy_parquet(file, columns), selection)
        query = query.drop("judge", "group", strict=False)
        counted: dict[str, list[WinCounts]] = {}
        systems: set[str] = set()
        for rows in _whole_rankings(query):
            table = judgement_table(NATIVE["judgements"].from_parquet(rows), file.name)
            systems |= systems_among(table["output"].unique().drop_nulls().to_list())
            for pair, part in by_pair(keep_systems(table, selection)):
                counted.setdefault(pair, []).append(count(compare(part, outputs)))
    except (*READ_ERRORS, InputError, _NotInOrder):
        return None
    require_systems(selection, systems)
    return {pair: _sum(counted[pair]) for pair in sorted(counted)}


class _NotInOrder(Exception):
    pass


def _whole_rankings(query: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """The rows in parts that cut no ranking in two."""
    rest: pl.DataFrame | None = None
    for batch in in_batches(query, _PART):
        rows = batch if rest is None else pl.concat([rest, batch])
        if not rows["ranking"].is_sorted():
            raise _NotInOrder
        last = rows["ranking"] == rows["ranking"].last()
        rest = rows.filter(last)
        if not last.all():
            yield rows.filter(~last)
    if rest is not None:
        yield rest


def _sum(parts: list[WinCounts]) -> WinCounts:
    systems = tuple(sorted({system for part in parts for system in part.systems}))
    code = {system: i for i, system in enumerate(systems)}
    wins = np.zeros((len(systems), len(systems)), np.int64)
    ties = np.zeros_like(wins)
    for part in parts:
        codes = np.array([code[system] for system in part.systems])
        wins[codes[:, None], codes] += part.wins
        ties[codes[:, None], codes] += part.ties
    return WinCounts(systems, wins, ties)
