"""Tables of a tuning loop: its iterations, results of the best weights, and the weights."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.stats.interval_columns import drawn_keys, interval
from adjudge.stats.standings import resampling_notes
from adjudge.tuning.loop import Iteration, Loop
from adjudge.tuning.tables.tuning import hit_rate_notes

_ENDED = {
    "nothing new": "The last list has no candidate that was not there before: the loop is at its "
    "end.",
    "converged": "The tuner came back to weights that were decoded already: the loop is at its "
    "end.",
    "iterations": "The loop ended with its `iterations`; the same with more goes on from here.",
}


@shows(Loop)
def loop_tables(results: Sequence[Loop]) -> list[Table]:
    """Tables of every loop, of which there is one."""
    return [
        table for loop in results for table in (_iterations(loop), _reached(loop), _weights(loop))
    ]


def _iterations(loop: Loop) -> Table:
    digits = _digits(loop)
    hits = loop.best.hit_rate is not None
    rows: list[Row] = [
        vars(each) | {"said": "best" if each is loop.best else "dive" if each.dive else ""}
        for each in loop.iterations
    ]
    lower = "" if loop.objective.higher_is_better else " (lower is better)"
    return Table(
        rows,
        [
            Column("number", "iteration"),
            Column("candidates", "candidates"),
            Column("new", "new"),
            Column("pool", "in all lists"),
            Column("promised", "promised", digits),
            Column("score", "decoded", digits),
            interval(loop.resampling.level, digits),
            *_bleu(loop),
            *([Column("hit_rate", "hit rate", percent=True)] if hits else []),
            *([Column("list_hit_rate", "of the list", percent=True)] if hits else []),
            Column("said", ""),
        ],
        title=f"A decoder tuned by {loop.tuner.name} towards {loop.objective}{lower}: "
        f"{loop.reached[0].sentences:,} sentences, {len(loop.names)} features",
        notes=_notes(loop, digits),
        data=[_told(loop) | _row(each, loop) for each in loop.iterations],
    )


def _bleu(loop: Loop) -> list[Column]:
    """Columns of decoded BLEU, if another objective was tuned."""
    if loop.best.bleu is None:
        return []
    return [Column("bleu", "bleu", 2), interval(loop.resampling.level, 2, "bleu_low", "bleu_high")]


def _told(loop: Loop) -> dict[str, Any]:
    metric = " + ".join(f"{term.share:g} {term.metric}" for term in loop.objective.terms)
    return {"kind": "iteration", "metric": metric, "tuner": loop.tuner.name}


def _made_by(loop: Loop) -> dict[str, Any]:
    drawn = drawn_keys("segment", loop.resampling.replicates, loop.resampling.seed)
    return drawn | {"level": loop.resampling.level}


def _row(iteration: Iteration, loop: Loop) -> dict[str, Any]:
    """Row without the weights, which have rows of their own."""
    said = {name: value for name, value in vars(iteration).items() if name != "weights"}
    said["iteration"] = said.pop("number")
    return said | {"best": iteration is loop.best} | _made_by(loop)


def _notes(loop: Loop, digits: int) -> list[str]:
    notes = [
        "Promised: what the weights reach on the lists before. Decoded: what the decoder then "
        "makes of them.",
        f"Taken are the weights of iteration {loop.best.number}, which are the best ones decoded"
        f"{'' if loop.best is loop.iterations[-1] else ', not the last'}.",
        _ENDED[loop.ended],
    ]
    notes += [
        f"Iteration {each.number} dived: {abs(each.difference):.{digits}f} worse than the best one "
        "before, which is beyond chance. Its list shows what these weights do, and stays among "
        "the others."
        for each in loop.iterations
        if each.dive and each.difference is not None
    ]
    if loop.best.hit_rate is not None:
        notes += hit_rate_notes([loop.objective])
        notes.append("Of the list: the hit rate of all candidates, not only of what was decoded.")
    return notes


def _reached(loop: Loop) -> Table:
    digits = _digits(loop)
    rows: list[Row] = []
    for each in loop.reached:
        before = {
            "score": each.before,
            "low": each.before_low,
            "high": each.before_high,
            "weights": "first",
        }
        said = {"part": each.part, "sentences": each.sentences}
        rows += [said | before, asdict(each) | {"weights": f"iteration {loop.best.number}"}]
    notes = []
    if len(loop.reached) == 1:
        notes.append(
            "Weights were chosen on these very sentences, so others gain less; `test_decoder` "
            "shows how much."
        )
    fewest = min(each.sentences for each in loop.reached)
    level = loop.resampling.level
    return Table(
        rows,
        [
            Column("part", "sentences"),
            Column("sentences", "number"),
            Column("weights", "weights"),
            Column("score", str(loop.objective), digits),
            interval(level, digits),
            Column("difference", "difference", digits),
            interval(level, digits, "difference_low", "difference_high"),
        ],
        title="Decoded before and after",
        notes=[*notes, *resampling_notes("segment", float(fewest))],
        lines_after=frozenset({1} if len(loop.reached) > 1 else ()),
        data=[_told(loop) | {"kind": "score"} | asdict(r) | _made_by(loop) for r in loop.reached],
    )


def _weights(loop: Loop) -> Table:
    rows: list[Row] = [
        {"feature": name} | {str(each.number): each.weights[k] for each in loop.iterations}
        for k, name in enumerate(loop.names)
    ]
    return Table(
        rows,
        [
            Column("feature", "feature"),
            *(Column(str(each.number), f"{each.number}", 4) for each in loop.iterations),
        ],
        title="Weights of every iteration",
        data=[
            {
                "kind": "weight",
                "tuner": loop.tuner.name,
                "iteration": each.number,
                "feature": name,
                "weight": float(weight),
            }
            for each in loop.iterations
            for name, weight in zip(loop.names, each.weights, strict=True)
        ],
    )


def _digits(loop: Loop) -> int:
    """Number of digits as in tables of tuning: scores below 2 are shares."""
    return 2 if max(abs(each.score) for each in loop.iterations) >= 2 else 4
