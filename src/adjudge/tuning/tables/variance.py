"""Tables of tuning variance: scores, differences of goals, weights, restarts."""

from collections.abc import Sequence
from typing import Any

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.stats.interval_columns import drawn_keys, interval
from adjudge.tuning.run_spread import LITTLE, TuningVariance, flat
from adjudge.tuning.tables.tuning import hit_rate_notes
from adjudge.tuning.variance import Runs


@shows(TuningVariance)
def variance_tables(results: Sequence[TuningVariance]) -> list[Table]:
    """All tables, scores first."""
    return [table for result in results for table in tables_of(result).values()]


def tables_of(result: TuningVariance) -> dict[str, Table]:
    """Tables by name; empty ones are left out."""
    tables = {
        "scores": _scores(result),
        "differences": _differences(result),
        "weights": _weights(result),
        "restarts": _restarts(result),
    }
    return {name: table for name, table in tables.items() if table.rows}


def _made_by(result: TuningVariance) -> dict[str, Any]:
    runs = result.runs
    extent = {"tuner": runs.tuner.name, "sets": runs.sets, "seeds": runs.seeds}
    drawn = drawn_keys("segment", runs.resampling.replicates, runs.resampling.seed)
    return extent | drawn | {"level": runs.resampling.level}


def _table(
    result: TuningVariance,
    kind: str,
    rows: list[Row],
    columns: list[Column],
    title: str,
    notes: Sequence[str] = (),
) -> Table:
    told: dict[str, Any] = {"kind": kind}
    made_by = _made_by(result)
    return Table(
        rows, columns, title=title, notes=notes, data=[{**told, **row, **made_by} for row in rows]
    )


def _digits(values: Sequence[float]) -> int:
    return 2 if max(map(abs, values), default=0) >= 2 else 4


def _deviations(digits: int, test: bool = True) -> list[Column]:
    kinds = {"by_seed": "± seeds", "by_set": "± development", "by_test": "± test"}
    return [Column(key, said, digits) for key, said in kinds.items() if test or key != "by_test"]


def _scores(result: TuningVariance) -> Table:
    runs = result.runs
    rows: list[Row] = [flat(row) for row in result.scores]
    digits = _digits([row.spread.value for row in result.scores])
    hits = any(row.hit_rate is not None for row in result.scores)
    return _table(
        result,
        "score",
        rows,
        [
            Column("goal", "tuned towards"),
            Column("measure", "scored by"),
            Column("before", "before", digits),
            Column("value", "score", digits),
            interval(runs.resampling.level, digits),
            *_deviations(digits),
            *([Column("hit_rate", "hit rate", percent=True)] if hits else []),
            Column("differing", "other choices", percent=True),
        ],
        f"{runs.tuner.title}, {runs.sets:,} development sets drawn from {len(runs.development):,} "
        f"sentences × {runs.seeds} seeds, scored on {len(runs.test):,} test sentences",
        [
            "±: standard deviation of one run with another seed, another development set, other "
            "test sentences. The interval is for all three at once.",
            "What depends on run and test sentence alike is in each ±, and once in the interval.",
            "Other choices: test sentences for which weights from another development set choose "
            "another candidate.",
            *_stayed(runs),
            *hit_rate_notes([measure.objective for measure in runs.measures]),
        ],
    )


def _stayed(runs: Runs) -> list[str]:
    if not runs.stayed:
        return []
    drawn = runs.sets * runs.seeds * len(runs.goals)
    return [
        f"In {runs.stayed:,} of {drawn:,} runs on drawn development sets {runs.tuner.name} had "
        "nothing to learn from; there the weights stayed where they began."
    ]


def _differences(result: TuningVariance) -> Table:
    rows: list[Row] = [
        flat(row) | {"beyond_chance": row.beyond_chance} for row in result.differences
    ]
    digits = _digits([row.spread.high for row in result.differences])
    level = result.runs.resampling.level
    return _table(
        result,
        "difference",
        rows,
        [
            Column("first", "tuned towards"),
            Column("second", "instead of"),
            Column("measure", "scored by"),
            Column("value", "difference", digits),
            Between("low", f"{100 * level:g} %, one run", digits, to="high"),
            Between("mean_low", f"{100 * level:g} %, mean of seeds", digits, to="mean_high"),
            Column("beyond_chance", "beyond chance"),
            Column("better", "better in", percent=True),
            Column("differing", "differ in", percent=True),
        ],
        "Differences between goals, on the same development sets from the same seeds",
        [
            "Beyond chance: no; on average, though one run of each need not show it; yes, one run "
            "of each shows it.",
            "Better in: runs in which the first has the better score. Differ in: test sentences "
            "for which the two choose different candidates in the same run.",
        ],
    )


def _weights(result: TuningVariance) -> Table:
    rows: list[Row] = [
        {key: value for key, value in flat(row).items() if key != "by_test"}
        for row in result.weights
    ]
    per_goal = len(result.runs.names)
    table = _table(
        result,
        "weight",
        rows,
        [
            Column("goal", "tuned towards"),
            Column("feature", "feature"),
            Column("value", "weight", 4),
            interval(result.runs.resampling.level, 4),
            *_deviations(4, test=False),
            Column("same_sign", "same sign", percent=True),
        ],
        "Weights with their spread, their sizes adding up to 1",
    )
    lines = frozenset(per_goal * n - 1 for n in range(1, len(result.runs.goals)))
    return Table(table.rows, table.columns, title=table.title, lines_after=lines, data=table.data)


def _restarts(result: TuningVariance) -> Table:
    rows: list[Row] = [dict(vars(row)) for row in result.restarts]
    digits = _digits([row.expected for row in result.restarts])
    notes = []
    for goal in result.runs.goals if rows else ():
        number = result.enough(goal)
        said = f"{number} restarts are enough" if number else "more restarts would still gain"
        notes.append(f"{goal}: {said}.")
    return _table(
        result,
        "restarts",
        rows,
        [
            Column("goal", "tuned towards"),
            Column("restarts", "best of"),
            Column("expected", "expected", digits),
            interval(result.runs.resampling.level, digits),
        ],
        "How many restarts: the best of so many, on the development set",
        [
            *notes,
            "Enough: on average they lack less of the best one of all than "
            f"{LITTLE:g} standard deviations between development sets.",
            *(
                ["Further rounds, with starts near the best points, come on top."]
                if result.runs.how.rounds
                else []
            ),
        ]
        if rows
        else [],
    )
