"""Files of votes are gone through in a process of its own, whatever is wanted of them.

What ends that process, a damaged Parquet or too little memory, does not end ours, and no other has
to read the file before (`files.apart`). It is set up to hold little at a time.
"""

import os
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.parquet import is_parquet, lazy_parquet, parquet_columns
from adjudge.core.files.subprocess_call import Ended, apart
from adjudge.data.table_files import Path

P = ParamSpec("P")
R = TypeVar("R")

# More threads would read faster than one counts, and hold more; memory that is taken again and
# again is not given back in between.
_READER = {
    "POLARS_MAX_THREADS": "2" if (os.cpu_count() or 1) >= 4 else "1",
    "OPENBLAS_NUM_THREADS": "1",
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:-1",
}
# Polars would map JSON lines into memory, and so hold all of them in the end.
_OF_TEXT = {"POLARS_FORCE_ASYNC": "1"}


def read_apart(
    function: Callable[Concatenate[Sequence[Path], P], R],
    paths: Sequence[Path],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """What a function of files gives in that process."""
    files = [InputFile(path) for path in paths]
    text = not all(map(is_parquet, files))
    try:
        return apart({**_READER, **(_OF_TEXT if text else {})}, function, paths, *args, **kwargs)
    except Ended:
        for file in filter(is_parquet, files):
            lazy_parquet(file, parquet_columns(file))  # refuses one that is damaged
        raise AdjudgeError(
            f"{', '.join(map(str, paths))}: memory ran out while votes were counted; free some"
        ) from None
