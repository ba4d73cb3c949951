"""Serialisation of composed estimators."""

from typing import Any

from sklearn.base import clone
from sklearn.ensemble import VotingRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils import Bunch

from adjudge.quality.learners.support_vectors import SupportVectors
from adjudge.quality.models.estimators.kind import Arrays, Kind, Parameter


def _restore_mean(mean: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    mean.set_params(weights=[float(weight) for weight in arrays["weights"]])
    mean.estimators_ = [*members.values()]
    mean.named_estimators_ = Bunch(**members)


def _restore_vectors(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made.scaler_, made.machine_ = members["scaler"], members["machine"]


def _new_vectors(made: Any) -> dict[str, Any]:
    scaler, machine = made.new_members()
    return {"scaler": scaler, "machine": machine}


KINDS: dict[type, Kind] = {
    Pipeline: Kind(
        fitted_members=lambda pipeline: dict(pipeline.steps),
        new_members=lambda pipeline: dict(pipeline.steps),
    ),
    VotingRegressor: Kind(
        {"weights": Parameter("f8", ("members",), least=0)},
        lambda mean: {"weights": mean.weights},
        _restore_mean,
        sizes=lambda mean, sizes: {"members": len(mean.estimators)},
        fitted_members=lambda mean: {
            name: made for (name, _), made in zip(mean.estimators, mean.estimators_, strict=True)
        },
        new_members=lambda mean: {name: clone(member) for name, member in mean.estimators},
    ),
    SupportVectors: Kind(
        restore=_restore_vectors,
        fitted_members=lambda made: {"scaler": made.scaler_, "machine": made.machine_},
        new_members=_new_vectors,
    ),
}
