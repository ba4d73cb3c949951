"""The report of judgements, with the command and the signature that make it again."""

import shlex
from typing import Any

from adjudge.analysis.analysis import Settings
from adjudge.door.analysed import AnalysedJudgements
from adjudge.parallel import Engine
from adjudge.report.contents import Input
from adjudge.report.making import TITLE, form_for, make_report, write_report

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
    given = {"title": title, "format": to, "output": named}
    report = make_report(
        table,
        settings,
        [Input(name, digest) for name, digest in judgements.source.files],
        _command(judgements, settings, given),
        "none" if path == "-" else form.images,
        TITLE if title is None else title,
        engine,
        str(judgements._sign("report", asked)),
    )
    write_report(report, form, path)


def _command(judgements: AnalysedJudgements, settings: Settings, given: dict[str, Any]) -> str:
    """The command line that makes the same report; none where no file was read."""
    if not judgements.source.files:
        return ""
    usual = Settings().parameters(*_SETTINGS)
    asked = settings.parameters(*_SETTINGS)
    unusual = {name: value for name, value in asked.items() if value != usual[name]}
    words = ["adjudge", "report", *(name for name, _ in judgements.source.files)]
    for name, values in {**judgements.source.selection, **unusual, **given}.items():
        flag = "--" + name.replace("_", "-")
        for value in values if isinstance(values, list) else [values]:
            words += [] if value is None else [flag] if value is True else [flag, str(value)]
    return shlex.join(words)
