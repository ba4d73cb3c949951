"""Training of a model with its card, and prediction with a model."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter, one_of
from adjudge.core.parallel import Engine, doing
from adjudge.quality.features.extraction import chosen_families
from adjudge.quality.features.family import WORD_FAMILIES
from adjudge.quality.features.inputs import METRICS, Prepared, prepare
from adjudge.quality.learners.learner import RANKERS, REGRESSORS, TAGGERS
from adjudge.quality.models.model_file import Card, Model, save_model
from adjudge.quality.models.numbers import NumberModel, train_number_model
from adjudge.quality.models.ranks import RankModel, train_rank_model
from adjudge.quality.models.words import train_word_model
from adjudge.quality.quantities import QUANTITIES
from adjudge.quality.reading import QualityData
from adjudge.quality.tasks.editing_time import EditingTimeTask, editing_time_task
from adjudge.quality.tasks.infer_task import chosen_task
from adjudge.quality.tasks.scoring import ScoringTask, scoring_task
from adjudge.quality.tasks.selection import (
    SelectionTask,
    candidates_in_order,
    selection_task,
    without_references,
)
from adjudge.quality.tasks.words import BINARY, WordTask, word_task, words_of
from adjudge.text.resources.bundle import Resources

Task = ScoringTask | EditingTimeTask | SelectionTask | WordTask

# The tasks, and the learners of each; the first is taken where none is named.
LEARNERS: dict[str, Any] = {
    "scoring": (REGRESSORS, "ensemble"),
    "time": (REGRESSORS, "ensemble"),
    "selection": (RANKERS, "logistic"),
    "words": (TAGGERS, "crf"),
}


@dataclass(frozen=True, eq=False)
class Trained:
    """Model with its provenance."""

    model: Model
    card: Card

    @property
    def task(self) -> str:
        """Task of the model."""
        match self.model:
            case NumberModel():
                return self.model.task
            case RankModel():
                return "selection"
            case _:
                return "words"

    @property
    def predicts(self) -> str:
        """Predicted column: the name of a number, `rank` or `tags`."""
        if isinstance(self.model, NumberModel):
            return self.model.quantity.name
        return "rank" if isinstance(self.model, RankModel) else "tags"

    @property
    def families(self) -> tuple[str, ...]:
        """Feature families of the model."""
        if isinstance(self.model, NumberModel | RankModel):
            return tuple(family.name for family in self.model.features.families)
        return self.model.families

    def to_frame(self) -> pl.DataFrame:
        """Return one row: description, provenance and accuracy."""
        model, card = self.model, self.card
        row = {
            "task": self.task,
            "predicts": self.predicts,
            "learner": model.learner,
            "chosen": ", ".join(f"{key} {value}" for key, value in model.chosen.items()),
            "families": ", ".join(self.families),
            "translations": card.translations,
            "features": len(model.design.numbers),
            "labels": sum(map(len, model.design.labels.values())),
            "tokenize": card.tokenize,
            "data": card.data,
            "resources": card.resources,
            "seed": card.seed,
            "version": card.version,
            "scikit_learn": card.scikit_learn,
            **card.measured,
        }
        return pl.DataFrame([row])

    def save(self, path: str) -> None:
        """Save the model to a file."""
        save_model(self.model, self.card, path)

    def task_in(self, table: pl.DataFrame) -> Task:
        """Translations of known quality, as the task of the model."""
        match self.model:
            case NumberModel() as model:
                quantity = model.quantity
                direction = None if quantity.name in QUANTITIES else quantity.higher_is_better
                return task_named(self.task, table, quantity.name, direction)
            case RankModel():
                return selection_task(table)
            case model:
                return word_task(table, "binary" if model.classes == BINARY else "edits")

    def learned_task(self, table: pl.DataFrame) -> Task:
        """Task used for learning: without human translations among the candidates."""
        asked = self.task_in(table)
        return task_named("selection", table) if isinstance(asked, SelectionTask) else asked

    def prepared(self, table: pl.DataFrame, resources: Resources | None = None) -> Prepared:
        """Prepare translations as in training; refuse other resources."""
        if _hash(resources) != self.card.resources:
            raise BadParameter(
                "the model was trained with other resources; give `resources` as in training"
                if self.card.resources
                else "the model was trained without resources; leave out `resources`"
            )
        return prepare(table, resources, tokenize=self.card.tokenize, metric=self.card.metrics)

    def predict(self, data: QualityData, resources: Resources | None = None) -> pl.DataFrame:
        """Predict other translations, one row each."""
        model, table = self.model, data.table
        if isinstance(model, RankModel):
            table, ranking = candidates_in_order(table)
        prepared = self.prepared(table, resources)
        columns: dict[str, Any]
        match model:
            case NumberModel():
                said = model.predict(prepared)
                columns = {"score": said.value, "low": said.low, "high": said.high}
            case RankModel():
                score, rank = model.predict(prepared, ranking)
                columns = {"system": table["system"], "score": score, "rank": rank}
            case _:
                labels, chances = model.predict(prepared)
                inner = words_of(table)[1][1:-1]
                named = np.split(np.array(model.classes)[labels], inner)
                changed = np.split(1 - chances[:, 0], inner)
                columns = {
                    "tags": [part.tolist() for part in named],
                    "chances": [part.tolist() for part in changed],
                }
        return pl.DataFrame({"segment": table["segment"], **columns})


def train(
    data: QualityData,
    resources: Resources | None = None,
    *,
    task: str | None = None,
    predict: str | None = None,
    higher_is_better: bool | None = None,
    labels: str = "binary",
    learner: str | None = None,
    features: tuple[str, ...] = (),
    metrics: tuple[str, ...] = (),
    seed: int = 1,
    engine: Engine | None = None,
) -> Trained:
    """Train a model of a task; missing options are inferred from the data."""
    called = one_of(task or chosen_task(data.table, predict), LEARNERS, "task")
    named = learner or LEARNERS[called][1]
    asked = task_named(called, data.table, predict, higher_is_better, labels)
    tokenize = "none" if called == "words" else None
    metrics = metrics or METRICS
    prepared = prepare(asked.table, resources, tokenize=tokenize, metric=metrics)
    model: Model
    with doing(f"Learning by {named} …"), (engine or Engine()).lent() as workers:
        match asked:
            case SelectionTask():
                model = train_rank_model(
                    asked, prepared, named, features, seed=seed, workers=workers
                )
            case WordTask():
                families = chosen_families(WORD_FAMILIES, prepared, features, learning=False)
                model = train_word_model(
                    asked, prepared, named, tuple(family.name for family in families),
                    seed=seed, workers=workers,
                )  # fmt: skip
            case _:
                model = train_number_model(
                    asked, prepared, named, features, seed=seed, workers=workers
                )
    card = Card(
        data.hash, fingerprint(asked.table), len(asked.table), _hash(resources),
        prepared.tokenize, metrics, seed, model.measured,
    )  # fmt: skip
    return Trained(model, card)


def task_named(
    task: str,
    table: pl.DataFrame,
    predict: str | None = None,
    higher_is_better: bool | None = None,
    labels: str = "binary",
) -> Task:
    """Build the named task from the translations of known quality."""
    match task:
        case "selection":
            return selection_task(without_references(table))
        case "words":
            return word_task(table, labels)
        case "time":
            return editing_time_task(table)
        case _:
            return scoring_task(table, predict, higher_is_better)


def fingerprint(table: pl.DataFrame) -> str:
    """SHA-256 of translations; a file's hash is ambiguous if it holds both training and test
    data.
    """
    rows = table.select("segment", "source", "target", "system", "translator").rows()
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def _hash(resources: Resources | None) -> str | None:
    return None if resources is None else resources.recipe.hash
