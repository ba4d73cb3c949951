"""Report on a quality model: accuracy on held-out data, explanations, and benefit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adjudge.core.errors import as_options
from adjudge.core.tables.table import Table
from adjudge.quality.models.train import Trained
from adjudge.quality.studies.errors import WrongNumber, WrongPick
from adjudge.quality.studies.held_out import HeldOut
from adjudge.quality.studies.intervals import PROMISED
from adjudge.quality.studies.scores import MODEL, USUAL
from adjudge.quality.studies.study import ModelStudy
from adjudge.quality.studies.system_selection import Picking
from adjudge.quality.tables.evaluation import quality_table
from adjudge.quality.tables.models import predicted_by, trained_tables
from adjudge.quality.tables.studies import (
    coverage_table,
    curve_table,
    editing_table,
    importance_table,
    picking_table,
    reliability_table,
    translator_table,
    wrong_numbers_table,
    wrong_picks_table,
)
from adjudge.report.contents import Illustration, Images, Omission, illustration
from adjudge.report.figure import Figure, Subject
from adjudge.report.result_figures import (
    quality_fit,
    quality_importance,
    quality_learning,
    quality_reliability,
    selective_editing,
    system_selection,
)
from adjudge.report.result_figures.quality_importance import Important
from adjudge.report.result_figures.quality_learning import Learned
from adjudge.report.result_figures.quality_reliability import Reliable
from adjudge.report.sections import Section, Texts
from adjudge.report.word_highlighting import marked


def quality_sections(study: ModelStudy, images: Images) -> list[Section]:
    """Sections on accuracy, uncertainty, benefit, explanations, data size and errors."""
    return [
        _scores(study, images),
        *_intervals(study),
        *_chances(study, images),
        *_uses(study, images),
        *_translators(study),
        _importance(study, images),
        _learning(study, images),
        *_wrong(study),
        Section("The model", {"model": trained_tables([study.held_out.trained])[0]}),
    ]


def _drawn(figure: Figure[Subject], subject: Subject, images: Images) -> list[Illustration]:
    return [] if images == "none" else [illustration(figure, subject, images)]


def _said(table: Table) -> Table:
    return table.said(as_options)


def _level(study: ModelStudy) -> float:
    return study.held_out.resampling.level


def _scores(study: ModelStudy, images: Images) -> Section:
    tables = {each.variant: _said(quality_table(each)) for each in study.scores}
    if study.seen_sources:
        last = list(tables)[-1]
        note = f"{study.seen_sources:,} different sources are in the training data, too."
        tables[last] = replace(tables[last], notes=[*tables[last].notes, note])
    figures = [] if study.fit is None else _drawn(quality_fit.FIGURE, study.fit, images)
    return Section("How good it is", tables, _score_lead(study), figures)


def _score_lead(study: ModelStudy) -> str:
    """First measure of the last table, compared with the baseline."""
    standing = study.scores[-1] if study.fit is not None else study.scores[0]
    place, measure = standing.names.index(MODEL), standing.measures[0]
    value = f"{standing.values[place, 0]:.{measure.digits}f}"
    low, high = standing.low[place, 0], standing.high[place, 0]
    ends = "" if low != low else f" ({low:.{measure.digits}f} to {high:.{measure.digits}f})"
    beside = standing.beside_baseline[place]
    if standing.baseline is None or beside is None:
        return f"{measure.title} {value}{ends}."
    other = standing.values[standing.names.index(standing.baseline), 0]
    than = "from" if beside == "not different" else "than"
    baseline = (
        "always saying the training mean"
        if standing.baseline == USUAL
        else (standing.baseline[:1].lower() + standing.baseline[1:])
    )
    return (
        f"{measure.title} {value}{ends}: {beside} {than} {baseline} ({other:.{measure.digits}f})."
    )


def _intervals(study: ModelStudy) -> Iterator[Section]:
    if study.coverage:
        whole = study.coverage[0]
        lead = (
            f"{100 * PROMISED:g} % intervals hold {100 * whole.held.value:.0f} % of the "
            f"{whole.translations:,} true numbers."
        )
        yield Section(
            "How sure it is", {"intervals": coverage_table(study.coverage, _level(study))}, lead
        )


def _chances(study: ModelStudy, images: Images) -> Iterator[Section]:
    if study.reliability is not None:
        level = _level(study)
        shown = Reliable(study.reliability, level)
        error = 100 * study.reliability.calibration_error.value
        yield Section(
            "How sure it is",
            {"chances": reliability_table(study.reliability, level)},
            f"Chances of words are {error:.1f} percentage points off on average.",
            _drawn(quality_reliability.FIGURE, shown, images),
        )


def _uses(study: ModelStudy, images: Images) -> Iterator[Section]:
    if study.editing is not None:
        fifth = study.editing.saved[4]
        trouble = "HTER" if study.editing.quantity.name == "hter" else "all that is wrong"
        lead = (
            f"Post-editing the worst 20 % by prediction takes {100 * fifth.value:.0f} % of "
            f"{trouble} away; an oracle would take {100 * study.editing.oracle[4].value:.0f} %."
        )
        yield Section(
            "Which to edit first",
            {"editing": editing_table(study.editing)},
            lead,
            _drawn(selective_editing.FIGURE, [study.editing], images),
        )
    if study.picking is not None:
        yield Section(
            "Which to take",
            {"picking": picking_table(study.picking)},
            _picking_lead(study.picking),
            _drawn(system_selection.FIGURE, [study.picking], images),
        )


def _picking_lead(result: Picking) -> str:
    own, at_random = result.choices[0], result.choices[-2]
    systems = [choice for choice in result.choices if choice.role == "system"]
    lead = (
        f"The model's pick beats {100 * own.wins.value:.0f} % of the other candidates, one drawn "
        f"at random {100 * at_random.wins.value:.0f} %"
    )
    if not systems or systems[0].gain is None:
        return f"{lead}."
    best = systems[0]
    gain = best.gain
    assert gain is not None
    better = gain.low > 0
    worse = gain.high < 0
    how = "better" if better else "worse" if worse else "not different"
    than = "from" if how == "not different" else "than"
    return f"{lead}; it is {how} {than} always taking {best.name}, the best single system."


def _translators(study: ModelStudy) -> Iterator[Section]:
    if study.translators:
        table = translator_table(study.translators, _level(study))
        errors = {each.translator: each.mae.value for each in study.translators}
        best, worst = min(errors, key=errors.__getitem__), max(errors, key=errors.__getitem__)
        lead = f"Errors go from {errors[best]:.0f} s ({best}) to {errors[worst]:.0f} s ({worst})."
        yield Section("By translator", {"translators": table}, lead)


def _families(study: ModelStudy) -> int:
    return len({each.family for each in study.held_out.features})


def _importance(study: ModelStudy, images: Images) -> Section:
    measure, level, families = study.held_out.measure, _level(study), _families(study)
    found = study.importances
    table = importance_table(found, measure, families, level)
    first = found[0] if families > 1 else found[families]
    what = "family" if families > 1 else "feature"
    lead = (
        f"Without the {what} {first.name}, {measure.title} would be "
        f"{first.loss.value:.{measure.digits}f} worse."
    )
    if first.loss.low <= 0:
        lead = f"No {what} is needed beyond chance: even the interval of {first.name} holds 0."
    shown = Important(found, families, measure, level)
    drawn = _drawn(quality_importance.FIGURE, shown, images)
    return Section("What it leans on", {"importance": table}, lead, drawn)


def _unit(held_out: HeldOut) -> str:
    return "rankings" if held_out.trained.task == "selection" else "translations"


def _learning(study: ModelStudy, images: Images) -> Section:
    heading, curve = "What more data would bring", study.curve
    if curve is None:
        reason = as_options(study.missing["curve"]).rstrip(".")
        return Section(heading, {}, omissions=[Omission("Not shown", reason)])
    measure, level = study.held_out.measure, _level(study)
    unit, twice = _unit(study.held_out), curve.expected[0]
    digits = measure.digits + 1
    ends = ""
    if twice.gain.low == twice.gain.low:
        ends = f" ({twice.gain.low:.{digits}f} to {twice.gain.high:.{digits}f})"
    lead = (
        f"With twice as many {unit} {measure.title} would be {twice.gain.value:.{digits}f}{ends} "
        "better, if its curve goes on."
    )
    shown = Learned(curve, measure, unit, level)
    table = curve_table(curve, measure, unit, level)
    drawn = _drawn(quality_learning.FIGURE, shown, images)
    return Section(heading, {"learning": table}, lead, drawn)


def _wrong(study: ModelStudy) -> Iterator[Section]:
    if study.wrong_numbers:
        digits = 1 if study.held_out.trained.predicts in ("hter", "seconds") else 2
        table = wrong_numbers_table(study.wrong_numbers, digits)
        yield _of_texts(table, [_wrong_number(each, digits) for each in study.wrong_numbers])
    if study.wrong_picks:
        table = wrong_picks_table(study.wrong_picks)
        yield _of_texts(table, [_wrong_pick(each) for each in study.wrong_picks])
    kept = getattr(study.held_out.model, "classes", ("",))[0]
    for heading, below, sentences in (
        ("Words by their chance", "Sentences drawn at random", study.usual),
        ("Where it is wrong", "Sentences whose words surprised it most", study.surprising),
    ):
        if sentences:
            shown = [marked(sentence, kept) for sentence in sentences]
            yield Section(heading, {}, sentences=shown, sentences_heading=below)


def _of_texts(table: Table, texts: Sequence[Texts]) -> Section:
    """Section of texts on the page; a table in papers and in the data."""
    folded = {"errors": table}
    return Section("Where it is wrong", {}, folded=folded, folded_heading="As a table", texts=texts)


def _wrong_number(each: WrongNumber, digits: int) -> Texts:
    predicted, low, high = (f"{n:.{digits}f}" for n in (each.predicted, each.low, each.high))
    lines = [("source", each.source), ("translation", each.target)]
    if each.post_edit:
        lines.append(("post-edit", each.post_edit))
    title = (
        f"Segment {each.segment}: {predicted} predicted ({low}–{high}), {each.true:.{digits}f} true"
    )
    return Texts(title, lines)


def _wrong_pick(each: WrongPick) -> Texts:
    def by(system: str | None) -> str:
        return f" ({system})" if system else ""

    return Texts(
        f"Segment {each.segment}: rank {each.picked_rank} picked, rank {each.best_rank} is best",
        [
            ("source", each.source),
            (f"picked{by(each.picked_system)}", each.picked),
            (f"best{by(each.best_system)}", each.best),
        ],
    )


_OF_TASK = {
    "scoring": "MAE of the predicted numbers",
    "time": "MAE of the predicted seconds",
    "selection": "τ with ties penalised of the predicted ranks",
    "words": "macro F1 of the predicted labels",
}


def quality_steps(study: ModelStudy) -> list[tuple[str, str]]:
    """Description of the method, in words and formulas."""
    held_out = study.held_out
    resampling = held_out.resampling
    steps = [
        (
            "Held-out data",
            f"{len(held_out.task.table):,} translations that the model was not trained on. Every "
            f"measure here is {_OF_TASK[held_out.trained.task]} on them, or drawn from it.",
        ),
        (
            "Intervals",
            f"{100 * resampling.level:g} %, by {resampling.replicates:,} replicates of "
            f"{resampling.unit}s, the same for all that is compared."
            if held_out.units is not None
            else "None: nothing was drawn.",
        ),
        (
            "What it leans on",
            "Permutation importance (Breiman 2001): the values of a feature are exchanged between "
            "translations, and the model is asked again.",
        ),
    ]
    if study.curve is not None:
        level, slope, exponent = study.curve.law
        steps.append(
            (
                "What more data would bring",
                "Parts of the training data are learned from with the parameters of the whole. "
                f"Error(n) = {level:.4g} + {slope:.4g} · n^(−{exponent:.3g}), by least squares; "
                "replicates draw held-out units and among the parts of each size, and what is "
                "expected of more data scatters as models of parts do.",
            )
        )
    if study.editing is not None:
        steps.append(
            (
                "Which to edit first",
                "Saved: what the edited translations have of the sum over all translations, each "
                "counting the same whatever its length.",
            )
        )
    return steps


def title_of(trained: Trained) -> str:
    """Default title of the page."""
    return f"A model of {predicted_by(trained)}"
