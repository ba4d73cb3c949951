"""Report on metrics: one section per language pair and level, with answer, table and figures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from adjudge.core.errors import NotEnoughData, as_options
from adjudge.core.tables.table import Table
from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.metaeval.tables.labels import ADJUSTED, MEANINGS, held_for, title_of
from adjudge.metaeval.tables.metaeval import alone, together
from adjudge.report.contents import Illustration, Images, Omission, illustration
from adjudge.report.figure import Figure
from adjudge.report.findings_summary import named
from adjudge.report.result_figures import metaeval, metric_matrix, metric_panels, metric_statistics
from adjudge.report.sections import Section
from adjudge.stats.tests import SIGNIFICANT

TITLE = "Metrics beside people"

_LEVELS = {"system": "systems", "segment": "segments"}
_LABELLED = 3  # metrics whose panels have room for the names of systems


def metaeval_sections(
    results: Sequence[MetaEvaluation],
    images: Images,
    leave_out_of_average: Sequence[str] = (),
    omissions: Sequence[Omission] = (),
) -> list[Section]:
    """Sections of all language pairs first, if there are several; then of each by itself.

    `omissions` list results that could not be computed.
    """
    sections = []
    for level, called in _LEVELS.items():
        of_level = [result for result in results if result.level == level]
        averages = together(of_level, leave_out_of_average)
        if averages:
            every = [row for result in of_level for row in result.rows()]  # what is averaged
            tables = {
                f"averages-{n}": _spoken(replace(table, data=every))
                for n, table in enumerate(averages, 1)
            }
            sections.append(Section(f"All language pairs: {called}", tables))
    explained = not sections
    for pair in dict.fromkeys(result.pair for result in results):
        of_pair = [result for result in results if result.pair == pair]
        sections += [_section(result, images, explained) for result in of_pair]
    if omissions:
        sections.append(Section("Not shown", {}, omissions=omissions))
    return sections


def _section(result: MetaEvaluation, images: Images, explained: bool) -> Section:
    name = " ".join(part for part in (result.pair, f"({result.human})") if part)
    drawn = [] if images == "none" else list(_drawn(result, images))
    return Section(
        f"{name}: {_LEVELS[result.level]}",
        {"metrics": _spoken(alone(result, explained))},
        _lead(result),
        [shown for shown in drawn if isinstance(shown, Illustration)],
        omissions=[shown for shown in drawn if isinstance(shown, Omission)],
    )


def _spoken(table: Table) -> Table:
    return table.said(as_options)


def _drawn(result: MetaEvaluation, images: Images) -> Iterator[Illustration | Omission]:
    """Figures of a result, or the reasons for their omission."""
    if result.level == "system":
        few = len(metric_panels.complete_metrics(result)) <= _LABELLED
        panels: Figure[MetaEvaluation] = metaeval.PANELS if few else metric_panels.FIGURE
    else:
        panels = metric_statistics.FIGURE
    for figure in (panels, metric_matrix.FIGURE):
        try:
            yield illustration(figure, result, images)
        except NotEnoughData as why:
            yield Omission(figure.title, as_options(str(why)).rstrip("."))


def _lead(result: MetaEvaluation) -> str:
    """Sentence on the best metric, and on metrics that do not differ significantly from it."""
    known = int(np.isfinite(result.values[:, 0]).sum())
    if not known:
        return "No metric has a value."
    title = title_of(result.statistics[0])
    best = f"{result.metrics[0]} agrees best with people ({title} {result.values[0, 0]:.3f})"
    if known == 1:
        return f"{best}; it is the only metric with a value."
    p = result.p_adjusted[0, 1:known]
    if not np.isfinite(p).any():
        return f"Of {known} metrics {best}; no test separates them."
    worse = int((p <= SIGNIFICANT).sum())
    alike = [result.metrics[1 + m] for m in np.flatnonzero(~(p <= SIGNIFICANT))]
    if not alike:
        return f"{best}, significantly better than {_others(worse)}."
    if not worse:
        return f"{best}, but not significantly better than {named(alike, 'or')}."
    return f"{best}, significantly better than {_others(worse)}, but not than {named(alike, 'or')}."


def _others(number: int) -> str:
    return f"{number} others" if number > 1 else "one other"


def metaeval_steps(results: Sequence[MetaEvaluation]) -> list[tuple[str, str]]:
    """Description of the method, in words and formulas."""
    used = dict.fromkeys(name for result in results for name in result.statistics)
    steps = [(title_of(name), MEANINGS.get(name, "A matrix of one's own.")) for name in used]
    for level, called in _LEVELS.items():
        first = next((result for result in results if result.level == level), None)
        if first is not None:
            steps.append((f"Intervals of {called}", f"{_capital(held_for(first))}."))
    correction = ADJUSTED[results[0].correction]
    steps += [
        (
            "Which is better",
            "Every two metrics are tested one-sidedly, by swapping their scores (Deutsch 2021) or "
            "as the notes say; τ by the replicates of its interval. All pairs count: "
            f"{correction}.",
        ),
        (
            "Clusters",
            "From the best metric down, one that is significantly worse than any of the cluster so "
            "far begins the next one.",
        ),
        (
            "Metrics that lack scores",
            "A metric without a score that its value needs has no value: one of fewer systems or "
            "segments could not stand beside the others.",
        ),
    ]
    return steps


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
