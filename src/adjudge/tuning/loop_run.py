"""Running the loop of a decoder and a tuner (`loop.py` says what it is)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, within
from adjudge.core.parallel import Engine, doing
from adjudge.metrics.metric import Metric, References
from adjudge.stats.resampling import Resampling
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.candidates import Candidates, Floats
from adjudge.tuning.decoder import Decoder, DecoderFailed
from adjudge.tuning.loop import Ended, Iteration, Loop, Turn, bleu_besides, iterations_of, row_of
from adjudge.tuning.loop_folder import LoopFolder
from adjudge.tuning.pool import Pool, pooled, refuse_useless
from adjudge.tuning.search import Search
from adjudge.tuning.tuner import Tuner
from adjudge.tuning.tuning_result import Reached, begin_at, reached_by
from adjudge.tuning.weight_limits import Limits
from adjudge.tuning.weights_file import weights_of

_SAME = 1e-6  # weights, scaled to a size of 1, that differ by no more are the same
_TEST = "test-"  # before the names of lists of the test


class LoopStopped(AdjudgeError):
    """A loop that cannot go on; what was done is kept."""


@dataclass(frozen=True)
class Task:
    """What a loop is to do."""

    decoder: Decoder
    references: References
    metrics: Sequence[Metric]
    shares: Sequence[float] | None
    tuner: Tuner
    how: Search
    limits: Callable[[Sequence[str]], Limits]  # of these features
    resampling: Resampling
    test: Decoder | None = None  # decodes other sentences, to test on
    test_references: References = ()


def run_loop(
    task: Task, start: Mapping[str, float], folder: LoopFolder, iterations: int, engine: Engine
) -> Loop:
    """Decode, merge, tune, and again; what the folder has already is not done anew."""
    within(iterations, "iterations", 1)
    folder.keep_weights(1, start)
    first, pool = _turn(task, [], None, start, folder)
    turns, names = [first], pool.names
    rows = _written(turns, pool, task, folder)
    ended: Ended = "iterations"
    while len(turns) < iterations:
        if turns[-1].new == 0:
            ended = "nothing new"
            break
        weights = folder.weights(len(turns) + 1, names)
        if weights is None:
            weights = _tuned(task, turns, pool, engine)
        if any(_same(weights, turn.weights) for turn in turns):
            ended = "converged"
            break
        given = dict(zip(names, weights.tolist(), strict=True))
        folder.keep_weights(len(turns) + 1, given)
        turn, pool = _turn(task, turns, pool, given, folder)
        turns.append(turn)
        rows = _written(turns, pool, task, folder)
    sign = 1 if pool.objective.higher_is_better else -1
    best = max(rows, key=lambda row: sign * row.score)  # the first of equals
    return Loop(
        task.tuner,
        pool.objective,
        task.resampling,
        names,
        rows,
        best,
        ended,
        _reached(task, turns, pool, best.number, folder),
        turns[best.number - 1].candidates.first_texts,
    )


def _written(
    turns: Sequence[Turn], pool: Pool, task: Task, folder: LoopFolder
) -> tuple[Iteration, ...]:
    """What came out so far, which the folder has, too."""
    rows = iterations_of(turns, pool.objective, task.resampling)
    folder.write_rows(row_of(row, pool.names) for row in rows)
    return rows


def _tuned(task: Task, turns: Sequence[Turn], pool: Pool, engine: Engine) -> Floats:
    """Weights for all lists so far, from those of all iterations, the best of them first."""
    refuse_useless(pool)
    limits = task.limits(pool.names)
    older = sorted((turn.weights for turn in turns), key=pool.score, reverse=True)
    how = replace(
        task.how,
        seed=task.how.seed + len(turns) - 1,
        further=tuple(tuple(weights.tolist()) for weights in older[1:]),
    )
    start = begin_at(pool, older[0], limits)
    return task.tuner.tune(pool, start, how, limits, engine).weights


def _turn(
    task: Task,
    turns: Sequence[Turn],
    before: Pool | None,
    given: Mapping[str, float],
    folder: LoopFolder,
) -> tuple[Turn, Pool]:
    """Let the decoder make a list, and merge it with those before; the pool of all of them."""
    number = len(turns) + 1
    with (
        doing(f"Iteration {number}: the decoder"),
        _kept(number, folder),
        folder.decoded(number, task.decoder) as candidates,
    ):
        counts, objective = count([candidates], task.metrics, task.references, task.shares)
        lists = [*(turn.candidates for turn in turns), candidates]
        pool = pooled(lists, [*(turn.counts for turn in turns), *counts], objective)
        weights = _of_features(given, candidates)
    turn = Turn(
        weights,
        candidates,
        counts[0],
        None if before is None else before.score(weights),
        len(pool) - (0 if before is None else len(before)),
        len(pool),
        bleu_besides(candidates, objective, task.references),
    )
    return turn, pool


def _of_features(given: Mapping[str, float], candidates: Candidates) -> Floats:
    """The weights in the order of the features, which the first list shows."""
    try:
        return weights_of(given, candidates.names)
    except BadParameter as error:
        said = str(error).replace("`weights` ", "the file of weights ")
        raise InputError(f"has other features than there are weights: {said}") from None


@contextmanager
def _kept(number: int, folder: LoopFolder, part: str = "iteration") -> Iterator[None]:
    """Say in which iteration something went wrong, and what is kept."""
    try:
        yield
    except (InputError, DecoderFailed) as error:
        kept = f"iterations 1 to {number - 1} are kept in {folder.path}: " if number > 1 else ""
        raise LoopStopped(
            f"{part} {number}: {error}; {kept}mend the decoder, and the same command goes on"
        ) from None


def _reached(
    task: Task, turns: Sequence[Turn], pool: Pool, best: int, folder: LoopFolder
) -> tuple[Reached, ...]:
    """The first weights and the best ones, on the sentences of the loop and on others."""
    objective = pool.objective
    first, last = turns[0].decoded, turns[best - 1].decoded
    own = reached_by(first, last, objective, "development", len(pool), task.resampling)
    if task.test is None:
        return (own,)
    counts: list[Floats] = []
    for number in (1, best):
        with (
            doing(f"Test of iteration {number}: the decoder"),
            _kept(number, folder, "test of iteration"),
            folder.decoded(number, task.test, _TEST) as candidates,
        ):
            (all_of_it,), _ = count([candidates], task.metrics, task.test_references, task.shares)
            counts.append(np.asarray(all_of_it[candidates.starts[:-1]]))
            size = len(candidates)
    return own, reached_by(counts[0], counts[1], objective, "test", size, task.resampling)


def _same(weights: Floats, others: Floats) -> bool:
    """Do they choose the same, whatever their size?"""
    gap = weights / np.abs(weights).sum() - others / np.abs(others).sum()
    return bool(np.abs(gap).max() <= _SAME)
