"""Report on tuning: results, line searches, decoder loops, variance."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from adjudge.core.errors import NotEnoughData, as_options
from adjudge.core.tables.results import tables_for
from adjudge.core.tables.table import Table
from adjudge.report.contents import Illustration, Images, Omission, illustration
from adjudge.report.figure import Figure
from adjudge.report.result_figures import (
    tuning_iterations,
    tuning_line,
    tuning_restarts,
    tuning_runs,
    tuning_weights,
)
from adjudge.report.sections import Section
from adjudge.stats.interval_columns import interval
from adjudge.tuning.loop import Loop
from adjudge.tuning.run_spread import TuningVariance
from adjudge.tuning.tables.variance import tables_of
from adjudge.tuning.tuning_result import Reached, Tuned

TITLE = "Tuning"

Results = Sequence[Tuned] | Sequence[Loop] | Sequence[TuningVariance]


def tuning_sections(results: Sequence[Results], images: Images) -> Iterator[Section]:
    """One section per result: tuners on one pool, a loop, or many runs."""
    for parts in results:
        first = parts[0]
        if isinstance(first, Tuned):
            tables = dict(zip(("scores", "weights"), tables_for(parts), strict=True))
            yield _section(
                f"Tuned towards {first.objective}",
                tables,
                _lead(first.reached[-1], first.tuner.name, first.resampling.level),
                [(tuning_line.FIGURE, [first])],
                images,
            )
        elif isinstance(first, Loop):
            tables = {f"loop-{n}": table for n, table in enumerate(tables_for(parts), 1)}
            by = f"the weights of iteration {first.best.number}"
            lead = _lead(first.reached[-1], by, first.resampling.level)
            figures = [(tuning_iterations.FIGURE, [first])]
            yield _section("A decoder in the loop", tables, lead, figures, images)
        else:
            yield from _variance(first, images)


def _section(
    heading: str,
    tables: Mapping[str, Table],
    lead: str,
    figures: Sequence[tuple[Figure[Any], Any]],
    images: Images,
) -> Section:
    drawn = [] if images == "none" else [_drawn(*each, images) for each in figures]
    return Section(
        heading,
        {name: table.said(as_options) for name, table in tables.items()},
        lead,
        [shown for shown in drawn if isinstance(shown, Illustration)],
        omissions=[shown for shown in drawn if isinstance(shown, Omission)],
    )


def _drawn(figure: Figure[Any], subject: Any, images: Images) -> Illustration | Omission:
    """Prepare a figure, or the reason for its omission."""
    try:
        return illustration(figure, subject, images)
    except NotEnoughData as why:
        return Omission(figure.title, as_options(str(why)).rstrip("."))


def _lead(reached: Reached, by: str, level: float) -> str:
    column = interval(level, 2, "difference_low", "difference_high")
    gap = f"{column.heading} {column.show(asdict(reached))}"
    return (
        f"On {reached.sentences:,} {reached.part} sentences the score goes from "
        f"{reached.before:.2f} to {reached.score:.2f} by {by}: a difference of "
        f"{reached.difference:.2f} ({gap})."
    )


def _variance(result: TuningVariance, images: Images) -> Iterator[Section]:
    """Scores with differences, weights, restarts."""
    tables = tables_of(result)
    lead = ""
    if result.differences:
        found = Counter(each.beyond_chance for each in result.differences)
        lead = (
            f"Of {len(result.differences)} differences between goals, {found['yes']} are beyond "
            f"chance in one run, {found['on average']} on average, {found['no']} are not."
        )
    scores: dict[str, Table] = {
        name: tables[name] for name in ("scores", "differences") if name in tables
    }
    yield _section("How much is chance", scores, lead, [(tuning_runs.FIGURE, [result])], images)
    yield _section(
        "Weights and their spread",
        {"weights": tables["weights"]},
        "",
        [(tuning_weights.FIGURE, [result])],
        images,
    )
    if "restarts" in tables:
        yield _section(
            "Restarts",
            {"restarts": tables["restarts"]},
            "",
            [(tuning_restarts.FIGURE, [result])],
            images,
        )


def tuning_steps(results: Sequence[Results]) -> list[tuple[str, str]]:
    """Description of the method in words."""
    steps = [
        (
            "Objective",
            "The metric of the chosen candidates of all sentences, or several metrics "
            "interpolated; an error counts as 100 − error.",
        )
    ]
    tuners = {
        part.runs.tuner if isinstance(part, TuningVariance) else part.tuner
        for parts in results
        for part in parts
    }
    steps += [
        (tuner.title, f"{tuner.summary.capitalize()} ({tuner.paper}).")
        for tuner in sorted(tuners, key=lambda tuner: tuner.name)
    ]
    steps.append(
        (
            "Intervals",
            "From a bootstrap of sentences, the same ones before and after. On sentences that "
            "weights were chosen on they do not say how much of the gain is luck.",
        )
    )
    if any(isinstance(parts[0], TuningVariance) for parts in results):
        steps.append(
            (
                "Variance",
                "Development sets are drawn with replacement; each is tuned on from several "
                "seeds, towards every goal under the same conditions; test sentences are drawn "
                "besides.",
            )
        )
    return steps
