"""The report on metrics beside people: both levels, as a page, LaTeX or Markdown."""

from collections.abc import Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any

from adjudge.api.reports import command_line, write_sections
from adjudge.core.errors import AdjudgeError, as_options
from adjudge.core.version import __version__
from adjudge.report.build import form_for
from adjudge.report.contents import Input, Omission

if TYPE_CHECKING:
    from adjudge.api.metaeval import MetaevalQuestions
    from adjudge.api.metric_scores import MetricScoreFiles
    from adjudge.metaeval.evaluation import MetaEvaluation

MOST_FILES = 20  # that are named

# What only the level that is asked for takes from the question.
_OF_ONE_LEVEL = ("statistic", "tau", "without_outliers", "p_values", "against")


def write_metaeval_report(
    people: "MetaevalQuestions",
    path: str,
    metrics: "MetricScoreFiles",
    asked: Mapping[str, Any],
    title: str | None,
    to: str | None,
) -> None:
    """Write it; the level that is not asked for has its usual statistics, or is said to lack."""
    from adjudge.report.metaeval_report import TITLE, metaeval_sections, metaeval_steps
    from adjudge.report.sections import SectionedReport

    form = form_for(path, to)
    level = asked.get("level", "system")
    main = people.metaeval(metrics, **asked)
    results: list[MetaEvaluation] = list(main)
    omissions = []
    other = "segment" if level == "system" else "system"
    usual = {name: value for name, value in asked.items() if name not in _OF_ONE_LEVEL}
    try:
        beside = list(people.metaeval(metrics, **{**usual, "level": other}))
        results = [*results, *beside] if level == "system" else [*beside, *results]
    except AdjudgeError as why:
        omissions.append(Omission(f"{other.capitalize()}s", as_options(str(why)).rstrip(".")))
    sections = metaeval_sections(
        results,
        "none" if path == "-" else form.images,
        main.how["leave_out_of_average"],
        omissions,
    )
    report = SectionedReport(
        TITLE if title is None else title,
        __version__,
        [*(Input(*file) for file in people.source.files), *_inputs(metrics)],
        _command(people, metrics, asked, path),
        str(main.signature),
        sections,
        metaeval_steps(results),
    )
    write_sections(report, form, path)


def _command(
    people: "MetaevalQuestions", metrics: "MetricScoreFiles", asked: Mapping[str, Any], path: str
) -> str:
    """The command that writes it again, with what is not as usual."""
    if not metrics.source.files:
        return ""
    usual = signature(people.metaeval).parameters
    unusual = {
        name: value
        for name, value in asked.items()
        if value != usual[name].default and value not in ((), [])
    }
    return command_line(
        "metaeval", people.source, {**metrics.source.options, **unusual, "report": path}
    )


def _inputs(metrics: "MetricScoreFiles") -> list[Input]:
    """The files of metrics; of many only how many there are, with the hash of all."""
    files = metrics.source.files
    if len(files) <= MOST_FILES:
        return [Input(*file) for file in files]
    given = ", ".join(map(str, metrics.source.options.get("metric_scores", ())))
    return [Input(f"{len(files)} files of metrics ({given})", metrics.hash)]
