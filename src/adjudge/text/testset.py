"""Test set: segments in order, in documents, with the outputs of systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.core.errors import InputError
from adjudge.data.outputs import is_system_name

UNNAMED = "document"  # name of the document if none is given


@dataclass(frozen=True)
class Column:
    """One text per segment: the source, a reference or a system's output.

    `documents` and `names` are present if the format records them.
    """

    file: str
    texts: tuple[str, ...]
    documents: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None


@dataclass(frozen=True)
class PartOutput:
    """Distinct translation of a part, and its systems."""

    text: str
    systems: tuple[str, ...] = ()  # empty: unknown
    sentence: str = ""  # the translated sentence in which it stands,
    start: int | None = None  # and its first character there


@dataclass(frozen=True)
class Part:
    """Phrase of a segment that is judged by itself."""

    words: tuple[int, ...]  # zero-based indices of its words in the source
    text: str  # these words
    outputs: tuple[PartOutput, ...]


@dataclass(frozen=True)
class TestSet:
    """Parallel texts; all columns are as long as `source`."""

    source: tuple[str, ...]
    reference: tuple[str, ...] | None
    documents: tuple[str, ...]  # of each segment
    names: tuple[str, ...]  # of the segments, unique within a document
    systems: Mapping[str, tuple[str, ...]]
    source_language: str = ""
    target_language: str = ""
    parts: tuple[tuple[Part, ...], ...] = ()  # of each segment; empty: there are none
    more_references: tuple[tuple[str, ...], ...] = ()  # besides the first

    __test__ = False  # not a test, whatever its name begins with


def assemble(
    source: Column,
    reference: Column | None,
    systems: Mapping[str, Column],
    documents: Sequence[str] | None = None,
    languages: tuple[str, str] = ("", ""),
    more_references: Sequence[Column] = (),
) -> TestSet:
    """Assemble columns; refuse a column that does not fit, naming its file.

    `documents` names the document of every segment and takes precedence over the formats; with
    neither, all segments are one document.
    """
    references = [*([] if reference is None else [reference]), *more_references]
    for column in (*references, *systems.values()):
        _same_length(source, column)
    for column in systems.values():
        _same_names(source, column)
    for name in systems:
        if not is_system_name(name):
            raise InputError(
                f"{name!r} is not a name for a system; give one without spaces at its ends",
                file=systems[name].file,
            )
    if documents is not None and len(documents) != len(source.texts):
        raise InputError(
            f"names the documents of {len(documents):,} segments, {source.file} has "
            f"{len(source.texts):,}; give one line a segment"
        )
    for line, text in enumerate(source.texts, 1):
        if not text:
            raise InputError("an empty source segment; remove it", file=source.file, line=line)
    of_segment = documents or source.documents or (UNNAMED,) * len(source.texts)
    names = source.names or tuple(str(number) for number in range(1, len(source.texts) + 1))
    return TestSet(
        source.texts,
        None if reference is None else reference.texts,
        tuple(of_segment),
        names,
        {name: column.texts for name, column in systems.items()},
        *languages,
        more_references=tuple(column.texts for column in more_references),
    )


def _same_length(source: Column, column: Column) -> None:
    if len(column.texts) != len(source.texts):
        raise InputError(
            f"has {len(column.texts):,} segments, {source.file} has {len(source.texts):,}; "
            "they must be parallel",
            file=column.file,
        )


def _same_names(source: Column, column: Column) -> None:
    """Require that formats with segment names agree on them and their order."""
    for known in ("documents", "names"):
        ours, theirs = getattr(source, known), getattr(column, known)
        if ours is None or theirs is None or ours == theirs:
            continue
        place = next(i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
        raise InputError(
            f"segment {place + 1} is {theirs[place]!r} where {source.file} has {ours[place]!r}; "
            "put the segments in the same order",
            file=column.file,
        )
