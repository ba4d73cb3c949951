"""Spreading independent pieces of work over processes or a Dask cluster.

Each piece carries its own seed, so results do not depend on how the work was spread.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Engine:
    """Where work runs: here on `workers` processes, or on the cluster at `address`."""

    workers: int = 1
    address: str | None = None  # dask://HOST:PORT

    def map(self, function: Callable[..., Any], pieces: Iterable[tuple[Any, ...]]) -> list[Any]:
        """`function(*piece)` for every piece, in order."""
        if self.workers == 1 and self.address is None:
            return [function(*piece) for piece in pieces]
        from joblib import Parallel, delayed

        with self._backend():
            return list(Parallel(n_jobs=self.workers)(delayed(function)(*p) for p in pieces))

    def _backend(self) -> AbstractContextManager[Any]:
        if self.address is None:
            return nullcontext()
        from distributed import Client
        from joblib import parallel_config

        Client(self.address.replace("dask://", "tcp://"))
        return parallel_config("dask")  # type: ignore[no-any-return]
