"""Metric scores of one language pair, read from files or computed.

A submission has the scores of one metric.

Whatever a file's layout (`layouts/`), it is first read into a long table: a row for each score,
with `metric`, `pair`, `system`, `segment` (null: the score is of the whole system) and `score`
(null: missing). `submissions_from` makes arrays of it, NaN where there is no score.

Files of metric scores, whatever their layout, as submissions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter, InputError, instead_of
from adjudge.core.files.input_file import InputFile
from adjudge.metaeval.layouts import LAYOUTS, Layout
from adjudge.stats.resampling import Codes, Floats

SCORE_COLUMNS = {
    "metric": pl.String,
    "pair": pl.String,  # null where a file does not say
    "system": pl.String,
    "segment": pl.String,  # the number of the line, from 1; null: the whole system
    "score": pl.Float64,
}


def score_columns(table: pl.DataFrame, file: str) -> pl.DataFrame:
    """Select the columns of the long table in order; refuse a table without scores."""
    if not table["score"].drop_nulls().len():
        raise InputError("holds no score; give one", file=file)
    return table.select(pl.col(name).cast(kind) for name, kind in SCORE_COLUMNS.items())


@dataclass(frozen=True, eq=False)
class Submission:
    """Scores of one metric for the systems of one language pair."""

    metric: str
    pair: str
    systems: tuple[str, ...]
    system_scores: Floats | None = None  # (systems,)
    segments: tuple[str, ...] = ()
    segment_scores: Floats | None = None  # (systems × segments)
    higher_is_better: bool = True

    @property
    def turned(self) -> bool:
        """Test whether lower scores are better, so that they are negated for comparison with
        people.
        """
        return not self.higher_is_better

    def among(self, systems: Sequence[str], segments: Sequence[str] = ()) -> "Submission":
        """Restrict to these systems and segments, in this order, oriented so that higher is better.

        Missing scores are NaN. A metric without system scores gets the means of its segments.
        """
        sign = 1.0 if self.higher_is_better else -1.0
        row = _places(systems, self.systems)
        by_segment = None
        if self.segment_scores is not None:
            column = _places(segments, self.segments)
            by_segment = sign * _taken(_taken(self.segment_scores, row).T, column).T
        whole = self.whole_scores()
        by_system = None if whole is None else sign * _taken(whole, row)
        return replace(
            self,
            systems=tuple(systems),
            system_scores=by_system,
            segments=tuple(segments),
            segment_scores=by_segment,
        )

    def whole_scores(self) -> Floats | None:
        """Scores of systems; by default the means of all their segments."""
        if self.system_scores is not None or self.segment_scores is None:
            return self.system_scores
        return np.asarray(self.segment_scores.mean(axis=1))


def _places(wanted: Sequence[str], there: Sequence[str]) -> Codes:
    """Index of each wanted name, −1 if absent."""
    place = {name: i for i, name in enumerate(there)}
    return np.array([place.get(name, -1) for name in wanted], np.int64)


def _taken(scores: Floats, place: Codes) -> Floats:
    """Rows of the scores by index; NaN for absent ones."""
    lacking = np.full((1, *scores.shape[1:]), np.nan)
    return np.asarray(np.concatenate([scores, lacking])[place])


def submissions_from(table: pl.DataFrame, *, lower: Iterable[str] = ()) -> list[Submission]:
    """Convert a long table to submissions; lower scores are better for the metrics named
    `lower`.
    """
    errors = set(lower)
    parts = table.partition_by("pair", "metric", as_dict=True, maintain_order=True)
    return [
        _submission(str(metric), str(pair or ""), part, str(metric) not in errors)
        for (pair, metric), part in parts.items()
    ]


def _submission(metric: str, pair: str, part: pl.DataFrame, higher_is_better: bool) -> Submission:
    systems = tuple(part["system"].unique(maintain_order=True))
    of_systems = part.filter(pl.col("segment").is_null())
    of_segments = part.filter(pl.col("segment").is_not_null())
    segments = tuple(of_segments["segment"].unique(maintain_order=True))
    row = _places(of_segments["system"].to_list(), systems)
    column = _places(of_segments["segment"].to_list(), segments)
    by_segment = np.full((len(systems), len(segments)), np.nan)
    by_segment[row, column] = of_segments["score"].to_numpy()
    by_system = np.full(len(systems), np.nan)
    by_system[_places(of_systems["system"].to_list(), systems)] = of_systems["score"].to_numpy()
    return Submission(
        metric=metric,
        pair=pair,
        systems=systems,
        system_scores=by_system if len(of_systems) else None,
        segments=segments,
        segment_scores=by_segment if len(of_segments) else None,
        higher_is_better=higher_is_better,
    )


def read_submissions(
    paths: Sequence[str], *, pair: str | None = None, lower: Iterable[str] = ()
) -> list[Submission]:
    """Read the submissions of files, or of all `*.score` files of folders, grouped by pair.

    `pair` is that of files that do not name one. For the metrics named `lower`, lower scores are
    better.
    """
    errors = list(lower)
    table = read_scores(paths, pair=pair)
    _refuse_twice(table)
    known = sorted(table["metric"].unique())
    unknown = sorted(set(errors) - set(known))
    if unknown:
        raise BadParameter(
            f"`lower` names {unknown[0]!r}, which is not a metric of these files; "
            f"{instead_of(unknown[0], known)}"
        )
    return submissions_from(table, lower=errors)


def read_scores(paths: Sequence[str], *, pair: str | None = None) -> pl.DataFrame:
    """Read files into a long table, without changing scores."""
    files = [file for path in paths for file in score_files(path)]
    if not files:
        raise BadParameter("name a file of metric scores, or a folder with *.score files")
    table = pl.concat([_read(file) for file in files])
    return table.with_columns(pl.col("pair").fill_null(pl.lit(pair, pl.String)))


def score_files(path: str) -> list[InputFile]:
    """File, or the files of a folder that end in `.score`, compressed or not."""
    folder = Path(path)
    if not folder.is_dir():
        return [InputFile(path)]
    files = sorted(
        each for each in folder.rglob("*") if ".score" in each.suffixes and each.is_file()
    )
    if not files:
        raise InputError("holds no *.score file; name a folder that does", file=path)
    return [InputFile(each) for each in files]


def layout_of(file: InputFile) -> Layout:
    """Find the layout that recognises the file."""
    for layout in LAYOUTS.values():
        if layout.recognise(file):
            return layout
    known = "; ".join(f"{layout.name}: {layout.description}" for layout in LAYOUTS.values())
    raise InputError(f"is not a file of metric scores; there are {known}", file=file.name)


def _read(file: InputFile) -> pl.DataFrame:
    return layout_of(file).read(file)


def _refuse_twice(table: pl.DataFrame) -> None:
    key = ["metric", "pair", "system", "segment"]
    again = table.filter(~pl.struct(key).is_first_distinct())
    if len(again):
        metric, _, system, segment, _ = again.row(0)
        where = "the whole" if segment is None else f"segment {segment}"
        raise InputError(
            f"{metric} scores {where} of {system} twice; give each score once (are two files of "
            "one metric among them?)"
        )
