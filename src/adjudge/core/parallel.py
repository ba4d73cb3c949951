"""Parallel work on processes, threads or a Dask cluster.

Each piece of work carries its own seed, so results do not depend on how the work is distributed.
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
    """Execution backend: `workers` local processes or threads, or the cluster at `address`."""

    workers: int = 1
    address: str | None = None  # dask://HOST:PORT

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise AdjudgeError(f"{self.workers} workers can do nothing; ask for 1 or more")
        if self.address is not None and not _ADDRESS.fullmatch(self.address):
            raise AdjudgeError(
                f"{self.address!r} is not an address of a Dask scheduler; write dask://HOST:PORT"
            )

    def map(
        self,
        function: Callable[..., R],
        pieces: Pieces,
        what: str = "Working",
        number: int | None = None,
        threads: bool = False,
    ) -> list[R]:
        """Return `function(*piece)` for every piece, in order.

        `what` and `number` (of pieces) label the progress bar. With `threads`, local workers are
        threads, which start at once and share memory: for functions that spend their time in
        kernels that release the GIL.
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
        """Yield the results in order, each as soon as it and its predecessors are ready."""
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
        """Let joblib, and so scikit-learn, use this engine; yields the `n_jobs` to pass."""
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
        """Test whether work runs on more than one process."""
        return self.workers > 1 or self.address is not None

    def reduce(
        self,
        function: Callable[..., R],
        pieces: Sequence[tuple[Any, ...]],
        together: Callable[[R, R], R],
        what: str = "Working",
    ) -> R:
        """Call `function(*piece)` for every piece and combine adjacent results with `together`.

        A cluster combines them there, neighbours first, so that a single result comes back.
        `together` must not modify its arguments: a cluster may repeat a call.
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
    """Restrict NumPy's matrix products to one thread, unless NumPy is already imported.

    Matrices of systems are small: further threads would wait for work and occupy a processor.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def lent_map(
    function: Callable[..., R], pieces: Sequence[tuple[Any, ...]], n_jobs: int, what: str
) -> list[R]:
    """Return `function(*piece)` for every piece, in order, on the engine `lent` to joblib."""
    with closing(_gone_on(function, pieces, partial(_spread, n_jobs=n_jobs))) as finished:
        return list(_in_order(_shown(finished, what, len(pieces))))


def _gone_on(
    function: Callable[..., R],
    pieces: Pieces,
    done: Callable[[Callable[..., R], Pieces], Finished[R]],
) -> Finished[R]:
    """Reuse results of an earlier run; store new ones if a checkpoint is active."""
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
    """Mark work that is checkpointed as a whole, not piece by piece."""
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
    """Distribute calls through joblib's active backend."""
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
                warnings.simplefilter("ignore")  # about unfinished work
                finished.close()


def _numbered(number: int, function: Callable[..., R], piece: tuple[Any, ...]) -> tuple[int, R]:
    """Run one numbered piece; nested joblib calls stay in this process."""
    from joblib import parallel_config

    with parallel_config("sequential"), _without_progress():
        return number, function(*piece)


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """Ignore the error of loky's thread when work is cancelled just after a submission."""
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
    """Start child processes that ignore interrupts; this process handles them and ends its
    children.

    A terminal sends Ctrl-C to all processes, and each would print a traceback.
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
    """Client of the cluster, closed at the end."""
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
    """Store of finished pieces of work, keyed by all their inputs (`files.checkpoint`)."""

    def keys(self, function: Callable[..., Any], pieces: list[tuple[Any, ...]]) -> list[str]:
        """Compute the storage keys of these pieces."""
        ...

    def __contains__(self, key: str) -> bool: ...

    def __getitem__(self, key: str) -> Any: ...

    def add(self, key: str, result: Any) -> None:
        """Store a new result."""
        ...


_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def kept_in(kept: Kept | None) -> Iterator[None]:
    """Make engines store their results in, and reuse results from, this store."""
    before = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(before)


_progress_wanted = True


def show_progress(wanted: bool) -> None:
    """Turn progress bars on or off."""
    global _progress_wanted
    _progress_wanted = wanted


def _shows_progress() -> bool:
    """Test whether stderr is a terminal and progress bars are on."""
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
    """Yield the results with a progress bar on a terminal; a pipe shows none.

    Nested work shows no further bars.
    """
    if not _shows_progress():
        yield from results
        return
    from rich.progress import track

    with nullcontext() if number == 1 else _without_progress():
        yield from track(results, what, number, console=terminal(), transient=True)


@cache
def terminal() -> "Console":
    """Console for progress bars, shared so that bars can nest."""
    from rich.console import Console

    return Console(stderr=True, force_jupyter=False)


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Show a spinner for work of unknown length on a terminal; nothing in a pipe."""
    if not _shows_progress():
        yield
        return
    with terminal().status(what):
        yield


def progress(work: Sequence[tuple[str, R]]) -> Iterator[R]:
    """Iterate over named pieces of work and show the current one on a terminal."""
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
