"""Learning curve of a model, extrapolated to more data.

Models are fitted to parts of the training data, each half as large as the one before, with the
parameters of the whole. Their errors on held-out translations are fitted by a power law,

    error(n) = a + b · n^(−c),    a, b ≥ 0,    1/32 ≤ c ≤ 2,

which learning curves follow (Cortes et al. 1994; Hestness et al. 2017); it is continued to two and
four times as many translations. The error of what is better where it is higher is 1 less the
measure.

Replicates draw held-out units, and among the parts of each size. Single models scatter about the
curve: those of the three largest sizes of parts, n of N translations, have a variance whose mean,
multiplied by n / N each, is taken for that of the whole, v. What is expected of one model with k
times as many translations varies by v / k more, and its gain over the whole by v + v / k, for the
whole scatters, too; both by Student's distribution, since v is known from a few models only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.quality.studies.held_out import Estimate, HeldOut, Rows, Training
from adjudge.stats.replicates import each_replicate, sums_by_row
from adjudge.stats.resampling import Floats, drawing, generator
from adjudge.stats.tests import interval

PARTS = 3  # of each size
SCATTERED = 3  # sizes of parts from which the scatter of models is known
SMALLEST = 25  # translations
MOST_SIZES = 6
TIMES = (2, 4)  # as many translations as there are
EXPONENTS = np.geomspace(1 / 32, 2, 49)

Law = tuple[Floats, Floats, Floats]  # a, b and c of every row


@dataclass(frozen=True)
class Point:
    """Measure of models trained on this many translations."""

    translations: int
    parts: int  # models that it is the mean of; 0: expected from the law
    measure: Estimate
    gain: Estimate  # how much better than the whole; where expected: than the law says of it


@dataclass(frozen=True)
class LearningCurve:
    """Points from the smallest part to the whole, and extrapolated ones."""

    measured: tuple[Point, ...]
    expected: tuple[Point, ...]
    law: tuple[float, float, float]  # a, b, c of the error

    @property
    def whole(self) -> Point:
        """Point of the model itself."""
        return self.measured[-1]


def learning_curve(
    held_out: HeldOut, training: Training, seed: int, engine: Engine | None = None
) -> LearningCurve:
    """Fit models to parts, measure them on held-out translations, and extrapolate the curve."""
    parts = _parts(training, seed)
    asked = [(held_out, training, part) for _, part in parts]
    found = (engine or Engine()).map(_learned, asked, "Learning curve", len(asked))
    whole = held_out.predicted(held_out.model.estimator, held_out.matrix)
    statistics = [*found, held_out.statistics(whole)]
    sizes = np.array([*(size for size, _ in parts), int(training.translations.sum())])
    return _curve(held_out, sizes, np.stack(statistics), seed)


def _parts(training: Training, seed: int) -> list[tuple[int, Rows]]:
    """Random groups cut into parts of a half, a quarter, …, with their numbers of translations."""
    random = np.random.default_rng(seed)
    number = training.translations.sum()
    parts = []
    for halved in range(MOST_SIZES, 0, -1):
        if number / 2**halved < SMALLEST:
            continue
        order = random.permutation(len(training.translations))
        part = np.floor(np.cumsum(training.translations[order]) / (number / 2**halved + 1e-9))
        for place in range(min(PARTS, 2**halved)):
            groups = order[part == place]
            if len(groups) > 1:
                parts.append((round(number / 2**halved), groups))
    if len({size for size, _ in parts}) < 2:
        raise NotEnoughData(
            "the training data are too few, or of too few documents, to learn from parts of them"
        )
    return parts


def _learned(held_out: HeldOut, training: Training, groups: Rows) -> Floats:
    return held_out.statistics(held_out.predicted(training.fit(groups), held_out.matrix))


def _curve(held_out: HeldOut, sizes: Any, statistics: Floats, seed: int) -> LearningCurve:
    """Build points and power law from `statistics` (models × observations × statistics)."""
    different, place = np.unique(sizes, return_inverse=True)
    models = np.bincount(place)
    turned = held_out.measure.higher_is_better
    values = held_out.value(statistics.sum(axis=1))[None, :, 0]
    own = _means(1 - values if turned else values, place)
    law = power_law(different.astype(np.float64), own)
    found = _with_expected(different, own, law)
    drawn = _replicates(held_out, statistics)
    low = high = np.full(found.shape[1], np.nan)
    if drawn is not None and held_out.units is not None:
        random = generator(seed, 0)
        mixed = _mixed(1 - drawn if turned else drawn, place, random)
        again = _with_expected(different, mixed, power_law(different.astype(np.float64), mixed))
        again += single_models_off(values[0], different, place, again.shape, random)
        number, level = held_out.units.effective_number, held_out.resampling.level
        low, high = interval(found[0], again, number, level)
    points = [Estimate(*map(float, each)) for each in zip(found[0], low, high, strict=True)]
    number = len(points) // 2
    measures = [_measure(point, turned) for point in points[:number]]
    every = [*different.tolist(), *(times * different[-1] for times in TIMES)]
    made = [
        Point(int(size), int(parts), measure, gain)
        for size, parts, measure, gain in zip(
            every, [*models, *(0 for _ in TIMES)], measures, points[number:], strict=True
        )
    ]
    parameters = [float(each[0]) for each in law]
    return LearningCurve(
        tuple(made[: len(different)]),
        tuple(made[len(different) :]),
        (parameters[0], parameters[1], parameters[2]),
    )


def _with_expected(sizes: Any, errors: Floats, law: Law) -> Floats:
    """Errors of all sizes, those expected with more data, and their reduction from the whole."""
    whole, *ahead = (_at(law, float(times * sizes[-1])) for times in (1, *TIMES))
    gains = [*(errors[:, -1:] - errors).T, *(whole - each for each in ahead)]
    return np.column_stack([errors, *ahead, *gains])


def _measure(error: Estimate, turned: bool) -> Estimate:
    """Convert an error to its measure."""
    return Estimate(1 - error.value, 1 - error.high, 1 - error.low) if turned else error


def _means(values: Floats, place: Rows) -> Floats:
    """Mean over the models of every size (…, models) → (…, sizes)."""
    sizes = range(int(place.max()) + 1)
    return np.stack([values[:, place == at].mean(axis=1) for at in sizes], axis=1)


def _mixed(values: Floats, place: Rows, random: np.random.Generator) -> Floats:
    """Mean over the models of every size, resampled in every replicate."""
    columns = []
    for at in range(int(place.max()) + 1):
        own = values[:, place == at]
        choice = random.integers(0, own.shape[1], own.shape)
        columns.append(np.take_along_axis(own, choice, axis=1).mean(axis=1))
    return np.stack(columns, axis=1)


def single_models_off(
    values: Floats, sizes: Any, place: Rows, shape: tuple[int, ...], random: np.random.Generator
) -> Floats:
    """Deviations of single models from their expectation, in the extrapolated columns."""
    squares, degrees = 0.0, 0
    for at in range(len(sizes) - 1)[-SCATTERED:]:
        own = values[place == at]
        squares += float(((own - own.mean()) ** 2).sum() * sizes[at] / sizes[-1])
        degrees += len(own) - 1
    off = np.zeros(shape)
    variance = squares / degrees if degrees else np.nan
    for column, times in enumerate(TIMES, len(sizes)):
        drawn = random.standard_t(max(degrees, 1), (2, shape[0]))
        off[:, column] = np.sqrt(variance / times) * drawn[0]
        off[:, column + shape[1] // 2] = np.sqrt(variance * (1 + 1 / times)) * drawn[1]
    return off


def _replicates(held_out: HeldOut, statistics: Floats) -> Floats | None:
    """Measure of every model in every replicate over held-out units."""
    if held_out.units is None:
        return None
    drawn = drawing((held_out.units,), held_out.resampling.seed)
    sums = [sums_by_row(own, drawn.row, drawn.rows) for own in statistics]

    def values(weights: Floats) -> Floats:
        return np.stack([held_out.value(weights @ own)[..., 0] for own in sums], axis=1)

    return each_replicate(drawn, held_out.resampling.replicates, values)


def power_law(sizes: Floats, errors: Floats) -> Law:
    """Least-squares fit of a, b and c to every row of errors (rows × sizes)."""
    best = np.full(len(errors), np.inf)
    law: Law = (np.zeros(len(errors)), np.zeros(len(errors)), np.ones(len(errors)))
    for exponent in EXPONENTS:
        x = sizes**-exponent
        centred = x - x.mean()
        slope = np.maximum((errors @ centred) / (centred @ centred), 0)
        level = errors.mean(axis=1) - slope * x.mean()
        through_zero = level < 0
        slope = np.where(through_zero, np.maximum(errors @ x / (x @ x), 0), slope)
        level = np.where(through_zero, 0, level)
        off = ((errors - level[:, None] - slope[:, None] * x) ** 2).sum(axis=1)
        better = off < best
        best = np.where(better, off, best)
        own = (level, slope, np.full(len(errors), exponent))
        law = tuple(np.where(better, new, old) for new, old in zip(own, law, strict=True))  # type: ignore[assignment]
    return law


def _at(law: Law, size: float) -> Floats:
    level, slope, exponent = law
    return np.asarray(level + slope * size**-exponent)
