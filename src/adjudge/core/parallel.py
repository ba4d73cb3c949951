"""Spreading independent pieces of work over processes, threads or a Dask cluster.

Each piece carries its own seed, so results do not depend on how the work was spread.
"""

import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial, reduce
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from adjudge.core.errors import AdjudgeError, need

if TYPE_CHECKING:
    from rich.console import Console

R = TypeVar("R")
Pieces = Iterable[tuple[Any, ...]]
Finished = Generator[tuple[int, R], None, None]  # the number of a piece and its result, any first

_ADDRESS = re.compile(r"dask://([^\s/:\[\]]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})")
_SECONDS_TO_CONNECT = 10
_PIECES_PER_THREAD = 4  # submitted ahead: enough to keep a thread busy, few to run after an error


@dataclass(frozen=True)
class Engine:
    """Where work runs: here on `workers` processes or threads, or on the cluster at `address`."""

    workers: int = 1
    address: str | None = None  # dask://HOST:PORT

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise AdjudgeError(f"{self.workers} workers can do nothing; ask for 1 or more")
        if self.address is not None and not _ADDRESS.fullmatch(self.address):
            raise AdjudgeError(
                f"{self.address!r} is no address of a Dask scheduler; write dask://HOST:PORT"
            )

    def map(
        self,
        function: Callable[..., R],
        pieces: Pieces,
        what: str = "Working",
        number: int | None = None,
        threads: bool = False,
    ) -> list[R]:
        """`function(*piece)` for every piece, in order.

        `what` and `number`, how many pieces there are, are for the progress bar. With `threads`
        the workers here are threads, which begin at once and share all memory: for functions whose
        time goes to kernels that let go of Python's lock.
        """
        with closing(self.each(function, pieces, what, number, threads)) as results:
            return list(results)

    def each(
        self,
        function: Callable[..., R],
        pieces: Pieces,
        what: str = "Working",
        number: int | None = None,
        threads: bool = False,
    ) -> Generator[R, None, None]:
        """The same, each result as soon as it and those before it are there."""
        done = self._done_by_threads if threads else self._done
        with closing(_gone_on(function, pieces, done)) as finished:
            yield from _in_order(_shown(finished, what, number))

    def _done(self, function: Callable[..., R], pieces: Pieces) -> Finished[R]:
        if self.address is not None:
            with _connected(self.address) as client:
                yield from _spread(function, pieces, backend="dask", client=client)
        elif self.workers == 1:
            yield from ((number, function(*piece)) for number, piece in enumerate(pieces))
        else:
            yield from _spread(function, pieces, backend="loky", n_jobs=self.workers)

    def _done_by_threads(self, function: Callable[..., R], pieces: Pieces) -> Finished[R]:
        if self.workers == 1 or self.address is not None:
            yield from self._done(function, pieces)
            return
        from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

        numbers: dict[Future[R], int] = {}
        pool = ThreadPoolExecutor(self.workers)
        try:
            remaining = enumerate(pieces)
            while True:
                for number, piece in islice(
                    remaining, self.workers * _PIECES_PER_THREAD - len(numbers)
                ):
                    numbers[pool.submit(function, *piece)] = number
                if not numbers:
                    return
                for future in wait(numbers, return_when=FIRST_COMPLETED).done:
                    yield numbers.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)  # after an error or an interrupt, too

    @contextmanager
    def lent(self) -> Iterator[int]:
        """Meanwhile joblib, and so scikit-learn, works here; gives the `n_jobs` to ask it for."""
        if self.address is None:
            yield self.workers
            return
        from joblib import parallel_config

        with (
            _connected(self.address) as client,
            parallel_config(backend="dask", client=client, n_jobs=-1),
        ):
            yield -1

    @property
    def spreads(self) -> bool:
        """Is there more than this one process to work?"""
        return self.workers > 1 or self.address is not None

    def reduce(
        self,
        function: Callable[..., R],
        pieces: Sequence[tuple[Any, ...]],
        together: Callable[[R, R], R],
        what: str = "Working",
    ) -> R:
        """`function(*piece)` for every piece, two results after another put `together`.

        On a cluster that is done there, neighbours first, so that one result comes back.
        `together` must not change what it is given: a cluster may ask again.
        """
        if self.address is None:
            return reduce(together, self.each(function, pieces, what, len(pieces)))
        with _connected(self.address) as client:
            parts = [client.submit(function, *piece, pure=False) for piece in pieces]
            while len(parts) > 1:
                pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
                parts = [
                    pair[0] if len(pair) == 1 else client.submit(together, *pair, pure=False)
                    for pair in pairs
                ]
            result: R = parts[0].result()
            return result


def products_on_one_thread() -> None:
    """Let NumPy multiply on one thread, if it is not imported yet.

    Matrices of systems are small: further threads would wait for work at the cost of a processor.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def lent_map(
    function: Callable[..., R], pieces: Sequence[tuple[Any, ...]], n_jobs: int, what: str
) -> list[R]:
    """`function(*piece)` for every piece, in order, where an engine is `lent` to joblib."""
    with closing(_gone_on(function, pieces, partial(_spread, n_jobs=n_jobs))) as finished:
        return list(_in_order(_shown(finished, what, len(pieces))))


def _gone_on(
    function: Callable[..., R],
    pieces: Pieces,
    done: Callable[[Callable[..., R], Pieces], Finished[R]],
) -> Finished[R]:
    """What was finished before is taken as it is; what is `done` now is kept, if that is wanted."""
    kept = _kept.get()
    if kept is None:
        yield from done(function, pieces)
        return
    every = list(pieces)
    keys = kept.keys(function, every)
    yield from ((number, kept[key]) for number, key in enumerate(keys) if key in kept)
    missing = [number for number, key in enumerate(keys) if key not in kept]
    with closing(done(partial(_whole, function), [every[n] for n in missing])) as finished:
        for which, result in finished:
            kept.add(keys[missing[which]], result)
            yield missing[which], result


def _whole(function: Callable[..., R], *piece: Any) -> R:
    """A piece of work of which nothing is kept before all of it is done."""
    with kept_in(None):
        return function(*piece)


def _in_order(finished: Iterable[tuple[int, R]]) -> Iterator[R]:
    waiting: dict[int, R] = {}
    following = 0
    for number, result in finished:
        waiting[number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _spread(function: Callable[..., R], pieces: Pieces, **where: Any) -> Finished[R]:
    """By joblib, `where` it is told to work."""
    from joblib import Parallel, delayed, parallel_config

    work = (delayed(_numbered)(number, function, piece) for number, piece in enumerate(pieces))
    with parallel_config(**{"n_jobs": -1} | where), _interrupts_kept_from_children():
        finished = Parallel(return_as="generator_unordered")(work)
    with _ending_quietly():
        try:
            for result in finished:  # noqa: UP028  (`yield from` would close it, with a warning)
                yield result
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that not all is done is no surprise
                finished.close()


def _numbered(number: int, function: Callable[..., R], piece: tuple[Any, ...]) -> tuple[int, R]:
    """What joblib is asked for within a piece is done with it, and not spread once more."""
    from joblib import parallel_config

    with parallel_config("sequential"), _without_progress():
        return number, function(*piece)


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """Work may be ended just when loky was given more: its thread then stumbles over that."""
    before = threading.excepthook

    def said(failed: threading.ExceptHookArgs) -> None:
        name = failed.thread.name if failed.thread else ""
        if (name, failed.exc_type) != ("ExecutorManagerThread", KeyError):
            before(failed)

    threading.excepthook = said
    try:
        yield
    finally:
        threading.excepthook = before


@contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """Processes that are started meanwhile hear no interrupt; this one hears it and ends them.

    A terminal's Ctrl-C is for all processes, and each would answer with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which allows interrupts when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A client of the cluster, closed in the end."""
    need("distributed", "a Dask cluster needs", "dask")
    from distributed import Client

    make: Any = Client
    try:
        client = make(
            address.replace("dask://", "tcp://"),
            timeout=_SECONDS_TO_CONNECT,
            set_as_default=False,
        )
    except (OSError, TimeoutError) as error:
        raise AdjudgeError(
            f"no Dask scheduler answers at {address}; start one, or leave `engine` out"
        ) from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise AdjudgeError(f"the Dask cluster at {address} has no workers; start some")
        yield client


class Kept(Protocol):
    """Finished pieces of work, by all that their results depend on (`files.resuming`)."""

    def keys(self, function: Callable[..., Any], pieces: list[tuple[Any, ...]]) -> list[str]:
        """Under which the results of these pieces are kept."""
        ...

    def __contains__(self, key: str) -> bool: ...

    def __getitem__(self, key: str) -> Any: ...

    def add(self, key: str, result: Any) -> None:
        """Keep a result that is new."""
        ...


_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def kept_in(kept: Kept | None) -> Iterator[None]:
    """Whatever engines do meanwhile is kept there, and taken from there."""
    before = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(before)


_progress_wanted = True


def show_progress(wanted: bool) -> None:
    """Progress bars from now on, or none."""
    global _progress_wanted
    _progress_wanted = wanted


def _shows_progress() -> bool:
    """Is there a terminal, and was silence not asked for?"""
    return _progress_wanted and sys.stderr.isatty()


@contextmanager
def _without_progress() -> Iterator[None]:
    global _progress_wanted
    before, _progress_wanted = _progress_wanted, False
    try:
        yield
    finally:
        _progress_wanted = before


def _shown(results: Iterable[R], what: str, number: int | None) -> Iterator[R]:
    """The results, with a progress bar on a terminal and none in a pipe.

    Where it goes through several, there are no further bars for what one of them does.
    """
    if not _shows_progress():
        yield from results
        return
    from rich.progress import track

    with nullcontext() if number == 1 else _without_progress():
        yield from track(results, what, number, console=terminal(), transient=True)


@cache
def terminal() -> "Console":
    """Where progress bars go; bars on one console can stand inside each other."""
    from rich.console import Console

    return Console(stderr=True, force_jupyter=False)


@contextmanager
def doing(what: str) -> Iterator[None]:
    """A terminal says what is being done where nobody knows how long it takes; a pipe nothing."""
    if not _shows_progress():
        yield
        return
    with terminal().status(what):
        yield


def progress(work: Sequence[tuple[str, R]]) -> Iterator[R]:
    """Go through named pieces of work; a terminal shows which is being done, a pipe nothing."""
    if not _shows_progress() or len(work) < 2:
        yield from (piece for _, piece in work)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (Elapsed(), Remaining())
    with Progress(*columns, *times, console=terminal(), transient=True) as bar:
        task = bar.add_task(work[0][0], total=len(work))
        for name, piece in work:
            bar.update(task, description=name)
            yield piece
            bar.advance(task)
