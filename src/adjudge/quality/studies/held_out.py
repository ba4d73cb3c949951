"""Predictions of a model on held-out translations of known quality.

All tasks share one interface. Observations (translations, pairs of candidates, sentences) have
additive sufficient statistics, and a measure is a function of their sums: MAE, τ with ties
penalised, or macro F1. Measures can therefore be bootstrapped, and computed with permuted features.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter
from adjudge.quality.evaluation.system_ranking import Measure
from adjudge.quality.features.column import FeatureTable
from adjudge.quality.models.design import Design
from adjudge.quality.models.model_file import Model
from adjudge.quality.models.train import Task, Trained, fingerprint
from adjudge.quality.reading import QualityData
from adjudge.stats.bootstrap import STILL, Bootstrapped, bootstrap
from adjudge.stats.replicates import Function
from adjudge.stats.resampling import Floats, Resampling, Units
from adjudge.stats.uncertainty import Scale
from adjudge.text.resources.bundle import Resources

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """Estimate with its confidence interval; NaN without resampling."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Feature:
    """Feature of a model: its family, description, and columns of the matrix."""

    name: str
    family: str
    what: str
    columns: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Training:
    """Training data of a model: matrix rows, targets and groups."""

    estimator: Any  # with the parameters that were chosen
    matrix: Any  # dense or sparse
    gold: Floats
    group: Rows  # of each row; groups are learned from whole
    translations: Floats  # of each group: how many it has

    def fit(self, groups: Rows) -> Any:
        """Fit an estimator to these groups."""
        from sklearn.base import clone

        rows = np.flatnonzero(np.isin(self.group, groups))
        return clone(self.estimator).fit(self.matrix[rows], self.gold[rows])


@dataclass(frozen=True, eq=False)
class HeldOut(ABC):
    """Model with predictions and truth on held-out data."""

    trained: Trained
    task: Task
    matrix: Any  # of features: translations, candidates or words × columns, dense or sparse
    features: tuple[Feature, ...]
    units: Units | None  # of observations; None: nothing is drawn
    resampling: Resampling
    measure: Measure = field(init=False)
    affordable: int = field(init=False)  # rows that may be predicted for one study, in minutes

    @property
    def model(self) -> Model:
        """Model."""
        return self.trained.model

    @abstractmethod
    def predicted(self, estimator: Any, matrix: Any) -> Any:
        """Predictions of an estimator for a feature matrix."""

    @abstractmethod
    def statistics(self, predicted: Any) -> Floats:
        """Sufficient statistics of the measure (observations × statistics)."""

    @abstractmethod
    def value(self, sums: Floats) -> Floats:
        """Measure from sums (…, statistics)."""

    @abstractmethod
    def training(self, data: QualityData, resources: Resources | None) -> Training:
        """Data in the form in which the estimator learned from them."""

    def estimates(
        self, statistics: Floats, function: Function, scale: Scale = "strength"
    ) -> list[Estimate]:
        """Estimates of a function of sums, (…, statistics) → (…, values), with intervals."""
        units = () if self.units is None else (self.units,)
        drawn = bootstrap(statistics, function, units, self.resampling)
        return estimates_of(replace(drawn, scale=scale))


def estimates_of(drawn: Bootstrapped) -> list[Estimate]:
    """Estimates with intervals; without an interval if nothing varies."""
    low, high = drawn.interval()
    still = high - low < STILL
    ends = (np.where(still, np.nan, end) for end in (low, high))
    return [Estimate(*map(float, each)) for each in zip(drawn.estimate, *ends, strict=True)]


def features_by_family(tables: Mapping[str, FeatureTable], design: Design) -> tuple[Feature, ...]:
    """Features of all families, with their columns of a design matrix."""
    of_name = {
        column.name: (column, family)
        for family, table in tables.items()
        for column in table.columns
    }
    widths = [(name, 1) for name in design.numbers]
    widths += [(name, len(known)) for name, known in design.labels.items()]
    features, begin = [], 0
    for name, width in widths:
        column, family = of_name[name]
        columns = tuple(range(begin, begin + width))
        features.append(Feature(name, family, column.what, columns))
        begin += width
    return tuple(features)


def joined(tables: Mapping[str, FeatureTable]) -> FeatureTable:
    """Concatenate the columns of all families in one table."""
    first = next(iter(tables.values()))
    columns = tuple(column for table in tables.values() for column in table.columns)
    return FeatureTable(columns, first.rows, first.start)


def held_out(
    trained: Trained,
    data: QualityData,
    resources: Resources | None = None,
    resampling: Resampling | None = None,
) -> HeldOut:
    """Apply a model to data with known truth; refuse its own training data."""
    from adjudge.quality.models.numbers import NumberModel
    from adjudge.quality.models.ranks import RankModel
    from adjudge.quality.studies.held_out_numbers import held_out_numbers
    from adjudge.quality.studies.held_out_ranks import held_out_ranks
    from adjudge.quality.studies.held_out_words import held_out_words

    if fingerprint(trained.learned_task(data.table).table) == trained.card.learned_from:
        raise BadParameter(
            "the model was trained on these data and knows their quality; give others"
        )
    make: Any = held_out_words
    if isinstance(trained.model, NumberModel):
        make = held_out_numbers
    elif isinstance(trained.model, RankModel):
        make = held_out_ranks
    made: HeldOut = make(trained, data.table, resources, resampling or Resampling())
    return made
