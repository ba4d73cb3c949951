"""WMT's XML test sets, old and new.

Until WMT20 (NIST's SGML kept well-formed): `srcset`, `refset` or `tstset` > `doc` (docid) >
`seg` (id), a file each for source, reference and system. Since WMT21: `dataset` > `doc` (id) >
`src` (lang), `ref` (lang, translator), `hyp` (system) > … > `seg` (id), all in one file.
"""

from collections.abc import Iterator
from typing import Any

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.xml import parse_xml
from adjudge.text.testset import Column, TestSet, assemble

_OLD_ROOTS = ("srcset", "refset", "tstset")


def looks_like_xml(file: InputFile) -> bool:
    """Is it XML rather than lines of text?"""
    start = file.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith((b"<?xml", b"<!DOCTYPE", b"<dataset", b"<mteval")) or any(
        start.startswith(b"<" + root.encode()) for root in _OLD_ROOTS
    )


def _segments(part: Any) -> Iterator[tuple[str, str]]:
    for segment in part.iter("seg"):
        yield segment.get("id", ""), " ".join("".join(segment.itertext()).split())


def _column(file: InputFile, parts: list[tuple[str, Any]]) -> Column:
    """The segments of (document, element) pairs."""
    rows = [(doc, name, text) for doc, part in parts for name, text in _segments(part)]
    if not rows:
        raise InputError("has no <seg> in a <doc>; is it a WMT test set?", file=file.name)
    documents, names, texts = zip(*rows, strict=True)
    return Column(file.name, tuple(texts), tuple(documents), tuple(names))


def read_set(file: InputFile) -> Column:
    """A `srcset`, `refset` or `tstset`, or the source of a `dataset`."""
    root = parse_xml(file)
    if root.tag == "dataset":
        return _column(
            file, [(d.get("id", ""), p) for d in root.iter("doc") for p in d.iter("src")]
        )
    return _column(file, [(doc.get("docid", ""), doc) for doc in root.iter("doc")])


def read_dataset(file: InputFile) -> TestSet:
    """A whole test set from one `dataset`."""
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
