"""Tables of tuning: scores before and after, and weights."""

from collections.abc import Sequence
from dataclasses import asdict

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.stats.interval_columns import drawn_keys, interval
from adjudge.stats.standings import resampling_notes
from adjudge.tuning.objective import Objective
from adjudge.tuning.segranks import database_of, unseen_hit_rate
from adjudge.tuning.tuning_result import Reached, Tuned


@shows(Tuned)
def tuned_tables(results: Sequence[Tuned]) -> list[Table]:
    """Results of all tuners, and their weights side by side."""
    return [_scores(results), _weights(results)]


def _scores(results: Sequence[Tuned]) -> Table:
    first = results[0]
    made_by = drawn_keys("segment", first.resampling.replicates, first.resampling.seed) | {
        "level": first.resampling.level
    }
    told = {
        "kind": "score",
        "metric": " + ".join(f"{t.share:g} {t.metric}" for t in first.objective.terms),
    }
    rows: list[Row] = []
    data: list[Row] = []
    for place, before in enumerate(first.reached):
        rows.append(_before(before, first))
        rows += [{"tuner": each.tuner.name} | asdict(each.reached[place]) for each in results]
        data += [
            told | {"tuner": each.tuner.name} | asdict(each.reached[place]) | made_by
            for each in results
        ]
    digits = 2 if max(abs(row["score"]) for row in data) >= 2 else 4
    level = first.resampling.level
    per_part = 1 + len(results)
    hits = any(reached.hit_rate is not None for reached in first.reached)
    return Table(
        rows,
        [
            Column("part", "sentences"),
            Column("sentences", "number"),
            Column("tuner", "weights by"),
            Column("score", str(first.objective), digits),
            interval(level, digits),
            Column("difference", "difference", digits),
            interval(level, digits, "difference_low", "difference_high"),
            *([Column("hit_rate", "hit rate", percent=True)] if hits else []),
        ],
        title=f"Tuning towards {_direction(first)}: {_size(first)}",
        notes=[*(note for each in results for note in each.notes), *_cautions(first)],
        lines_after=frozenset(
            per_part * (place + 1) - 1 for place in range(len(first.reached) - 1)
        ),
        data=data,
    )


def _before(reached: Reached, first: Tuned) -> Row:
    return {
        "part": reached.part,
        "sentences": reached.sentences,
        "tuner": "first candidates" if first.start is None else "start",
        "score": reached.before,
        "low": reached.before_low,
        "high": reached.before_high,
        "hit_rate": reached.hit_rate_before,
    }


def _direction(result: Tuned) -> str:
    metric = result.objective.single
    lower = metric is not None and not metric.higher_is_better
    return f"{result.objective} ({'lower' if lower else 'higher'} is better)"


def _size(result: Tuned) -> str:
    candidates = sum(reached.candidates for reached in result.reached)
    sentences = sum(reached.sentences for reached in result.reached)
    return f"{candidates:,} candidates of {sentences:,} sentences, {len(result.names)} features"


def _cautions(result: Tuned) -> list[str]:
    notes = []
    if len(result.reached) == 1:
        notes.append(
            "Weights were chosen on these very sentences, so others gain less; "
            "`hold_out=0.5` shows how much."
        )
    else:
        notes.append("Only the test sentences, which no tuner saw, say what weights are worth.")
    notes += hit_rate_notes([result.objective])
    fewest = min(reached.sentences for reached in result.reached)
    notes += resampling_notes("segment", float(fewest))
    errors = [t for t in result.objective.terms if not t.metric.higher_is_better]
    if errors and result.objective.single is None:
        names = ", ".join(term.metric.short for term in errors)
        notes.append(f"An error counts as 100 − error: {names}.")
    return notes


def hit_rate_notes(objectives: Sequence[Objective]) -> list[str]:
    """Notes on hit rates, and on the caution that scores based on them require."""
    looked = [database for database in map(database_of, objectives) if database is not None]
    if not looked:
        return []
    return [
        "Hit rate: ranked segments of which a ranked translation is found. Taken for unseen, the "
        f"ranked systems have {100 * unseen_hit_rate(looked[0]):.0f} %; what people ranked high is "
        "found more often, so the score is too high for candidates that none of them made "
        "(adjudge segments leave-one-out)."
    ]


def _weights(results: Sequence[Tuned]) -> Table:
    first = results[0]
    start = first.start
    rows: list[Row] = [
        {"feature": name}
        | ({} if start is None else {"start": start[k]})
        | {f"{which}": each.weights[k] for which, each in enumerate(results)}
        for k, name in enumerate(first.names)
    ]
    return Table(
        rows,
        [
            Column("feature", "feature"),
            *([] if start is None else [Column("start", "start", 4)]),
            *(Column(f"{which}", each.tuner.name, 4) for which, each in enumerate(results)),
        ],
        title="Weights",
        data=[{"kind": "weight"} | row for each in results for row in each.to_frame().to_dicts()],
    )
