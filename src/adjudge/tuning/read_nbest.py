"""Reading of candidate lists and references, with format detection by content."""

from collections.abc import Sequence

from adjudge.core.errors import BadParameter, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.text.reading import read_column
from adjudge.tuning.candidates import Candidates
from adjudge.tuning.json_candidates import looks_like_json, read_json
from adjudge.tuning.moses_extractor import looks_like_features, read_features, read_statistics
from adjudge.tuning.moses_nbest import looks_like_nbest, read_nbest
from adjudge.tuning.objective import interpolated
from adjudge.tuning.pool import Pool, pooled

_FORMATS = (
    (looks_like_features, read_features),
    (looks_like_json, read_json),
    (looks_like_nbest, read_nbest),
)


def read_candidates(file: InputFile) -> Candidates:
    """Read the list of one file."""
    for looks_like, read in _FORMATS:
        if looks_like(file):
            return read(file)
    raise InputError(
        "is not a list of candidates; give an n-best list of Moses (SENTENCE ||| WORDS ||| "
        "FEATURES), its extracted features, or JSON lines "
        '({"segment": 1, "text": …, "features": {…}})',
        file=file.name,
    )


def read_references(paths: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Read the lines of every reference."""
    columns = [read_column(path) for path in paths]
    for column in columns[1:]:
        if len(column.texts) != len(columns[0].texts):
            raise InputError(
                f"has {len(column.texts):,} lines, {columns[0].file} has "
                f"{len(columns[0].texts):,}; references must be parallel",
                file=column.file,
            )
    return tuple(column.texts for column in columns)


def extracted_pool(lists: Sequence[Candidates], statistics: Sequence[str]) -> Pool:
    """Build a pool from the output of Moses' extractor: files of features and of statistics in
    pairs.
    """
    if len(lists) != len(statistics):
        raise BadParameter(
            f"`statistics` names {len(statistics)} files for {len(lists)} of features; give one "
            "beside each"
        )
    counted = [
        read_statistics(InputFile(path), own) for path, own in zip(statistics, lists, strict=True)
    ]
    if len({metric for metric, _ in counted}) > 1:
        raise BadParameter("`statistics` are of several metrics; give those of one")
    metric, first = counted[0]
    objective = interpolated([metric], [first.shape[1]])
    return pooled(lists, [counts for _, counts in counted], objective)
