"""Parses in CoNLL-U (universaldependencies.org), a sentence a segment, as lines.

Every word becomes `FORM|HEAD|RELATION`, with blanks between words; HEAD counts from 1, 0 is the
root. Blanks within a form become underscores. Words that stand for several (`1-2`) and words that
are not there (`8.1`) are left out, as they have no head.
"""

import re

from adjudge.core.files.input_file import InputFile
from adjudge.text.testset import Column

_COLUMNS = 10
_WORD = re.compile(r"1(-\d+)?\t")


def looks_like_conllu(file: InputFile) -> bool:
    """Whether the first row that is no comment is that of a first word."""
    for row in file.text.split("\n", 100):
        if row and not row.startswith("#"):
            return _WORD.match(row) is not None and row.count("\t") == _COLUMNS - 1
    return False


def read_conllu(file: InputFile) -> Column:
    """A line for every sentence."""
    sentences: list[str] = []
    words: list[str] = []
    for number, row in enumerate(f"{file.text}\n".split("\n"), 1):
        cells = row.rstrip("\r").split("\t")
        if not row.strip():
            if words:
                sentences.append(" ".join(words))
            words = []
        elif not row.startswith("#") and cells[0].isdecimal():
            if len(cells) != _COLUMNS or not cells[6].isdecimal():
                raise file.bad_line(number, "is no word of CoNLL-U with a head; mend it")
            words.append(f"{'_'.join(cells[1].split())}|{cells[6]}|{cells[7]}")
    return Column(file.name, tuple(sentences))
