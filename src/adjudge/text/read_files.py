"""A test set from the files an organiser has: the format of each is found by looking at it."""

from collections.abc import Mapping

from adjudge.core.files.input_file import InputFile
from adjudge.text.documents import read_documents
from adjudge.text.plain import read_plain
from adjudge.text.testset import Column, TestSet, assemble
from adjudge.text.wmt_xml import looks_like_xml, read_set


def read_column(path: str) -> Column:
    """The texts of one file, plain or WMT XML."""
    file = InputFile(path)
    return read_set(file) if looks_like_xml(file) else read_plain(file)


def read_files(
    source: str,
    reference: str | None,
    systems: Mapping[str, str],
    documents: str | None = None,
    languages: tuple[str, str] = ("", ""),
) -> TestSet:
    """A test set of one file each for source, reference and every system."""
    return assemble(
        read_column(source),
        None if reference is None else read_column(reference),
        {name: read_column(path) for name, path in systems.items()},
        None if documents is None else read_documents(InputFile(documents)),
        languages,
    )
