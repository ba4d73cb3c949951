"""Training from data to a model with its card, and predicting from data with a model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from adjudge.errors import BadParameter, one_of
from adjudge.quality.features.preparing import prepare
from adjudge.quality.learners.learner import RANKERS, REGRESSORS, TAGGERS
from adjudge.quality.models.model_file import Card, Model, save_model
from adjudge.quality.models.numbers import NumberModel, train_number_model
from adjudge.quality.models.ranks import RankModel, train_rank_model
from adjudge.quality.models.words import train_word_model
from adjudge.quality.reading import QualityData
from adjudge.quality.tasks.editing_time import editing_time_task
from adjudge.quality.tasks.scoring import scoring_task
from adjudge.quality.tasks.selection import selection_task
from adjudge.quality.tasks.words import word_task, words_of
from adjudge.quality.translations import codes_of
from adjudge.resources.bundle import Resources

# The tasks, and the learners of each; the first is taken where none is named.
LEARNERS: dict[str, Any] = {
    "scoring": (REGRESSORS, "svr"),
    "time": (REGRESSORS, "extra-trees"),
    "selection": (RANKERS, "logistic"),
    "words": (TAGGERS, "logistic"),
}


@dataclass(frozen=True, eq=False)
class Trained:
    """A model, and what it was made from."""

    model: Model
    card: Card

    @property
    def task(self) -> str:
        """Which task it is of."""
        match self.model:
            case NumberModel():
                return self.model.task
            case RankModel():
                return "selection"
            case _:
                return "words"

    def to_frame(self) -> pl.DataFrame:
        """One row."""
        model = self.model
        return pl.DataFrame(
            {
                "task": [self.task],
                "learner": [model.learner],
                "chosen": [", ".join(f"{key} {value}" for key, value in model.chosen.items())],
                "translations": [self.card.translations],
                "features": [len(model.design.numbers)],
                "labels": [sum(map(len, model.design.labels.values()))],
                **{name: [value] for name, value in self.card.measured.items()},
            }
        )

    def save(self, path: str) -> None:
        """Write the model to a file."""
        save_model(self.model, self.card, path)

    def predict(self, data: QualityData, resources: Resources | None = None) -> pl.DataFrame:
        """What the model says of other translations, a row each (of words: a row a translation)."""
        if _hash(resources) != self.card.resources:
            raise BadParameter(
                "the model was trained with other resources; give `resources` as in training"
                if self.card.resources
                else "the model was trained without resources; leave out `resources`"
            )
        model, table = self.model, data.table
        if isinstance(model, RankModel):
            table = table.drop_nulls("ranking").sort("ranking", maintain_order=True)
        prepared = prepare(table, resources, tokenize=self.card.tokenize)
        match model:
            case NumberModel():
                predicted = model.predict(prepared)
                columns: dict[str, Any] = {
                    "score": predicted.value, "low": predicted.low, "high": predicted.high
                }  # fmt: skip
            case RankModel():
                score, rank = model.predict(prepared, codes_of(table["ranking"])[0])
                columns = {"score": score, "rank": rank}
            case _:
                labels, _ = model.predict(prepared)
                _, start = words_of(table)
                named = np.array(model.classes)[labels]
                columns = {
                    "tags": [" ".join(part) for part in np.split(named, start[1:-1])]
                }  # fmt: skip
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
    seed: int = 1,
    workers: int = 1,
) -> Trained:
    """Train a model of a task; what is not said follows from the data."""
    task = one_of(task or _task_of(data.table), LEARNERS, "task")
    named = learner or LEARNERS[task][1]
    how: dict[str, Any] = {"seed": seed, "workers": workers}
    model: Model
    match task:
        case "selection":
            ranked = selection_task(data.table)
            table = ranked.table
            model = train_rank_model(ranked, prepare(table, resources), named, features, **how)
        case "words":
            worded = word_task(data.table, labels=labels)
            table = worded.table
            prepared = prepare(table, resources, tokenize="none")
            model = train_word_model(worded, prepared, named, features, **how)
        case _:
            number = (
                editing_time_task(data.table)
                if task == "time"
                else scoring_task(data.table, predict, higher_is_better)
            )
            table = number.table
            model = train_number_model(number, prepare(table, resources), named, features, **how)
    tokenize = "none" if task == "words" else prepare(table[:1], resources).tokenize
    measured = model.measured
    card = Card(data.hash, len(table), _hash(resources), tokenize, seed, measured)
    return Trained(model, card)


def _task_of(table: pl.DataFrame) -> str:
    """Rankings are a selection, seconds a time, tags are of words; else it is a number."""
    if table["rank"].count():
        return "selection"
    if "seconds" in table.columns and table["seconds"].count():
        return "time"
    return "scoring"


def _hash(resources: Resources | None) -> str | None:
    return None if resources is None else resources.recipe.hash
