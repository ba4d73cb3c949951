"""Tables of studies of a model on held-out data."""

from collections.abc import Sequence
from typing import Any

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.quality.evaluation.system_ranking import Measure
from adjudge.quality.studies.errors import WrongNumber, WrongPick
from adjudge.quality.studies.fit import Fit
from adjudge.quality.studies.held_out import Estimate
from adjudge.quality.studies.importance import Importance
from adjudge.quality.studies.intervals import PROMISED, Coverage
from adjudge.quality.studies.learning_curve import LearningCurve
from adjudge.quality.studies.reliability import Reliability
from adjudge.quality.studies.selective_editing import SelectiveEditing
from adjudge.quality.studies.system_selection import Picking
from adjudge.quality.studies.translators import OfTranslator
from adjudge.stats.interval_columns import drawn, drawn_keys

MOST_FEATURES = 20  # that people see; machines get all


def said(estimate: Estimate, name: str) -> dict[str, float]:
    """Return an estimate as flat keys."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _ends(name: str, level: float, digits: int) -> Between:
    return Between(f"{name}_low", f"{100 * level:g} % interval", digits, to=f"{name}_high")


def _percent_ends(name: str, level: float) -> Column:
    return Column(f"{name}_ends", f"{100 * level:g} % interval")


def percents(estimate: Estimate, name: str) -> dict[str, Any]:
    """Return a share as flat keys, with its interval as text."""
    row: dict[str, Any] = dict(said(estimate, name))
    known = estimate.low == estimate.low  # no NaN
    row[f"{name}_ends"] = f"{100 * estimate.low:.0f}–{100 * estimate.high:.0f} %" if known else None
    return row


def _for_machines(rows: Sequence[Row]) -> list[Row]:
    return [{k: v for k, v in row.items() if not k.endswith("_ends")} for row in rows]


@shows(SelectiveEditing)
def editing_tables(results: Sequence[SelectiveEditing]) -> list[Table]:
    """One table per curve."""
    return [editing_table(result) for result in results]


def editing_table(result: SelectiveEditing) -> Table:
    """Shares in steps of a tenth for people, of a twentieth in the data."""
    resampling = result.resampling
    made_by = {
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": resampling.level,
    }
    data = [{**row, **made_by} for row in result.to_frame().to_dicts()]
    rows = []
    for place in range(2, len(data) - 1, 2):
        row = {**data[place], **percents(result.saved[place], "saved")}
        rows.append(row)
    gained = result.gained
    notes = [
        f"Left: mean {result.quantity.title} of what is not edited, over all translations."
        if not result.quantity.higher_is_better
        else "Left: mean distance to the best value, over all translations, of what is not edited.",
        f"Of what an oracle saves beyond chance, the model saves {100 * gained.value:.0f} %"
        f"{_between(gained)}, on average over all shares.",
    ]
    return Table(
        rows,
        [
            Column("edited", "edited", percent=True),
            Column("saved", "saved", percent=True),
            _percent_ends("saved", resampling.level),
            Column("oracle", "by an oracle", percent=True),
            Column("random", "at random", percent=True),
            Column("left", "left", 2),
        ],
        title=f"Editing the worst first: {result.translations:,} translations, "
        f"{drawn(resampling.unit, resampling.replicates)}",
        notes=notes,
        data=data,
    )


def _between(estimate: Estimate) -> str:
    if estimate.low != estimate.low:
        return ""
    return f" ({100 * estimate.low:.0f} to {100 * estimate.high:.0f} %)"


@shows(Picking)
def picking_tables(results: Sequence[Picking]) -> list[Table]:
    """One table per result."""
    return [picking_table(result) for result in results]


def picking_table(result: Picking) -> Table:
    """Model's pick, systems, random choice and the best."""
    resampling = result.resampling
    made_by = {
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": resampling.level,
    }
    data = [{**row, **made_by} for row in result.to_frame().to_dicts()]
    rows = [
        {**row, **percents(choice.wins, "wins")}
        for row, choice in zip(data, result.choices, strict=True)
    ]
    return Table(
        rows,
        [
            Column("choice", "always taken"),
            Column("rankings", "rankings"),
            Column("wins", "beats", percent=True),
            _percent_ends("wins", resampling.level),
            Column("rank", "mean rank", 2),
            _Points("gain", "the pick has more", to="gain_high"),
        ],
        title=f"Picking one of several: {result.rankings:,} rankings, "
        f"{drawn(resampling.unit, resampling.replicates)}",
        notes=[
            "Beats: the share of the other candidates of a ranking, a tie being half a win.",
            "The pick has more: in the rankings in which this one takes part, by how many "
            f"percentage points the model's pick beats more, with its {100 * resampling.level:g} % "
            "interval.",
        ],
        lines_after=frozenset({0, len(rows) - 3}) if len(rows) > 3 else frozenset({0}),
        data=data,
    )


class _Points(Between):
    """Column of a difference of shares in percentage points, with its interval."""

    def show(self, row: Row) -> str:
        value, low, high = (row[name] for name in ("gain", "gain_low", "gain_high"))
        if value is None or value != value:
            return ""
        shown = f"{_points(value)}"
        return shown if low != low else f"{shown} ({_points(low)} to {_points(high)})"

    def numeric(self, rows: Sequence[Row]) -> bool:
        """Align as text."""
        return False


def _points(value: float) -> str:
    points = round(100 * value)
    return f"+{points}" if points > 0 else f"{points}".replace("-", "−")


def fit_table(fit: Fit) -> Table:
    """Deciles of the translations by prediction."""
    rows = [
        {"translations": each.translations, "predicted": each.predicted, **said(each.true, "true")}
        for each in fit.bins
    ]
    return Table(
        rows,
        [
            Column("translations", "translations"),
            Column("predicted", "predicted", 2),
            Column("true", "true", 2),
            Between("true_low", "interval", 2, to="true_high"),
        ],
        title="Mean of true numbers where about the same was predicted",
    )


def coverage_table(found: Sequence[Coverage], level: float) -> Table:
    """Coverage of the prediction intervals."""
    rows = [
        {
            "of": each.of,
            "translations": each.translations,
            **percents(each.held, "held"),
            "width": each.width,
        }
        for each in found
    ]
    return Table(
        rows,
        [
            Column("of", "translations, by prediction"),
            Column("translations", "number"),
            Column("held", "within", percent=True),
            _percent_ends("held", level),
            Column("width", "mean width", 1),
        ],
        title=f"How often {100 * PROMISED:g} % intervals hold",
        notes=[
            "Intervals are made from the training data. They hold for translations like those; "
            "where other data differ, fewer or more of the truth lies within."
        ],
        data=_for_machines(rows),
    )


def importance_table(
    found: Sequence[Importance], measure: Measure, families: int, level: float
) -> Table:
    """Families, then the most important features."""
    data = [
        {
            "name": each.name,
            "family": each.family,
            "what": each.what,
            "features": each.features,
            **said(each.loss, "loss"),
        }
        for each in found
    ]
    singles = data[families : families + MOST_FEATURES]
    whole = data[:families] if families > 1 else []
    left = len(data) - families - len(singles)
    digits = measure.digits + 1
    notes = [
        f"Loss: by how much {measure.title} gets worse when the values are exchanged between "
        "translations at random.",
    ]
    if left > 0:
        notes.append(f"{left:,} features that matter less are in the data of this page only.")
    unasked = sum(each.features for each in found[:families]) - (len(data) - families)
    if unasked > 0:
        notes.append(
            f"{unasked:,} features of the families that matter least were not exchanged by "
            "themselves: that would have taken long."
        )
    return Table(
        [*whole, *singles],
        [
            Column("name", "family, or feature"),
            Column("loss", "loss", digits),
            _ends("loss", level, digits),
            Column("what", "what it is"),
        ],
        title="Families, then single features" if whole else "Single features",
        notes=notes,
        lines_after=frozenset({len(whole) - 1}) if whole and singles else frozenset(),
        data=data,
    )


def curve_table(curve: LearningCurve, measure: Measure, unit: str, level: float) -> Table:
    """Parts, the whole, and the expectation with more data."""
    rows = [
        {
            "learned_from": point.translations,
            "models": point.parts or None,
            **said(point.measure, measure.name),
            **(said(point.gain, "gain") if point is not curve.whole else {}),
        }
        for point in (*curve.measured, *curve.expected)
    ]
    digits = measure.digits + 1
    return Table(
        rows,
        [
            Column("learned_from", f"{unit} learned from"),
            Column("models", "models"),
            Column(measure.name, measure.title, measure.digits),
            _ends(measure.name, level, measure.digits),
            Column("gain", "better by", digits),
            Between("gain_low", "its interval", digits, to="gain_high"),
        ],
        title="Learned from less, and expected of more",
        notes=[
            "Better by: than the model itself, on the same held-out data; below 0 it is worse.",
            "The last rows are no measurements: the curve is continued by a power law. Their "
            "intervals know the noise of the curve, not how single models scatter about it, nor "
            "whether the law holds.",
        ],
        lines_after=frozenset({len(curve.measured) - 1}),
    )


def translator_table(found: Sequence[OfTranslator], level: float) -> Table:
    """Errors of each translator's times."""
    rows = [
        {
            "translator": each.translator,
            "translations": each.translations,
            "seconds": each.seconds,
            **said(each.mae, "mae"),
            **said(each.ratio, "ratio"),
        }
        for each in found
    ]
    return Table(
        rows,
        [
            Column("translator", "translator"),
            Column("translations", "translations"),
            Column("seconds", "mean seconds", 1),
            Column("mae", "MAE", 1),
            _ends("mae", level, 1),
            Column("ratio", "predicted / true", 2),
            Between("ratio_low", "its interval", 2, to="ratio_high"),
        ],
        title="Times of each translator",
        notes=[
            "Predicted / true: all predicted seconds by all true ones. Below 1 the model thinks "
            "them faster than they were; few very long times are enough for that."
        ],
    )


def reliability_table(found: Reliability, level: float) -> Table:
    """Bins of probabilities."""
    rows = [
        {"words": each.words, "chance": each.chance, **percents(each.changed, "changed")}
        for each in found.bins
    ]
    brier, error = found.brier, found.calibration_error
    return Table(
        rows,
        [
            Column("words", "words"),
            Column("chance", "predicted", percent=True),
            Column("changed", "changed", percent=True),
            _percent_ends("changed", level),
        ],
        title="Chances of words to be changed, and how many were",
        notes=[
            f"Brier score {brier.value:.3f} ({brier.low:.3f} to {brier.high:.3f}), calibration "
            f"error {error.value:.3f} ({error.low:.3f} to {error.high:.3f}); 0 is best.",
        ],
        data=_for_machines(rows),
    )


def wrong_numbers_table(found: Sequence[WrongNumber], digits: int) -> Table:
    """Largest errors, with texts."""
    rows = [vars(each) for each in found]
    edited = any(each.post_edit for each in found)
    columns = [
        Column("segment", "segment"),
        Column("true", "true", digits),
        Column("predicted", "predicted", digits),
        Between("low", "interval", digits, to="high"),
        Column("source", "source"),
        Column("target", "translation"),
    ]
    if edited:
        columns.append(Column("post_edit", "post-edit"))
    return Table(rows, columns, title="The largest errors")


def wrong_picks_table(found: Sequence[WrongPick]) -> Table:
    """Worst picks, with texts."""
    return Table(
        [vars(each) for each in found],
        [
            Column("segment", "segment"),
            Column("source", "source"),
            Column("picked_system", "picked"),
            Column("picked_rank", "its rank"),
            Column("picked", "its text"),
            Column("best_system", "best"),
            Column("best_rank", "its rank"),
            Column("best", "its text"),
        ],
        title="Picks that people ranked the most places behind the best candidate",
    )
