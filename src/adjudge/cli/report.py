"""`adjudge report`: everything about the judgements, as a page, LaTeX or Markdown."""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import OutputChoice, Seed, Shared, on_judgements
from adjudge.cli.rank import EngineAddress, Level, MethodName, Replicates, UnitChoice, UnitOption

if TYPE_CHECKING:
    import polars as pl

    from adjudge.report.contents import Input


class ReportFormats(StrEnum):
    """What a report is written as."""

    html = "html"
    latex = "latex"
    markdown = "markdown"


Title = Annotated[str | None, typer.Option(help="The heading of the report.")]
Runs = Annotated[int, typer.Option(min=1, help="Runs of methods that are random, side by side.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes [as many as processors].")]
ReportFormat = Annotated[
    ReportFormats | None, typer.Option("--format", "-f", help="[as the name of the output ends]")
]
ReportOutput = Annotated[
    str | None, typer.Option("--output", "-o", help="report.html, report.tex or report.md.")
]

# Where it runs changes nothing in a report.
_ANYWHERE = ("workers", "engine")


@app.command()
@on_judgements
def report(
    table: "pl.DataFrame",
    context: typer.Context,
    title: Title = None,
    method: MethodName = "expected-wins",
    unit: UnitOption = UnitChoice.ranking,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    outputs: Shared = OutputChoice.expanded,
    runs: Runs = 100,
    workers: Workers = None,
    engine: EngineAddress = None,
    to: ReportFormat = None,
    output: ReportOutput = None,
) -> None:
    """Report on the judgements: ranking, figures, agreement, diagnosis, method, data.

    One page that needs nothing else; LaTeX and Markdown put their figures into a folder beside.
    """
    from os import cpu_count

    from adjudge.analysis.analysis import Settings
    from adjudge.parallel import Engine
    from adjudge.report.making import TITLE, form_for, make_report, write_report

    form = form_for(output, to and to.value)
    settings = Settings(method, unit.value, replicates, level, seed, outputs.value, runs)
    made = make_report(
        table,
        settings,
        _inputs(context),
        _command(context),
        "none" if output in (None, "-") else form.images,
        TITLE if title is None else title,
        Engine(workers or cpu_count() or 1, engine),
    )
    write_report(made, form, output or "-")


def _inputs(context: typer.Context) -> "list[Input]":
    """Every file that was read, with its hash."""
    from adjudge.report.contents import Input

    source = context.params["source"]
    return [Input.of(file) for file in (*context.params["files"], source) if file is not None]


def _command(context: typer.Context) -> str:
    """The command line that makes the same report."""
    import shlex

    words = ["adjudge", "report", *context.params["files"]]
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        if name in ("files", *_ANYWHERE) or source is None or source.name != "COMMANDLINE":
            continue
        flag = next(one for one in parameter.opts if one.startswith("--"))
        value = context.params[name]
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [flag] if one is True else [flag, _word(one)]
    return shlex.join(words)


def _word(value: object) -> str:
    """A value as it is typed."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
