"""Test sets read from files: plain text, WMT's XML, CoNLL-U, mt-metrics-eval, folders.

Plain text, one segment a line (UTF-8, also gzip, bzip2, zstd and xz).

Documents of segments: `documents.tsv`, in one of two forms.

One line a segment, its last column the document (mt-metrics-eval puts the domain before it);
or, below the heading `document`, `first_line`, `last_line`, one line a document.

Parses in CoNLL-U (universaldependencies.org), a sentence a segment, as lines.

Every word becomes `FORM|HEAD|RELATION`, with blanks between words; HEAD counts from 1, 0 is the
root. Blanks within a form become underscores. Words that stand for several (`1-2`) and words that
are not there (`8.1`) are left out, as they have no head.

WMT's XML test sets, old and new.

Until WMT20 (NIST's SGML kept well-formed): `srcset`, `refset` or `tstset` > `doc` (docid) >
`seg` (id), a file each for source, reference and system. Since WMT21: `dataset` > `doc` (id) >
`src` (lang), `ref` (lang, translator), `hyp` (system) > … > `seg` (id), all in one file.

The folder layout of mt-metrics-eval.

`sources/PAIR.txt`, `references/PAIR.NAME.txt`, `documents/PAIR.docs` (domain, tab, document),
`system-outputs/PAIR/SYSTEM.txt`, where the references stand among the systems too.

A test set from the files an organiser has: the format of each is found by looking at it.

Test sets in folders, one language pair a folder; several of them make a project.

    en-de/source.txt, en-de/reference.txt, en-de/documents.tsv, en-de/systems/NAME.txt

The reference and the documents may be missing. A file's name without its ending is the system's.
Several pairs come as folders named after them, as mt-metrics-eval's layout, or as a table with
the columns `pair`, `source`, `reference`, `documents` and `systems` (a folder), whose paths begin
where the table is.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.xml import parse_xml
from adjudge.text.testset import Column, TestSet, assemble


def read_lines(file: InputFile) -> tuple[str, ...]:
    """Read lines; only line feeds end a line, since U+2028 and similar characters occur inside
    segments.
    """
    lines = file.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return tuple(line.removesuffix("\r").strip() for line in lines)


def read_plain(file: InputFile) -> Column:
    """Read a file of segments."""
    return Column(file.name, read_lines(file))


RANGES = ("document", "first_line", "last_line")


def read_documents(file: InputFile) -> tuple[str, ...]:
    """Read the document of every segment; the segments of a document are contiguous."""
    lines = [tuple(cell.strip() for cell in line.split("\t")) for line in read_lines(file)]
    if lines[0] == RANGES:
        return _ranges(file, lines[1:])
    documents = tuple(cells[-1] for cells in lines)
    seen: set[str] = set()
    for number, document in enumerate(documents, 1):
        if not document:
            raise file.bad_line(number, "names no document; give one for every segment")
        if document in seen and document != documents[number - 2]:
            raise file.bad_line(
                number, f"document {document!r} begins a second time; keep its segments together"
            )
        seen.add(document)
    return documents


def _ranges(file: InputFile, lines: list[tuple[str, ...]]) -> tuple[str, ...]:
    documents: list[str] = []
    names: set[str] = set()
    for number, cells in enumerate(lines, 2):
        if len(cells) != 3 or not cells[0] or not (cells[1] + cells[2]).isdecimal():
            raise file.bad_line(number, f"is not {', '.join(RANGES)}, separated by tabs")
        name, first, last = cells[0], int(cells[1]), int(cells[2])
        if first != len(documents) + 1 or last < first or name in names:
            raise file.bad_line(
                number,
                f"{name!r} has the lines {first} to {last}; documents are named once and follow "
                f"one another, so this one begins at {len(documents) + 1}",
            )
        names.add(name)
        documents += [name] * (last - first + 1)
    return tuple(documents)


_CONLLU_COLUMNS = 10
_WORD = re.compile(r"1(-\d+)?\t")


def looks_like_conllu(file: InputFile) -> bool:
    """Test whether the first row that is not a comment is that of a first word."""
    for row in file.text.split("\n", 100):
        if row and not row.startswith("#"):
            return _WORD.match(row) is not None and row.count("\t") == _CONLLU_COLUMNS - 1
    return False


def read_conllu(file: InputFile) -> Column:
    """Read one line for every sentence."""
    sentences: list[str] = []
    words: list[str] = []
    for number, row in enumerate(f"{file.text}\n".split("\n"), 1):
        cells = row.rstrip("\r").split("\t")
        if not row.strip():
            if words:
                sentences.append(" ".join(words))
            words = []
        elif not row.startswith("#") and cells[0].isdecimal():
            if len(cells) != _CONLLU_COLUMNS or not cells[6].isdecimal():
                raise file.bad_line(number, "is not a CoNLL-U word with a head; correct it")
            words.append(f"{'_'.join(cells[1].split())}|{cells[6]}|{cells[7]}")
    return Column(file.name, tuple(sentences))


_OLD_ROOTS = ("srcset", "refset", "tstset")


def looks_like_xml(file: InputFile) -> bool:
    """Test whether the file is XML rather than lines of text."""
    start = file.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith((b"<?xml", b"<!DOCTYPE", b"<dataset", b"<mteval")) or any(
        start.startswith(b"<" + root.encode()) for root in _OLD_ROOTS
    )


def _segments(part: Any) -> Iterator[tuple[str, str]]:
    for segment in part.iter("seg"):
        yield segment.get("id", ""), " ".join("".join(segment.itertext()).split())


def _column(file: InputFile, parts: list[tuple[str, Any]]) -> Column:
    """Build the column of segments from (document, element) pairs."""
    rows = [(doc, name, text) for doc, part in parts for name, text in _segments(part)]
    if not rows:
        raise InputError("has no <seg> in a <doc>; is it a WMT test set?", file=file.name)
    documents, names, texts = zip(*rows, strict=True)
    return Column(file.name, tuple(texts), tuple(documents), tuple(names))


def read_set(file: InputFile) -> Column:
    """Read a `srcset`, `refset` or `tstset`, or the source of a `dataset`."""
    root = parse_xml(file)
    if root.tag == "dataset":
        return _column(
            file, [(d.get("id", ""), p) for d in root.iter("doc") for p in d.iter("src")]
        )
    return _column(file, [(doc.get("docid", ""), doc) for doc in root.iter("doc")])


def read_dataset(file: InputFile) -> TestSet:
    """Read a whole test set from one `dataset`."""
    root = parse_xml(file)
    docs = list(root.iter("doc"))
    source = read_set(file)
    by_name: dict[str, dict[str, list[tuple[str, Any]]]] = {"ref": {}, "hyp": {}}
    languages = {"src": "", "ref": "", "hyp": ""}
    for doc in docs:
        for part in doc:
            languages[part.tag] = languages.get(part.tag) or part.get("lang", "")
            if part.tag in by_name:
                name = part.get("system" if part.tag == "hyp" else "translator", "")
                by_name[part.tag].setdefault(name, []).append((doc.get("id", ""), part))
    references = [_column(file, parts) for parts in by_name["ref"].values()]
    return assemble(
        source,
        references[0] if references else None,
        {name: _column(file, parts) for name, parts in by_name["hyp"].items()},
        languages=(languages["src"], languages["hyp"] or languages["ref"]),
        more_references=references[1:],
    )


def pairs_of(folder: str) -> list[str]:
    """Language pairs of a folder."""
    return sorted(path.stem for path in (Path(folder) / "sources").glob("*.txt"))


def read_folder(folder: str, pair: str | None = None) -> TestSet:
    """Read the test set of one language pair, its references in alphabetical order."""
    root = Path(folder)
    pairs = pairs_of(folder)
    if not pairs:
        raise InputError("has no sources/*.txt; is it mt-metrics-eval's layout?", file=folder)
    if (pair is None and len(pairs) > 1) or pair not in (None, *pairs):
        raise InputError(f"holds {', '.join(pairs)}; choose one with `pair`", file=folder)
    pair = pair or pairs[0]
    references = {
        path.name.removeprefix(f"{pair}.").removesuffix(".txt"): path
        for path in sorted((root / "references").glob(f"{pair}.*.txt"))
    }
    systems = {
        path.stem: read_plain(InputFile(str(path)))
        for path in sorted((root / "system-outputs" / pair).glob("*.txt"))
        if path.stem not in references
    }
    columns = [read_plain(InputFile(str(path))) for path in references.values()]
    documents = root / "documents" / f"{pair}.docs"
    source_language, _, target_language = pair.partition("-")
    return assemble(
        read_plain(InputFile(str(root / "sources" / f"{pair}.txt"))),
        columns[0] if columns else None,
        systems,
        read_documents(InputFile(str(documents))) if documents.is_file() else None,
        (source_language, target_language),
        columns[1:],
    )


def read_column(path: str) -> Column:
    """Read the texts of one file, plain or WMT XML."""
    file = InputFile(path)
    return read_set(file) if looks_like_xml(file) else read_plain(file)


def read_files(
    source: str,
    reference: str | None,
    systems: Mapping[str, str],
    documents: str | None = None,
    languages: tuple[str, str] = ("", ""),
) -> TestSet:
    """Read a test set from one file each for source, reference and every system."""
    return assemble(
        read_column(source),
        None if reference is None else read_column(reference),
        {name: read_column(path) for name, path in systems.items()},
        None if documents is None else read_documents(InputFile(documents)),
        languages,
    )


_TASK_COLUMNS = ("pair", "source", "reference", "documents", "systems")
_ENDING = re.compile(r"\.(txt|xml|sgm|sgml|tsv)(\.(gz|bz2|zst|xz))?$", re.IGNORECASE)
_PAIR = re.compile(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*-[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*")


def system_name(file: str | Path) -> str:
    """System name of a file."""
    return _ENDING.sub("", Path(file).name)


def read_pairs(path: str) -> dict[str, TestSet]:
    """Read the test sets of a folder or a table by language pair; a folder may hold a single
    one.
    """
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
    """Read the test set of one folder."""
    if not folder.is_dir() or _file(folder, "source") is None:
        raise InputError("is not a folder with a source.txt in it; check the path", file=folder)
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
        raise InputError("is not a folder; put a file for each system into it", file=systems)
    return read_files(
        str(source),
        None if reference is None else str(reference),
        system_files(_visible(systems)),
        None if documents is None else str(documents),
        languages_of(pair),
    )


def languages_of(pair: str) -> tuple[str, str]:
    """Split a pair such as `en-de` into its two languages; empty if it is not a pair."""
    if not _PAIR.fullmatch(pair):
        return "", ""
    source, _, target = pair.partition("-")
    return source, target


def system_files(files: Iterable[Path]) -> dict[str, str]:
    """Map system names to files; refuse duplicate names."""
    named: dict[str, str] = {}
    for file in files:
        name = system_name(file)
        if name in named:
            raise InputError(f"is the second file of a system {name}; rename it", file=file)
        named[name] = str(file)
    return named


def _visible(folder: Path) -> list[Path]:
    """List a folder without hidden files."""
    return sorted(p for p in folder.iterdir() if not p.name.startswith((".", "__MACOSX")))


def _file(folder: Path, name: str) -> Path | None:
    """Find the file of that name with any suffix; refuse two of them."""
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
        raise file.bad_line(
            1, f"has no column {min(missing)}; there are: {', '.join(_TASK_COLUMNS)}"
        )
    if unknown := set(heading) - set(_TASK_COLUMNS):
        raise file.bad_line(1, f"no column {min(unknown)!r}; there are: {', '.join(_TASK_COLUMNS)}")
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
    place = {name: beside / row[name] if row.get(name) else None for name in _TASK_COLUMNS[1:]}
    return _read(
        row["pair"],
        place["source"],
        place["reference"],
        place["documents"],
        place["systems"] or beside,
    )
