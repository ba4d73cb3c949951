"""Which document each segment belongs to: `documents.tsv`, in one of two forms.

One line a segment, its last column the document (mt-metrics-eval puts the domain before it);
or, below the heading `document`, `first_line`, `last_line`, one line a document.
"""

from adjudge.core.files.input_file import InputFile
from adjudge.text.plain import read_lines

RANGES = ("document", "first_line", "last_line")


def read_documents(file: InputFile) -> tuple[str, ...]:
    """The document of every segment; a document's segments stand together."""
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
