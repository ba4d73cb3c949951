"""The reports of judgements and of scores, with the command and signature that make them again."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge import __version__
from adjudge.analysis.analysis import Settings
from adjudge.door.analysed import AnalysedJudgements
from adjudge.door.source import Source
from adjudge.errors import as_options
from adjudge.files.output import open_output
from adjudge.parallel import Engine
from adjudge.report.contents import Input
from adjudge.report.making import TITLE, form_for, make_report, write_report

if TYPE_CHECKING:
    from adjudge.door.scores import Scores
    from adjudge.statistics.resampling import Unit

_SETTINGS = ("method", "unit", "replicates", "level", "seed", "outputs", "runs", "ranges")


def write_report_of(
    judgements: AnalysedJudgements,
    path: str,
    named: str,
    settings: Settings,
    title: str | None = None,
    to: str | None = None,
    engine: Engine | None = None,
) -> None:
    """Write the report to `path`; the command in it writes the same to the file `named`."""
    table = judgements._one_protocol()
    form = form_for(path, to)
    asked = settings.parameters(*_SETTINGS)
    usual = Settings().parameters(*_SETTINGS)
    unusual = {name: value for name, value in asked.items() if value != usual[name]}
    given = {**unusual, "title": title, "format": to, "output": named}
    report = make_report(
        table,
        settings,
        [Input(name, digest) for name, digest in judgements.source.files],
        _command(judgements.source, given),
        "none" if path == "-" else form.images,
        TITLE if title is None else title,
        engine,
        str(judgements._sign("report", asked)),
    )
    write_report(report, form, path)


def write_score_report(
    scores: "Scores", path: str, asked: Mapping[str, Any], title: str | None, to: str | None
) -> None:
    """Write the report on scores: what `adjudge scores` shows, by language pair."""
    from adjudge.report.score_report import WRITERS, ScoreReport

    form = form_for(path, to)
    ranking = scores.rank(**asked)
    common = {name: asked[name] for name in ("scale", "replicates", "seed", "level")}
    unit: Unit = "judge" if asked["unit"] == "judge" else "auto"
    agreement = scores.agreement(unit=unit, **common)
    sections = {pair: ranking[pair].tables for pair in sorted({part.pair for part in ranking})}
    agreed = [*agreement.tables, *scores.span_agreement().tables]
    if agreed:
        sections["Agreement"] = agreed
    usual = {"unit": "auto", "replicates": 1000, "level": 0.95, "seed": 1}
    unusual = {name: asked[name] for name in usual if asked[name] != usual[name]}
    in_python_only = asked["scale"] or asked["normalise"]
    report = ScoreReport(
        TITLE if title is None else title,
        __version__,
        [Input(name, digest) for name, digest in scores.source.files],
        ""
        if in_python_only
        else _command(scores.source, {**unusual, "title": title, "format": to, "output": path}),
        str(scores._sign("report", asked)),
        {
            heading: [table.said(as_options) for table in tables]
            for heading, tables in sections.items()
        },
    )
    with open_output(path) as stream:
        stream.write(WRITERS[form.name](report).encode())


def _command(source: Source, given: Mapping[str, Any]) -> str:
    """The command line that makes the same report; none where no file was read."""
    if not source.files:
        return ""
    words = ["adjudge", "report", *(name for name, _ in source.files)]
    for name, values in {**source.selection, **given}.items():
        flag = "--" + name.replace("_", "-")
        for value in values if isinstance(values, list | tuple) else [values]:
            words += [] if value is None else [flag] if value is True else [flag, str(value)]
    return shlex.join(words)
