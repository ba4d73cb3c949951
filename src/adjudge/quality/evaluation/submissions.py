"""Files of predictions, as submitted to a task.

* A number a line, or the tags of a sentence's words a line, in the order of the data.
* WMT12 to WMT17: tabs between method, segment, score and rank (Tasks 1.1 and 1.3); or between
  method, segment, number of the word, word and tag (Task 2).
* A table with a header: `score` or `rank` or both, and `segment` if rows are in another order.
* JSON lines with `candidates`, as the data of Task 1.2 are, with predicted ranks.

A submission is called what its method column says, else like its file.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.quality.layouts.json_lines import translations_in
from adjudge.quality.layouts.plain import NUMBER, TAGS
from adjudge.stats.resampling import Floats
from adjudge.text.reading import read_lines

_WORD_FIELDS = 5  # method, segment, number of the word, word, tag


@dataclass(frozen=True, eq=False)
class Submission:
    """Predictions of one file, line by line; missing ones are None."""

    name: str
    file: str
    score: Floats | None = None
    rank: Floats | None = None  # 1 is best
    tags: tuple[tuple[str, ...], ...] | None = None
    segment: tuple[str, ...] | None = None  # of each line, where lines are named
    system: tuple[str, ...] | None = None  # of each candidate
    plain: bool = False  # numbers without a heading: scores, but ranks of candidates
    sha256: str = ""  # of the file

    @property
    def lines(self) -> int:
        """Number of segments with predictions."""
        return len(next(each for each in (self.score, self.rank, self.tags) if each is not None))

    def numbers(self, *, ranks_first: bool) -> Floats | None:
        """Goodness from rank or score: −rank, or the score itself, higher is better."""
        if self.rank is not None and (ranks_first or self.score is None):
            return -self.rank
        return self.score


def read_submission(path: str) -> Submission:
    """Read the predictions of a file."""
    file = InputFile(path)
    first = file.first_line
    name = Path(uncompressed_name(file.name)).name
    name = re.sub(r"\.(txt|tsv|csv|jsonl?|pred|predictions?|out|tags)$", "", name)
    for fits, read in _READERS:
        if fits(file, first):
            return replace(read(file, name), sha256=file.sha256)
    raise InputError(
        "holds no predictions; write a number or the tags of a sentence a line, a table with the "
        "heading score or rank, or WMT's columns (method, segment, score, rank)",
        file=file.name,
        line=1,
    )


def _number(file: InputFile, line: int, text: str, what: str = "prediction") -> float:
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise file.bad_line(line, f"{what} {text[:60]!r} is not a finite number; write one a line")
    return number


def _numbers(file: InputFile, name: str) -> Submission:
    score = [_number(file, line, text) for line, text in enumerate(read_lines(file), 1)]
    return Submission(name, file.name, score=np.array(score), plain=True)


def _tags(file: InputFile, name: str) -> Submission:
    return Submission(name, file.name, tags=tuple(tuple(line.split()) for line in read_lines(file)))


def _rows(file: InputFile, width: int) -> list[list[str]]:
    lines = file.text.rstrip("\r\n").split("\n")  # a field at the end may be empty
    rows = [line.removesuffix("\r").split("\t") for line in lines]
    for line, row in enumerate(rows, 1):
        if len(row) != width:
            raise file.bad_line(
                line, f"has {len(row)} fields, the first line has {width}; correct it"
            )
    return rows


def _wmt(file: InputFile, name: str) -> Submission:
    rows = _rows(file, 4)
    score, rank = (
        np.array([_number(file, line, row[place], what) for line, row in enumerate(rows, 1)])
        if rows[0][place].strip() not in ("", "-", "NA")
        else None
        for place, what in ((2, "score"), (3, "rank"))
    )
    if score is None and rank is None:
        raise file.bad_line(1, "has neither a score nor a rank; give one")
    segments = tuple(row[1] for row in rows)
    return Submission(rows[0][0] or name, file.name, score, rank, segment=segments)


def _wmt_words(file: InputFile, name: str) -> Submission:
    rows = _rows(file, len(file.first_line.split("\t")))
    tags: dict[str, list[str]] = {}
    for line, row in enumerate(rows, 1):
        if row[1] in tags and row[1] != rows[line - 2][1]:
            raise file.bad_line(
                line, f"segment {row[1][:60]} is there twice; put its words together"
            )
        tags.setdefault(row[1], []).append(row[4])
    each = tuple(tuple(given) for given in tags.values())
    return Submission(rows[0][0] or name, file.name, tags=each, segment=tuple(tags))


def _table(file: InputFile, name: str) -> Submission:
    separator = file.separator
    header = list(file.header)
    rows = [line.split(separator) for line in read_lines(file)[1:]]
    for line, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise file.bad_line(line, f"has {len(row)} fields instead of {len(header)}; correct it")
    columns = dict(zip(header, zip(*rows, strict=True), strict=True)) if rows else {}
    score, rank = (
        np.array([_number(file, line, text, key) for line, text in enumerate(columns[key], 2)])
        if key in columns
        else None
        for key in ("score", "rank")
    )
    if score is None and rank is None:
        raise file.bad_line(1, "has a heading but no predictions below it; add rows")
    return Submission(name, file.name, score, rank, segment=columns.get("segment"))


def _candidates(file: InputFile, name: str) -> Submission:
    table = translations_in(file)
    if table["rank"].null_count():
        place = int(table["rank"].is_null().arg_max() or 0)
        raise file.bad_line(table["line"][place], "a candidate has no predicted rank; give one")
    systems = table["system"].to_list()
    return Submission(
        name,
        file.name,
        rank=table["rank"].to_numpy().astype(np.float64),
        system=None if None in systems else tuple(systems),
    )


def _is_wmt(first: str) -> bool:
    fields = first.split("\t")
    return len(fields) == 4 and all(
        not field.strip(" -NA") or NUMBER.fullmatch(field.strip()) for field in fields[2:]
    )


def _is_wmt_words(first: str) -> bool:
    fields = first.split("\t")
    return len(fields) >= _WORD_FIELDS and TAGS.fullmatch(fields[4].strip()) is not None


_READERS: Sequence[
    tuple[Callable[[InputFile, str], bool], Callable[[InputFile, str], Submission]]
] = (
    (lambda file, first: NUMBER.fullmatch(first.strip()) is not None, _numbers),
    (lambda file, first: TAGS.fullmatch(first.strip()) is not None, _tags),
    (lambda file, first: bool({"score", "rank"} & {*file.header}), _table),
    (lambda file, first: _is_wmt(first), _wmt),
    (lambda file, first: _is_wmt_words(first), _wmt_words),
    (lambda file, first: "candidates" in file.json_keys, _candidates),
)
