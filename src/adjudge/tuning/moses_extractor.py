"""Output of Moses' extractor: files of features and of statistics, sentence by sentence.

    FEATURES_TXT_BEGIN_0 0 100 2 lm_0 w_0      (sentence, candidates, features, their names)
    -47.2982 -14
    …
    FEATURES_TXT_END_0

Files of statistics begin with SCORES_TXT_BEGIN_0 and name the metric. Columns: BLEU has matches and
n-grams of every order by turns, then the reference length; WER and CDER cost and reference length;
PER matches, length, reference length; TER a hundred times edits (by Moses' own search: `moses-ter`)
and mean reference length, and a score, each cut to a whole number. They are read as
`metrics/catalogue/` counts them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adjudge.core.errors import BadParameter, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.metrics.catalogue.cder import Cder
from adjudge.metrics.catalogue.moses_ter import MosesTer
from adjudge.metrics.catalogue.per import Per
from adjudge.metrics.catalogue.ter import Ter
from adjudge.metrics.catalogue.wer import Wer
from adjudge.metrics.metric import Metric
from adjudge.tuning.candidates import Candidates, Floats, Numbers, Row, gathered

_FEATURES, _SCORES = "FEATURES_TXT", "SCORES_TXT"


@dataclass(frozen=True)
class _Kind:
    """Metric of Moses: ours, its number of columns, and conversions in both directions."""

    metric: Metric
    columns: int
    ours: Callable[[Floats], Floats]
    theirs: Callable[[Floats], Floats]


def _bleu(theirs: Floats) -> Floats:
    return np.column_stack([theirs[:, 0:8:2], theirs[:, 1:8:2], theirs[:, 1], theirs[:, 8]])


def _moses_bleu(ours: Floats) -> Floats:
    by_turns = np.stack([ours[:, :4], ours[:, 4:8]], axis=2).reshape(len(ours), 8)
    return np.column_stack([by_turns, ours[:, 9]])


def _ter(theirs: Floats) -> Floats:
    return np.asarray(theirs[:, :2] / 100)


def _moses_ter(ours: Floats) -> Floats:
    edits, length = ours[:, 0], ours[:, 1]
    rate = np.divide(100 * edits, length, out=100 * np.minimum(edits, 1), where=length > 0)
    written = np.column_stack([100 * edits, 100 * length, rate]).round(6)
    return np.asarray(np.floor(written))


def _same(statistics: Floats) -> Floats:
    return statistics


_KINDS = {
    "BLEU": _Kind(Bleu(tokenize="none", smooth="none"), 9, _bleu, _moses_bleu),
    "WER": _Kind(Wer(tokenize="none"), 2, _same, _same),
    "CDER": _Kind(Cder(tokenize="none"), 2, _same, _same),
    "PER": _Kind(Per(tokenize="none"), 3, _same, _same),
    "TER": _Kind(MosesTer(), 3, _ter, _moses_ter),
}
# What is written under which name; edits by tercom's search fit the columns of TER as well.
_NAMES = {type(kind.metric): name for name, kind in _KINDS.items()} | {Ter: "TER"}


def looks_like_features(file: InputFile) -> bool:
    """Test whether the file begins like a file of features."""
    return file.first_line.startswith(f"{_FEATURES}_BEGIN")


def read_features(file: InputFile) -> Candidates:
    """Read a file of features; the words are unknown."""
    return gathered(file, _feature_rows(file))


def _feature_rows(file: InputFile) -> Iterator[Row]:
    for line, header, values in _lines(file, _FEATURES):
        names = tuple(header[3:])
        if len(values) != len(names):
            raise file.bad_line(line, f"has {len(values)} values for {len(names)} features")
        yield Row(line, int(header[0]), "", names, values)


def read_statistics(file: InputFile, candidates: Candidates) -> tuple[Metric, Floats]:
    """Read a file of statistics, which must match the candidates; return its metric too."""
    rows: list[tuple[float, ...]] = []
    sentence: list[int] = []
    named = ""
    for line, header, values in _lines(file, _SCORES):
        named = header[3] if len(header) > 3 else ""
        if named not in _KINDS:
            raise file.bad_line(
                line, f"has statistics of {named or 'no metric'}; known are {', '.join(_KINDS)}"
            )
        if len(values) != _KINDS[named].columns:
            raise file.bad_line(
                line, f"has {len(values)} numbers; {named} has {_KINDS[named].columns}"
            )
        sentence.append(int(header[0]))
        rows.append(values)
    if not rows:
        raise InputError("has no statistics; give what Moses' extractor wrote", file=file.name)
    numbers = np.bincount(sentence)
    if not np.array_equal(numbers, np.diff(candidates.starts)):
        raise InputError(
            f"has statistics of {len(rows):,} candidates, {candidates.file} has "
            f"{len(candidates):,}, or other ones; give files that belong together",
            file=file.name,
        )
    kind = _KINDS[named]
    ordered = np.array(rows)[np.argsort(sentence, kind="stable")]
    return kind.metric, kind.ours(ordered)


def _lines(file: InputFile, key: str) -> Iterator[tuple[int, list[str], tuple[float, ...]]]:
    """Yield every line between BEGIN and END: its number, the header's fields, its numbers."""
    header: list[str] | None = None
    expected = seen = 0
    for line, text in enumerate(file.text.split("\n"), 1):
        fields = text.split()
        if not fields:
            continue
        if fields[0].startswith(f"{key}_BEGIN"):
            header, expected, seen = _header(file, line, fields[1:]), int(fields[2]), 0
        elif fields[0].startswith(f"{key}_END"):
            if seen != expected:
                raise file.bad_line(
                    line, f"ends after {seen} of {expected} candidates; copy it again"
                )
            header = None
        elif header is None:
            raise file.bad_line(line, f"stands outside of {key}_BEGIN and {key}_END")
        else:
            seen += 1
            yield line, header, _parsed(file, line, fields)
    if header is not None:
        raise InputError(f"breaks off before the last {key}_END; copy it again", file=file.name)


def _header(file: InputFile, line: int, fields: list[str]) -> list[str]:
    if len(fields) < 3 or not all(field.isdecimal() for field in fields[:3]):
        raise file.bad_line(
            line, "begins no sentence: SENTENCE, CANDIDATES and COLUMNS are missing"
        )
    return fields


def _parsed(file: InputFile, line: int, fields: list[str]) -> tuple[float, ...]:
    try:
        return tuple(map(float, fields))
    except ValueError:
        raise file.bad_line(line, "has a field that is not a number; correct it") from None


def write_features(path: str, names: Sequence[str], starts: Numbers, features: Floats) -> None:
    """Write a file of features in Moses' format."""
    _write(path, _FEATURES, " ".join(names) + " ", starts, features)


def write_statistics(path: str, metric: Metric, starts: Numbers, statistics: Floats) -> None:
    """Write a file of statistics in Moses' format."""
    named = _NAMES.get(type(metric))
    if named is None or getattr(metric, "order", 4) != 4:
        raise BadParameter(
            f"Moses has no statistics of {metric.short}; known are {', '.join(_KINDS)}"
        )
    _write(path, _SCORES, named, starts, _KINDS[named].theirs(statistics))


def _write(path: str, key: str, last: str, starts: Numbers, values: Floats) -> None:
    with open_output(path) as stream:
        for sentence, (first, end) in enumerate(pairwise(starts)):
            header = f"{key}_BEGIN_0 {sentence} {end - first} {values.shape[1]} {last}\n"
            rows = "".join(
                "".join(f"{value:g} " for value in row) + "\n" for row in values[first:end].tolist()
            )
            stream.write(f"{header}{rows}{key}_END_0\n".encode())
