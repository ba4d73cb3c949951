"""Tuning loop of a decoder and a tuner (Och 2003; Macháček 2014 §3.3).

The loop of a decoder and a tuner (Och 2003; Macháček 2014 §3.3).

    weights → decoder → n-best list → merged with all lists before → tuner → weights → …

A list shows only what is good by the weights that made it. Weights that are the best on it may be
bad ones elsewhere, and the decoder goes there: its score dives. So all lists are merged, the
weights of all iterations are starting points of the next search, and what is returned are the
weights with the best decoded score, not the last ones.

The loop ends when a list has no candidate that was not there before, when the tuner comes back to
weights that were decoded, or after so many iterations.

The working folder of a loop, from which it goes on after a kill.

    loop.json           what was asked
    1.weights           what the decoder was given in iteration 1
    1.nbest             its list, whole and checked
    1.txt               what it chose: the first candidates
    1.log               what it said
    iterations.jsonl    scores of all iterations so far
    test-1.nbest, …     the same of other sentences

One loop at a time works in it. Every file appears once it is whole. Weights are written with all
their digits and scores come from the lists, so that a loop that goes on ends where one that was
never stopped ends.

Running the loop of a decoder and a tuner (`loop.py` says what it is).
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, within
from adjudge.core.files.folder_lock import held
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.core.parallel import Engine, doing
from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.metrics.metric import Metric, References
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.resampling import Resampling, units_of
from adjudge.stats.tests import interval
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.candidates import Candidates, Floats
from adjudge.tuning.decoder import Decoder, DecoderFailed
from adjudge.tuning.objective import Objective
from adjudge.tuning.pool import Pool, pooled, refuse_useless
from adjudge.tuning.read_nbest import read_candidates
from adjudge.tuning.search import Search
from adjudge.tuning.segranks import hit_rate
from adjudge.tuning.tuner import Tuner
from adjudge.tuning.tuning_result import Reached, begin_at, reached_by
from adjudge.tuning.weights import Limits, read_weights, weights_of, write_weights

BLEU = Bleu()

Ended = Literal["nothing new", "converged", "iterations"]


@dataclass(frozen=True, eq=False)
class Iteration:
    """Iteration: the weights given to the decoder, and its result."""

    number: int  # from 1
    weights: Floats  # that the decoder had
    promised: float | None  # what they reached on the lists before; None: they are the first
    candidates: int  # that the decoder printed
    new: int  # of them, not in any list before
    pool: int  # candidates of all lists so far, merged
    score: float  # of what was decoded, the first candidates of the list
    low: float
    high: float
    difference: float | None  # from the best one decoded before; None: there is none
    difference_low: float | None
    difference_high: float | None
    dive: bool = False  # worse than the best one before beyond chance
    hit_rate: float | None = None  # of ranked segments in what was decoded, where tuned towards
    list_hit_rate: float | None = None  # in the whole list (Figure 3.5)
    bleu: float | None = None  # of what was decoded, where something else is tuned towards
    bleu_low: float | None = None
    bleu_high: float | None = None


@dataclass(frozen=True, eq=False)
class Loop:
    """All iterations, and the best weights."""

    tuner: Tuner
    objective: Objective
    resampling: Resampling
    names: tuple[str, ...]  # of features
    iterations: tuple[Iteration, ...]
    best: Iteration  # with the best decoded score
    ended: Ended
    reached: tuple[Reached, ...]  # the first weights and the best ones, decoded
    chosen: tuple[str, ...]  # what the decoder made with the best weights

    @property
    def start(self) -> Floats:
        """Initial weights."""
        return self.iterations[0].weights

    @property
    def weights(self) -> Floats:
        """Weights with the best decoded score."""
        return self.best.weights

    def write_weights(self, path: str) -> None:
        """Write the best weights in a format that the decoder reads."""
        write_weights(path, self.names, self.weights)

    def write_chosen(self, path: str) -> None:
        """Write the translations decoded with the best weights, one line per sentence."""
        with open_output(path) as stream:
            stream.write("".join(f"{text}\n" for text in self.chosen).encode())

    def to_frame(self) -> pl.DataFrame:
        """Return one row per iteration."""
        return pl.DataFrame([row_of(each, self.names) for each in self.iterations])


def row_of(iteration: Iteration, names: Sequence[str]) -> dict[str, object]:
    """Format an iteration as a row, with its weights by feature name."""
    row = {name: value for name, value in vars(iteration).items() if name != "weights"}
    return row | {f"weight {n}": w for n, w in zip(names, iteration.weights.tolist(), strict=True)}


@dataclass(frozen=True, eq=False)
class Turn:
    """Iteration with the data needed to evaluate it."""

    weights: Floats
    candidates: Candidates  # the list of the decoder
    counts: Floats  # its statistics
    promised: float | None  # the objective of these weights on the lists before
    new: int  # candidates that were in none of them
    pool: int  # candidates of all lists so far, merged
    bleu: Floats | None = None  # statistics of BLEU of what was decoded, unless it is tuned towards

    @property
    def decoded(self) -> Floats:
        """Statistics of the first candidates."""
        return np.asarray(self.counts[self.candidates.starts[:-1]])


def bleu_besides(
    candidates: Candidates, objective: Objective, references: References
) -> Floats | None:
    """BLEU statistics of the decoded output, unless BLEU is tuned towards or references are
    missing.
    """
    if isinstance(objective.single, Bleu) or not references:
        return None
    return BLEU.statistics(references)(candidates.first_texts)


def iterations_of(
    turns: Sequence[Turn], objective: Objective, resampling: Resampling
) -> tuple[Iteration, ...]:
    """Evaluate every turn, with common bootstrap draws of sentences."""
    decoded = np.stack([turn.decoded for turn in turns], axis=1)
    drawn = _drawn(decoded, lambda sums: objective.shown(objective.values(sums)), resampling)
    low, high = drawn.interval()
    gains = objective.values(decoded.sum(axis=0))
    bleus = _bleus([turn.bleu for turn in turns], resampling)
    rows = []
    for k, turn in enumerate(turns):
        promised = None if turn.promised is None else objective.shown(np.asarray(turn.promised))
        difference = _difference(drawn, k, int(gains[:k].argmax())) if k > 0 else (None,) * 3
        rows.append(
            Iteration(
                k + 1,
                turn.weights,
                None if promised is None else float(promised),
                len(turn.candidates),
                turn.new,
                turn.pool,
                float(drawn.estimate[k]),
                float(low[k]),
                float(high[k]),
                *difference,
                hit_rate=hit_rate(turn.decoded, objective),
                list_hit_rate=hit_rate(turn.counts, objective),
                dive=_worse(difference, objective),
                **bleus[k],
            )
        )
    return tuple(rows)


def _drawn(
    statistics: Floats, values: Callable[[Floats], Floats], resampling: Resampling
) -> Bootstrapped:
    """Bootstrap the values of every turn, from statistics (sentences × turns × statistics)."""
    sentences, number, width = statistics.shape
    units = (units_of(np.arange(sentences), "segment"),) if sentences > 1 else ()
    return bootstrap(
        statistics.reshape(sentences, -1),
        lambda sums: values(sums.reshape(*sums.shape[:-1], number, width)),
        units,
        resampling,
    )


def _bleus(counted: Sequence[Floats | None], resampling: Resampling) -> list[dict[str, float]]:
    """Additional BLEU of every turn with its interval, if counted."""
    known = [counts for counts in counted if counts is not None]
    if not known:
        return [{} for _ in counted]
    drawn = _drawn(np.stack(known, axis=1), BLEU.values, resampling)
    rows = zip(drawn.estimate, *drawn.interval(), strict=True)
    names = ("bleu", "bleu_low", "bleu_high")
    return [dict(zip(names, map(float, row), strict=True)) for row in rows]


_Difference = tuple[float | None, float | None, float | None]


def _difference(drawn: Bootstrapped, which: int, best: int) -> _Difference:
    """Difference of two values, with its interval."""
    middle = drawn.estimate[[which]] - drawn.estimate[[best]]
    gap = drawn.replicates[:, [which]] - drawn.replicates[:, [best]]
    low, high = interval(middle, gap, drawn.effective_number, drawn.level)
    return float(middle[0]), float(low[0]), float(high[0])


def _worse(difference: _Difference, objective: Objective) -> bool:
    """Test whether the difference is significantly negative."""
    _, low, high = difference
    if low is None or high is None:
        return False
    return high < 0 if objective.higher_is_better else low > 0


@dataclass(frozen=True)
class LoopFolder:
    """Folder with the iterations of a loop."""

    path: Path

    @contextmanager
    def begun(self, asked: Mapping[str, Any]) -> Iterator[None]:
        """Create the folder, or check that its settings are the same; lock it meanwhile."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadParameter(
                f"`folder` {self.path} cannot be made ({error.strerror}); choose another place"
            ) from None
        with held(
            self.path,
            f"`folder` {self.path} is in use: another loop is at work there; wait until it ends, "
            "or name another folder",
        ):
            self._refuse_another(asked)
            yield

    def _refuse_another(self, asked: Mapping[str, Any]) -> None:
        """Store the settings; if lists exist already, require equal settings."""
        file = self.path / "loop.json"
        wanted = json.loads(json.dumps(asked))
        lists = any(self.path.glob("*.nbest"))
        if lists and not file.exists():
            raise BadParameter(
                f"`folder` {self.path} has lists but no loop.json; name another folder"
            )
        if not lists:
            _write(file, json.dumps(wanted, indent=1, ensure_ascii=False) + "\n")
            return
        try:
            before = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise InputError(
                f"is not valid JSON ({error}); name another folder", file=file
            ) from None
        for name, value in wanted.items():
            if not isinstance(before, dict) or before.get(name) != value:
                old = before.get(name) if isinstance(before, dict) else None
                raise BadParameter(
                    f"`folder` {self.path} is of a loop with another `{name}`: {_short(old)}, not "
                    f"{_short(value)}; name another folder, or ask the same"
                )

    def weights(self, number: int, names: tuple[str, ...]) -> Floats | None:
        """Weights of an iteration, if it was started."""
        path = self._weights(number)
        return read_weights(str(path), names) if path.exists() else None

    def keep_weights(self, number: int, weights: Mapping[str, float]) -> None:
        """Store the weights for the decoder."""
        write_weights(
            str(self._weights(number)), tuple(weights), np.array(list(weights.values()), float)
        )

    @contextmanager
    def decoded(self, number: int, decoder: Decoder, part: str = "") -> Iterator[Candidates]:
        """Yield the list of an iteration: a stored one, or a new one from the decoder.

        If the caller raises an error, the list is stored under another name for inspection only.
        """
        kept = self.path / f"{part}{number}.nbest"
        if kept.exists():
            yield _read(kept, kept)
            return
        for left in self.path.glob(f".{kept.name}.*"):  # by a decoder that was killed
            left.unlink()
        handle, name = tempfile.mkstemp(dir=self.path, prefix=f".{kept.name}.")
        os.close(handle)
        made = Path(name)
        try:
            decoder.run(self._weights(number), made, self.path / f"{part}{number}.log")
            candidates = _read(made, kept)
            yield candidates
        except InputError as error:
            refused = kept.with_suffix(".refused")
            os.replace(made, refused)
            raise InputError(error.reason, file=refused, line=error.line) from None
        except BaseException:
            made.unlink(missing_ok=True)
            raise
        _write(kept.with_suffix(".txt"), "".join(f"{text}\n" for text in candidates.first_texts))
        made.chmod(self._weights(number).stat().st_mode)  # for whom a new file is
        os.replace(made, kept)

    def write_rows(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Write the scores of all iterations so far."""
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        _write(self.path / "iterations.jsonl", "".join(lines))

    def _weights(self, number: int) -> Path:
        return self.path / f"{number}.weights"


def _read(path: Path, name: Path) -> Candidates:
    """Read a list under its final name."""
    return replace(read_candidates(InputFile(path)), file=str(name))


def _write(path: Path, text: str) -> None:
    with open_output(str(path)) as stream:
        stream.write(text.encode())


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]}…"


_SAME = 1e-6  # weights, scaled to a size of 1, that differ by no more are the same
_TEST = "test-"  # before the names of lists of the test


class LoopStopped(AdjudgeError):
    """Interrupted loop; finished work is kept."""


@dataclass(frozen=True)
class Task:
    """Settings of a loop."""

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
    """Decode, merge and tune repeatedly, reusing stored iterations of the folder."""
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
    """Evaluate the turns so far, and write the result to the folder."""
    rows = iterations_of(turns, pool.objective, task.resampling)
    folder.write_rows(row_of(row, pool.names) for row in rows)
    return rows


def _tuned(task: Task, turns: Sequence[Turn], pool: Pool, engine: Engine) -> Floats:
    """Tune weights on all lists so far, starting from those of all iterations, the best first."""
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
    """Decode one list and merge it with the earlier ones; return the turn and the pool."""
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
    """Order the weights by the features, which the first list defines."""
    try:
        return weights_of(given, candidates.names)
    except BadParameter as error:
        said = str(error).replace("`weights` ", "the file of weights ")
        raise InputError(f"has other features than there are weights: {said}") from None


@contextmanager
def _kept(number: int, folder: LoopFolder, part: str = "iteration") -> Iterator[None]:
    """Add the iteration, and a note on finished work, to errors."""
    try:
        yield
    except (InputError, DecoderFailed) as error:
        kept = f"iterations 1 to {number - 1} are kept in {folder.path}: " if number > 1 else ""
        raise LoopStopped(
            f"{part} {number}: {error}; {kept}repair the decoder, then repeat the command"
        ) from None


def _reached(
    task: Task, turns: Sequence[Turn], pool: Pool, best: int, folder: LoopFolder
) -> tuple[Reached, ...]:
    """Evaluate the initial and the best weights, on the sentences of the loop and on others."""
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
    """Test whether two weight vectors are equal up to scale."""
    gap = weights / np.abs(weights).sum() - others / np.abs(others).sum()
    return bool(np.abs(gap).max() <= _SAME)
