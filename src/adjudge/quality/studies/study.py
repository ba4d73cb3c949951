"""Complete study of a model on held-out data, computed once for its report."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from adjudge.core.errors import AdjudgeError
from adjudge.core.parallel import Engine, doing
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.evaluation.system_ranking import QualityEvaluation
from adjudge.quality.reading import QualityData
from adjudge.quality.studies.errors import (
    LabelledSentence,
    WrongNumber,
    WrongPick,
    labelled_sentences,
    usual_sentences,
    worst_numbers,
    worst_picks,
)
from adjudge.quality.studies.fit import Fit, fit_of
from adjudge.quality.studies.held_out import HeldOut
from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.quality.studies.held_out_ranks import HeldOutRanks
from adjudge.quality.studies.held_out_words import HeldOutWords
from adjudge.quality.studies.importance import Importance, importances
from adjudge.quality.studies.intervals import Coverage, coverage
from adjudge.quality.studies.learning_curve import LearningCurve, learning_curve
from adjudge.quality.studies.reliability import Reliability, reliability_of
from adjudge.quality.studies.scores import scores
from adjudge.quality.studies.selective_editing import SelectiveEditing, selective_editing
from adjudge.quality.studies.system_selection import Picking, picking
from adjudge.quality.studies.translators import OfTranslator, by_translator
from adjudge.text.resources.bundle import Resources


@dataclass(frozen=True, eq=False)
class ModelStudy:
    """Results for a model; questions that do not apply are empty, failures are noted."""

    held_out: HeldOut
    scores: Sequence[QualityEvaluation]
    importances: Sequence[Importance]
    curve: LearningCurve | None = None
    fit: Fit | None = None
    coverage: Sequence[Coverage] = ()
    editing: SelectiveEditing | None = None
    picking: Picking | None = None
    translators: Sequence[OfTranslator] = ()
    reliability: Reliability | None = None
    wrong_numbers: Sequence[WrongNumber] = ()
    wrong_picks: Sequence[WrongPick] = ()
    surprising: Sequence[LabelledSentence] = ()
    usual: Sequence[LabelledSentence] = ()
    seen_sources: int | None = None  # of held-out sources that training has, too
    missing: dict[str, str] = field(default_factory=dict)  # why a part could not be had


def study(
    held_out: HeldOut,
    training: QualityData | None = None,
    resources: Resources | None = None,
    others: Sequence[Submission] = (),
    seed: int = 1,
    engine: Engine | None = None,
) -> ModelStudy:
    """Run all studies; `training` are the data that the model learned from."""
    missing: dict[str, str] = {}
    with doing("Measures …"):
        measured = scores(held_out, others)
    important = importances(held_out, seed, engine)
    curve, seen = None, None
    if training is None:
        missing["curve"] = "give the data that the model was trained on with `training`"
    else:
        seen = _seen(held_out, training)
        try:
            curve = learning_curve(held_out, held_out.training(training, resources), seed, engine)
        except AdjudgeError as why:
            missing["curve"] = str(why)
    made = ModelStudy(held_out, measured, important, curve, seen_sources=seen, missing=missing)
    return _of_task(made, seed)


def _of_task(made: ModelStudy, seed: int) -> ModelStudy:
    """Studies specific to a task."""
    held_out = made.held_out
    match held_out:
        case HeldOutNumbers():
            editing = None
            try:
                editing = selective_editing(held_out)
            except AdjudgeError as why:
                made.missing["editing"] = str(why)
            return replace(
                made,
                fit=fit_of(held_out, seed),
                coverage=coverage(held_out),
                editing=editing,
                translators=by_translator(held_out),
                wrong_numbers=worst_numbers(held_out),
            )
        case HeldOutRanks():
            return replace(made, picking=picking(held_out), wrong_picks=worst_picks(held_out))
        case HeldOutWords():
            return replace(
                made,
                reliability=reliability_of(held_out),
                surprising=labelled_sentences(held_out),
                usual=usual_sentences(held_out, seed),
            )
    raise AssertionError(held_out)


def _seen(held_out: HeldOut, training: QualityData) -> int:
    """Number of distinct held-out sources that training also contains."""
    ours = set(held_out.task.table["source"].drop_nulls().to_list())
    return len(ours & set(training.table["source"].drop_nulls().to_list()))
