"""WMT23 en-de beside people, read once, and what mt-metrics-eval says of it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
import pytest

from adjudge.metaeval.human_scores import HumanScores
from adjudge.metaeval.metrics_task import MetricsTask, metrics_task
from adjudge.metaeval.submission import Submission, read_submissions


@pytest.fixture(scope="session")
def wmt23_metrics(shared_data: Path) -> list[Submission]:
    return read_submissions([str(shared_data / "wmt23" / "metric-scores" / "en-de")])


@pytest.fixture(scope="session")
def wmt23(shared_data: Path, wmt23_metrics: list[Submission]) -> Mapping[str, MetricsTask]:
    """The tasks of mt-metrics-eval: `en-de.default mqm` and so on, from files of system scores."""
    tasks = {}
    for scale in ("mqm", "da-sqm"):
        folder = shared_data / "wmt23" / "human-scores"
        files = [str(folder / f"en-de.{scale}.{level}.score") for level in ("seg", "sys")]
        (people,) = read_submissions(files)
        assert people.system_scores is not None
        human = HumanScores(
            pair="en-de",
            name=scale,
            systems=people.systems,
            system_scores=people.system_scores,
            segments=people.segments,
            segment_scores=people.segment_scores,
        )
        for config, included in (("default", False), ("human", True)):
            task = metrics_task(human, wmt23_metrics, include_reference=included)
            tasks[f"en-de.{config} {scale}"] = task
    return tasks


@pytest.fixture(scope="session")
def gold(shared_data: Path) -> Callable[[str], pl.DataFrame]:
    """A table of expected values by its name."""

    def table(name: str) -> pl.DataFrame:
        path = shared_data / "metaeval" / f"{name}.tsv"
        return pl.read_csv(path, separator="\t", infer_schema_length=None)

    return table
