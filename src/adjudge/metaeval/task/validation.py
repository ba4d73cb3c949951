"""Validation of submissions in any layout, and unblinding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.metaeval.submission import read_scores
from adjudge.metaeval.task.check_submission import Expected, Problem, Score, problems
from adjudge.metaeval.task.package import EXPECTED, KEY_COLUMNS

EXPECTED_COLUMNS = ("pair", "testset", "system", "segments")


@dataclass(frozen=True)
class Checked:
    """Submission with its problems."""

    files: tuple[str, ...]
    metrics: tuple[str, ...]
    pairs: tuple[str, ...]
    scores: int
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> int:
        """Number of errors."""
        return sum(problem.error for problem in self.problems)

    def to_frame(self) -> pl.DataFrame:
        """Return one row per problem, errors first."""
        ordered = sorted(self.problems, key=lambda problem: not problem.error)
        return pl.DataFrame(
            [
                (
                    "error" if problem.error else "warning",
                    problem.metric,
                    problem.pair,
                    problem.what,
                )
                for problem in ordered
            ],
            schema=dict.fromkeys(("kind", "metric", "pair", "problem"), pl.String),
            orient="row",
        )


def check(paths: Sequence[str], package: str, pair: str | None = None) -> Checked:
    """Validate the scores of files, or of folders of *.score files, against a package."""
    expected = expected_of(package)
    table = read_scores(paths, pair=pair or _only_pair(expected))
    baselines = sorted((Path(package) / "baselines").glob("*.score"))
    baseline = _scores(read_scores([str(path) for path in baselines])) if baselines else []
    scores = _scores(table)
    return Checked(
        tuple(paths),
        tuple(table["metric"].unique(maintain_order=True)),
        tuple(table["pair"].unique(maintain_order=True).drop_nulls()),
        len(scores),
        tuple(problems(scores, expected, baseline)),
    )


def expected_of(package: str) -> Expected:
    """Expected systems of each pair, and numbers of segments, according to a package."""
    file = InputFile(str(Path(package) / EXPECTED))
    expected: dict[str, dict[str, int]] = {}
    for number, cells in _rows(file, EXPECTED_COLUMNS):
        pair, _, system, segments = cells
        if not segments.isdecimal():
            raise file.bad_line(number, f"{segments!r} is not a number of segments; correct it")
        expected.setdefault(pair, {})[system] = int(segments)
    return expected


def collect(package: str, key: str, folder: str) -> list[str]:
    """Unblind the baselines and submissions of a package; return the paths written.

    The layout is that of mt-metrics-eval, FOLDER/metric-scores/PAIR/METRIC.seg.score and
    .sys.score. A submission with errors is refused, and nothing is written.
    """
    names = read_key(key)
    places = [Path(package) / name for name in ("baselines", "submissions")]
    files = [str(path) for place in places for path in sorted(place.rglob("*.score"))]
    if not files:
        raise AdjudgeError(f"{package}: holds no submission; put *.score files into submissions/")
    for path in files:
        for problem in check([path], package).problems:
            if problem.error:
                raise InputError(
                    f"{problem.metric}, {problem.pair}: {problem.what}; correct it or leave it out",
                    file=path,
                )
    expected = expected_of(package)
    table = read_scores(files, pair=_only_pair(expected))
    asked = pl.DataFrame(
        [(pair, system) for pair, systems in expected.items() for system in systems],
        schema={"pair": pl.String, "system": pl.String},
        orient="row",
    )
    known = table.join(asked, on=["pair", "system"], how="semi", maintain_order="left")
    return _write(known, names, Path(folder))


def _only_pair(expected: Expected) -> str | None:
    """Default pair of files without one, if there is only one."""
    return next(iter(expected)) if len(expected) == 1 else None


def read_key(path: str) -> Mapping[tuple[str, str], str]:
    """Read the key: the system of every pair and blind name."""
    file = InputFile(path)
    return {(pair, blind): system for _, (pair, blind, system) in _rows(file, KEY_COLUMNS)}


def _write(table: pl.DataFrame, names: Mapping[tuple[str, str], str], folder: Path) -> list[str]:
    paths = []
    levels = table.with_columns(pl.col("segment").is_null().alias("whole"))
    parts = levels.partition_by("pair", "metric", "whole", as_dict=True, maintain_order=True)
    for (pair, metric, whole), part in parts.items():
        missing = [name for name in part["system"].unique() if (pair, name) not in names]
        if missing:
            raise AdjudgeError(f"the key has no {missing[0]} of {pair}; give that of this package")
        number = pl.col("segment").cast(pl.Int64)
        ordered = part.sort("system", number, maintain_order=True)
        lines = [
            f"{names[str(pair), system]}\t{'None' if score is None else repr(score)}"
            for system, score in ordered.select("system", "score").iter_rows()
        ]
        place = folder / "metric-scores" / str(pair)
        place.mkdir(parents=True, exist_ok=True)
        path = str(place / f"{metric}.{'sys' if whole else 'seg'}.score")
        with open_output(path) as stream:
            stream.write(("\n".join(lines) + "\n").encode())
        paths.append(path)
    return paths


def _scores(table: pl.DataFrame) -> list[Score]:
    return [
        Score(metric, pair or "", system, None if segment is None else int(segment), score)
        for metric, pair, system, segment, score in table.iter_rows()
    ]


def _rows(file: InputFile, columns: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
    lines = [tuple(line.split("\t")) for line in file.text.splitlines()]
    if lines[0] != columns:
        raise file.bad_line(1, f"is not {', '.join(columns)}; is it the right file?")
    for number, cells in enumerate(lines[1:], 2):
        if len(cells) != len(columns):
            raise file.bad_line(number, f"has {len(cells)} fields, not {len(columns)}; correct it")
    return list(enumerate(lines[1:], 2))
