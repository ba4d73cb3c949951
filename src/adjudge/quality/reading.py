"""Reading of quality estimation data in any layout, as one table of translations."""

import hashlib
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from adjudge.core.errors import BadParameter, InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.quality.layouts import LAYOUTS, Layout
from adjudge.quality.translations import TRANSLATION_SCHEMA

STANDARD_INPUT = "standard input"


@dataclass(frozen=True, eq=False)
class QualityData:
    """Table of translations with the hash of its files."""

    table: pl.DataFrame  # quality/translations.py says what its columns are
    hash: str

    def __len__(self) -> int:
        return len(self.table)


def layout_of(path: str) -> Layout:
    """Find the layout that recognises a path."""
    claimed = [layout for layout in LAYOUTS.values() if layout.recognise(path)]
    if len(claimed) == 1:
        return claimed[0]
    if claimed:
        names = " and of ".join(layout.name for layout in claimed)
        raise InputError(f"has the marks of {names}; keep them apart", file=path)
    if not Path(path).exists():
        raise InputError(
            "no such file or folder, and no files whose names begin so; check the path", file=path
        )
    raise InputError(
        f"holds no data for quality estimation; known are {', '.join(LAYOUTS)} (docs/quality.md)",
        file=path,
    )


def read_quality(
    paths: Sequence[str], *, split: str | None = None, pair: str | None = None
) -> QualityData:
    """Read and concatenate folders and files; select one `split` and one language pair.

    `-` is standard input.
    """
    if not paths:
        raise BadParameter("name a folder or file with data for quality estimation")
    tables, digests, rankings = [], [], 0
    for path in paths:
        table, own = _read(path)
        table = table.with_columns(pl.col("ranking") + rankings)
        rankings = max(rankings, int(table["ranking"].cast(pl.Int64).max() or 0))  # type: ignore[arg-type]
        tables.append(table)
        digests += own
    table = tables[0] if len(tables) == 1 else _joined(tables)
    for column, wanted in (("split", split), ("pair", pair)):
        table = _chosen(table, column, wanted)
    return QualityData(table, _of_all(digests))


def files_hash(path: str) -> str:
    """Hash of the files at a path, as in `read_quality`."""
    return _of_all([InputFile(name).sha256 for name in layout_of(path).files(path)])


def _read(path: str) -> tuple[pl.DataFrame, list[str]]:
    """Read the table at a path, and the hashes of its files."""
    if path == "-":
        with _standard_input() as kept:
            table, digests = _read(kept)
        return table.with_columns(file=pl.lit(STANDARD_INPUT)), digests
    layout = layout_of(path)
    return layout.read(path), [InputFile(name).sha256 for name in layout.files(path)]


@contextmanager
def _standard_input() -> Iterator[str]:
    """Copy standard input to a file, since layout detection reads it twice."""
    with TemporaryDirectory(prefix="adjudge-") as folder:
        kept = Path(folder, "data")
        with kept.open("wb") as stream:
            shutil.copyfileobj(sys.stdin.buffer, stream)
        try:
            yield str(kept)
        except InputError as error:
            raise InputError(error.reason, file=STANDARD_INPUT, line=error.line) from None


def _joined(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    fixed = list(TRANSLATION_SCHEMA)
    joined = pl.concat(tables, how="diagonal")
    return joined.select(*fixed, *(name for name in joined.columns if name not in fixed))


def _chosen(table: pl.DataFrame, column: str, wanted: str | None) -> pl.DataFrame:
    """Select the rows of one split or pair; several pairs are never mixed."""
    there = table[column].drop_nulls().unique(maintain_order=True).to_list()
    if wanted is not None:
        if not there:
            raise BadParameter(f"`{column}` cannot be {wanted!r}; the data do not name any")
        return table.filter(pl.col(column) == one_of(wanted, there, column))
    if column == "pair" and len(there) > 1:
        raise BadParameter(f"`pair` says which language pair; there are: {', '.join(there)}")
    return table


def _of_all(digests: Sequence[str]) -> str:
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()
    )
