"""New references from an understandability campaign, line by line of a test set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.api.reading import read_as
from adjudge.core.errors import InputError


@dataclass(frozen=True)
class PostEdited:
    """New references by line (from 0), and the hash of the files they were read from."""

    by_line: Mapping[int, Sequence[str]]
    hash: str = ""


def read_post_edits(post_edits: str | Sequence[str], lines: int) -> PostEdited:
    """The new references that edits and reviews leave (WMT13 §4)."""
    from adjudge.scoring.edits.references import references

    paths = [post_edits] if isinstance(post_edits, str) else list(post_edits)
    if not paths:
        return PostEdited({})
    edits = read_as("edits", *paths)
    rows = references(edits.rank()[0].rows)
    by_line: dict[int, list[str]] = {}
    of_line: dict[int, object] = {}
    for document, segment, text in rows.select("document", "segment", "reference").iter_rows():
        line = int(segment) - 1 if str(segment).isdecimal() else -1
        if not 0 <= line < lines or of_line.setdefault(line, document) != document:
            raise InputError(
                f"segment {segment!r} is no line of the texts, which have {lines:,}; post-edits "
                "are of segments that are called by the numbers of their lines",
                file=paths[0],
            )
        by_line.setdefault(line, []).append(text)
    return PostEdited(by_line, edits.hash)
