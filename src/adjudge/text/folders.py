"""Test sets in folders, one language pair a folder; several of them make a project.

    en-de/source.txt, en-de/reference.txt, en-de/documents.tsv, en-de/systems/NAME.txt

The reference and the documents may be missing. A file's name without its ending is the system's.
Several pairs come as folders named after them, as mt-metrics-eval's layout, or as a table with
the columns `pair`, `source`, `reference`, `documents` and `systems` (a folder), whose paths begin
where the table is.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.text.metrics_eval import read_folder
from adjudge.text.read_files import read_files
from adjudge.text.testset import TestSet

_COLUMNS = ("pair", "source", "reference", "documents", "systems")
_ENDING = re.compile(r"\.(txt|xml|sgm|sgml|tsv)(\.(gz|bz2|zst|xz))?$", re.IGNORECASE)
_PAIR = re.compile(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*-[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*")


def system_name(file: str | Path) -> str:
    """What the system of a file is called."""
    return _ENDING.sub("", Path(file).name)


def read_pairs(path: str) -> dict[str, TestSet]:
    """The test sets of a folder or a table, by language pair; of a folder with one, just that."""
    place = Path(path)
    if not place.is_dir():
        return _read_table(InputFile(path))
    if (place / "sources").is_dir():
        pairs = sorted(file.stem for file in (place / "sources").glob("*.txt"))
        return {pair: read_folder(path, pair) for pair in pairs}
    if _file(place, "source") is not None:
        return {place.name: read_pair(place, place.name)}
    folders = [part for part in _visible(place) if part.is_dir() and _file(part, "source")]
    if not folders:
        only = [part for part in _visible(place) if part.is_dir()]
        if len(only) == 1:  # an archive of a folder often holds the folder itself
            return read_pairs(str(only[0]))
        raise InputError(
            "holds no test set; put source.txt and a folder systems into it, or into a folder for "
            "each language pair",
            file=path,
        )
    return {folder.name: read_pair(folder, folder.name) for folder in folders}


def read_pair(folder: Path, pair: str) -> TestSet:
    """The test set of one folder."""
    if not folder.is_dir() or _file(folder, "source") is None:
        raise InputError("is no folder with a source.txt in it; check the path", file=folder)
    return _read(
        pair,
        _file(folder, "source"),
        _file(folder, "reference"),
        _file(folder, "documents"),
        folder / "systems",
    )


def _read(
    pair: str,
    source: Path | None,
    reference: Path | None,
    documents: Path | None,
    systems: Path,
) -> TestSet:
    if not systems.is_dir():
        raise InputError("is no folder; put a file for each system into it", file=systems)
    return read_files(
        str(source),
        None if reference is None else str(reference),
        system_files(_visible(systems)),
        None if documents is None else str(documents),
        languages_of(pair),
    )


def languages_of(pair: str) -> tuple[str, str]:
    """The two languages of a pair such as `en-de`; none where it is no pair."""
    if not _PAIR.fullmatch(pair):
        return "", ""
    source, _, target = pair.partition("-")
    return source, target


def system_files(files: Iterable[Path]) -> dict[str, str]:
    """The files by the names of their systems; two of one name are refused."""
    named: dict[str, str] = {}
    for file in files:
        name = system_name(file)
        if name in named:
            raise InputError(f"is the second file of a system {name}; rename it", file=file)
        named[name] = str(file)
    return named


def _visible(folder: Path) -> list[Path]:
    """What is in a folder, without what programs hide there."""
    return sorted(p for p in folder.iterdir() if not p.name.startswith((".", "__MACOSX")))


def _file(folder: Path, name: str) -> Path | None:
    """The file of that name, whatever its ending; two are refused."""
    files = [p for p in _visible(folder) if p.is_file() and p.name.partition(".")[0] == name]
    if len(files) > 1:
        raise InputError(f"is a second {name} beside {files[0].name}; keep one", file=files[1])
    return files[0] if files else None


def _read_table(file: InputFile) -> dict[str, TestSet]:
    lines = file.text.splitlines()
    separator = "\t" if "\t" in lines[0] else ","
    rows = list(csv.reader(lines, delimiter=separator))
    heading = [cell.strip() for cell in rows[0]]
    if missing := {"pair", "source", "systems"} - set(heading):
        raise file.bad_line(1, f"has no column {min(missing)}; there are: {', '.join(_COLUMNS)}")
    if unknown := set(heading) - set(_COLUMNS):
        raise file.bad_line(1, f"no column {min(unknown)!r}; there are: {', '.join(_COLUMNS)}")
    pairs: dict[str, TestSet] = {}
    for number, cells in enumerate(rows[1:], 2):
        if not any(cells):
            continue
        if len(cells) != len(heading):
            raise file.bad_line(number, f"has {len(cells)} cells, the heading {len(heading)}")
        row = dict(zip(heading, (cell.strip() for cell in cells), strict=True))
        if row["pair"] in pairs:
            raise file.bad_line(number, f"has {row['pair']} a second time; leave one out")
        if not row["pair"] or not row["source"] or not row["systems"]:
            raise file.bad_line(number, "needs a pair, a source and a folder of systems")
        pairs[row["pair"]] = _read_row(row, Path(file.name).parent)
    if not pairs:
        raise InputError("names no language pair; add a line for each", file=file.name)
    return pairs


def _read_row(row: Mapping[str, str], beside: Path) -> TestSet:
    place = {name: beside / row[name] if row.get(name) else None for name in _COLUMNS[1:]}
    return _read(
        row["pair"],
        place["source"],
        place["reference"],
        place["documents"],
        place["systems"] or beside,
    )
