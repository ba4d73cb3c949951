"""Tables of a new system among those whose segments judges ranked."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Table
from adjudge.segments.prediction.evaluation import Evaluation
from adjudge.stats.interval_columns import drawn_keys, interval


@shows(Evaluation)
def evaluation_tables(results: Sequence[Evaluation]) -> list[Table]:
    """All systems, with the new one marked."""
    return [_table(result) for result in results]


def _table(result: Evaluation) -> Table:
    drawing = result.resampling
    drawn = drawn_keys(drawing.unit, drawing.replicates, drawing.seed)
    drawn |= {"unit": "sentence", "level": drawing.level}
    rows = result.to_frame().to_dicts()
    return Table(
        rows=[row | {"mark": "new" if row["new"] else ""} for row in rows],
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("mark", ""),
            Column("score", "ratio of wins", 4),
            interval(drawing.level, 4),
            Between("rank_low", "rank range", to="rank_high"),
        ],
        title=f"{result.pair}: {result.system} among {len(rows) - 1} ranked systems, "
        f"{result.database.annotations:,} annotations, {drawing.replicates:,} replicates of "
        "sentences",
        notes=_notes(result),
        data=[row | drawn for row in rows],
    )


def _notes(result: Evaluation) -> list[str]:
    unseen = result.unseen
    notes = [
        f"Hit rate {100 * result.hit_rate:.0f} %: {unseen.hits:,} candidates of {result.system} "
        f"were ranked as others' already. Of {unseen.misses:,} misses judges have ranked "
        f"{unseen.judged:,}; the others are predicted, and the interval knows that."
    ]
    if result.missing:
        notes.append(f"Of {result.missing:,} annotations the output has no words for the segment.")
    number = len(result.next_segments)
    if number:
        notes.append(
            f"Judging the {number:,} next segments would narrow its interval by about "
            f"{100 * (1 - result.narrowed):.0f} %."
        )
    return notes
