"""The reports of judgements and of scores, with the command and signature that make them again."""

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.api.per_pair import AnalysedJudgements
from adjudge.core.errors import as_options
from adjudge.core.version import __version__
from adjudge.data.source import Source
from adjudge.report.analysis import Settings
from adjudge.report.build import (
    TITLE,
    Form,
    form_for,
    make_report,
    write_report,
    write_with_figures,
)
from adjudge.report.contents import Input

if TYPE_CHECKING:
    from adjudge.api.report_texts import GivenTexts
    from adjudge.api.scores import Scores
    from adjudge.metrics.system_scores import MetricScores
    from adjudge.report.sections import SectionedReport
    from adjudge.stats.resampling import Unit


def write_report_of(
    judgements: AnalysedJudgements,
    path: str,
    settings: Settings,
    title: str | None = None,
    to: str | None = None,
    given: "GivenTexts | None" = None,
    named: str | None = None,
) -> None:
    """Write the report to `path`; the command in it writes to the file `named`, or the same."""
    analyses = judgements._analyses(settings)
    form = form_for(path, to)
    asked, recorded = settings.signed(), settings.recorded()
    unusual = {name: recorded[name] for name in settings.unusual() if name in recorded}
    options = {**unusual, "title": title, "format": to, "output": named or path}
    metrics: dict[str, Sequence[MetricScores]] = {}
    if given is not None:
        scored = given.scored(settings.replicates, settings.seed, settings.level)
        metrics[given.pair_among(judgements.pairs)] = scored
        asked, options = asked | given.signed, given.options | options
    report = make_report(
        analyses,
        _inputs(judgements.source, given),
        command_line("report", judgements.source, options),
        "none" if path == "-" else form.images,
        TITLE if title is None else title,
        settings.work,
        str(judgements._sign("report", asked)),
        metrics,
    )
    write_report(report, form, path)


def write_score_report(
    scores: "Scores",
    path: str,
    asked: Mapping[str, Any],
    title: str | None,
    to: str | None,
    given: "GivenTexts | None" = None,
) -> None:
    """Write the report on scores: what `adjudge scores` shows, by language pair."""
    from adjudge.report.metric_scores import ScoredByMetrics, scored_by_metrics
    from adjudge.report.score_report import score_sections, score_steps
    from adjudge.report.sections import SectionedReport

    form = form_for(path, to)
    ranking = scores.rank(**asked)
    common = {name: asked[name] for name in ("scale", "replicates", "seed", "level")}
    unit: Unit = "judge" if asked["unit"] == "judge" else "auto"
    agreement = scores.agreement(unit=unit, **common)
    sections = {pair: ranking[pair].tables for pair in sorted({part.pair for part in ranking})}
    agreed = [*agreement.tables, *scores.span_agreement(unit=unit, level=asked["level"]).tables]
    if agreed:
        sections["Agreement"] = agreed
    usual = {"unit": "auto", "replicates": 1000, "level": 0.95, "seed": 1}
    unusual = {name: asked[name] for name in usual if asked[name] != usual[name]}
    metrics: ScoredByMetrics | None = None
    if given is not None:
        pair = given.pair_among(sections)
        scored = given.scored(asked["replicates"], asked["seed"], asked["level"])
        metrics = scored_by_metrics(ranking[pair], scored, "none" if path == "-" else form.images)
        asked, unusual = {**asked, **given.signed}, given.options | unusual
    in_python_only = asked["scale"] or asked["normalise"]
    spoken = {
        heading: [table.said(as_options) for table in tables]
        for heading, tables in sections.items()
    }
    report = SectionedReport(
        TITLE if title is None else title,
        __version__,
        _inputs(scores.source, given),
        ""
        if in_python_only
        else command_line(
            "report", scores.source, {**unusual, "title": title, "format": to, "output": path}
        ),
        str(scores._sign("report", asked)),
        score_sections(spoken, metrics),
        score_steps(metrics),
    )
    write_sections(report, form, path)


def write_sections(report: "SectionedReport", form: Form, path: str) -> None:
    """Write a report in sections, whole or not at all, figures in a folder where they are files."""
    from adjudge.report.sections import WRITERS

    write = WRITERS[form.name]
    files = {f"{name}.{form.images}": image for name, image in report.figures.items()}
    write_with_figures(
        lambda folder: write(report, folder), {} if form.images == "page" else files, path
    )


def _inputs(source: Source, given: "GivenTexts | None") -> list[Input]:
    """All files that were read."""
    texts = () if given is None else given.texts.source.files
    return [Input(name, digest) for name, digest in (*source.files, *source.beside, *texts)]


def command_line(verb: str, source: Source, given: Mapping[str, Any]) -> str:
    """The command line that makes the same report; none where no file was read."""
    if not source.files:
        return ""
    words = ["adjudge", verb, *(name for name, _ in source.files)]
    for name, values in {**source.selection, **given}.items():
        flag = "--" + name.replace("_", "-")
        for value in values if isinstance(values, list | tuple) else [values]:
            if value is not None and value is not False:
                words += [flag] if value is True else [flag, str(value)]
    return shlex.join(words)
