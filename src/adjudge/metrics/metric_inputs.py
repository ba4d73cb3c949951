"""Input of metrics: references and system outputs, line by line, in documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adjudge.core.errors import BadParameter, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.data.outputs import is_system_name
from adjudge.metrics.metric import Texts
from adjudge.stats.resampling import Codes
from adjudge.text.reading import (
    looks_like_conllu,
    looks_like_xml,
    read_column,
    read_conllu,
    read_dataset,
    read_documents,
    read_folder,
)
from adjudge.text.testset import Column, TestSet


@dataclass(frozen=True, eq=False)
class Material:
    """Outputs and references; all have as many lines as the first reference."""

    references: tuple[Texts, ...]
    systems: Mapping[str, Texts]
    documents: Texts | None = None  # of every segment, where known
    pair: str = ""

    @property
    def segments(self) -> int:
        """Number of segments."""
        return len(self.references[0])

    def document_codes(self) -> Codes:
        """Document code of every segment, −1 if unknown."""
        if self.documents is None:
            return np.full(self.segments, -1)
        return np.unique(self.documents, return_inverse=True)[1]


def read_files(
    references: Sequence[str], systems: Mapping[str, str], documents: str | None = None
) -> Material:
    """Read one file for each reference and system."""
    return checked(
        [_column(path) for path in references],
        {name: _column(path) for name, path in systems.items()},
        None if documents is None else read_documents(InputFile(documents)),
    )


def _column(path: str) -> Column:
    """Read the lines of a file: texts, or CoNLL-U parses as one line each."""
    file = InputFile(path)
    if looks_like_xml(file) or not looks_like_conllu(file):
        return read_column(path)
    return read_conllu(file)


def read_testset(path: str, pair: str | None = None) -> Material:
    """Read a WMT XML file or a folder in mt-metrics-eval's layout."""
    whole = read_folder(path, pair) if Path(path).is_dir() else read_dataset(InputFile(path))
    return from_testset(whole, path)


def from_testset(whole: TestSet, file: str = "the test set") -> Material:
    """Take outputs and all references from a test set."""
    if whole.reference is None:
        raise InputError("has no reference; metrics need one", file=file)
    if not whole.systems:
        raise InputError("has no outputs of systems; add some", file=file)
    known = len(set(whole.documents)) > 1
    pair = f"{whole.source_language}-{whole.target_language}".strip("-")
    return Material(
        (whole.reference, *whole.more_references),
        whole.systems,
        whole.documents if known else None,
        pair,
    )


def checked(
    references: Sequence[Column], systems: Mapping[str, Column], documents: Texts | None
) -> Material:
    """Assemble columns; refuse a column that does not fit, naming its file."""
    if not references:
        raise BadParameter("give a `reference`; metrics compare outputs with one")
    if not systems:
        raise BadParameter("give a `system`; there is nothing to score")
    first = references[0]
    for name, column in systems.items():
        if not is_system_name(name):
            raise InputError(
                f"{name!r} is not a name for a system; give one without spaces at its ends",
                file=column.file,
            )
    for column in (*references[1:], *systems.values()):
        if len(column.texts) != len(first.texts):
            raise _other_length(column, first)
    if documents is not None and len(documents) != len(first.texts):
        raise BadParameter(
            f"`documents` names the documents of {len(documents):,} segments, {first.file} has "
            f"{len(first.texts):,}; give one line a segment"
        )
    if not any(first.texts):
        raise InputError("has only empty lines; give a reference", file=first.file)
    return Material(
        tuple(column.texts for column in references),
        {name: column.texts for name, column in systems.items()},
        documents or first.documents,
    )


def _other_length(column: Column, first: Column) -> InputError:
    line = parting(column.texts, first.texts)
    seen = "" if line is None else f"; from line {line} on they seem to part"
    return InputError(
        f"has {len(column.texts):,} lines, {first.file} has {len(first.texts):,}{seen}; "
        "they must be parallel",
        file=column.file,
    )


def parting(texts: Texts, reference: Texts) -> int | None:
    """First line (from 1) at which a text with missing or extra lines diverges from the reference.

    Lines before it resemble those of the reference, lines after it those further down (or up) by
    the difference in length. None if no such line stands out.
    """
    if len(texts) > len(reference):
        return parting(reference, texts)
    shift = len(reference) - len(texts)
    words = [frozenset(line.lower().split()) for line in texts]
    other = [frozenset(line.lower().split()) for line in reference]
    if not words:
        return None
    straight = np.array([_alike(own, other[i]) for i, own in enumerate(words)])
    shifted = np.array([_alike(own, other[i + shift]) for i, own in enumerate(words)])
    gain = np.concatenate([[0.0], np.cumsum(straight)]) + np.concatenate(
        [np.cumsum(shifted[::-1])[::-1], [0.0]]
    )
    best = int(gain.argmax())
    # Chance makes some lines alike: the place must explain more than no place at all.
    average = gain[best] / len(words)
    worse = min(straight.mean(), shifted.mean())
    return best + 1 if average > 0.2 and average > worse + 0.1 else None


def _alike(own: frozenset[str], other: frozenset[str]) -> float:
    both = len(own | other)
    return len(own & other) / both if both else 1.0
