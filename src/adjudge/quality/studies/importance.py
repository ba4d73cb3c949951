"""Permutation importance of features.

The values of a feature are permuted between translations, which removes its information and keeps
its distribution (Breiman 2001); the importance is the loss in the measure. Whole families are
permuted together, too, since each of two redundant features looks useless by itself. Negative
losses are due to chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from adjudge.core.parallel import Engine
from adjudge.quality.studies.held_out import Estimate, Feature, HeldOut
from adjudge.stats.resampling import Floats, generator

REPEATS = 5
FEWEST = 20  # features that are shuffled by themselves, however long it takes


@dataclass(frozen=True)
class Importance:
    """Loss without a feature, or a family of features."""

    name: str
    family: str
    what: str
    features: int
    loss: Estimate  # in the units of the measure; positive: it is needed


def importances(held_out: HeldOut, seed: int, engine: Engine | None = None) -> list[Importance]:
    """Compute importances of families, the most important first, and then of single features.

    For many features and translations, only features of the most important families are permuted
    singly, as far as `affordable` rows allow.
    """
    spread = engine or Engine()
    before = held_out.statistics(held_out.predicted(held_out.model.estimator, held_out.matrix))
    names = list(dict.fromkeys(feature.family for feature in held_out.features))
    shuffles = held_out.affordable // held_out.matrix.shape[0]
    repeats = int(np.clip(shuffles // (len(names) + len(held_out.features)), 1, REPEATS))
    families = [
        (name, name, "all of the family", [f for f in held_out.features if f.family == name])
        for name in names
    ]
    whole = _sorted(_found(held_out, before, families, (seed, repeats), spread))
    place = {each.name: at for at, each in enumerate(whole)}
    most = max(FEWEST, shuffles - len(names))
    chosen = sorted(held_out.features, key=lambda feature: place[feature.family])[:most]
    single = [(each.name, each.family, each.what, [each]) for each in chosen]
    return [*whole, *_sorted(_found(held_out, before, single, (seed + 1, repeats), spread))]


def _found(
    held_out: HeldOut,
    before: Floats,
    pieces: Sequence[tuple[str, str, str, Sequence[Feature]]],
    drawn: tuple[int, int],
    engine: Engine,
) -> list[Importance]:
    """Loss without each piece: its name, family, description, and features."""
    asked = [
        (held_out, tuple(c for f in features for c in f.columns), (*drawn, place))
        for place, (*_, features) in enumerate(pieces)
    ]
    after = engine.map(_shuffled, asked, "Features", len(asked))
    return [
        Importance(name, family, what, len(features), _loss(held_out, before, statistics))
        for (name, family, what, features), statistics in zip(pieces, after, strict=True)
    ]


def _sorted(found: Sequence[Importance]) -> list[Importance]:
    return sorted(found, key=lambda each: -each.loss.value)


def _shuffled(held_out: HeldOut, columns: tuple[int, ...], drawn: tuple[int, int, int]) -> Floats:
    """Statistics of the measure with these columns permuted, averaged over repeats."""
    seed, repeats, place = drawn
    random = generator(seed, place)
    estimator = held_out.model.estimator
    total: Any = 0.0
    for _ in range(repeats):
        matrix = _with_shuffled(held_out.matrix, columns, random)
        total = total + held_out.statistics(held_out.predicted(estimator, matrix))
    return np.asarray(total / repeats)


def _with_shuffled(matrix: Any, columns: tuple[int, ...], random: np.random.Generator) -> Any:
    order = random.permutation(matrix.shape[0])
    if not sparse.issparse(matrix):
        changed = matrix.copy()
        changed[:, columns] = matrix[order][:, columns]
        return changed
    inside = np.zeros(matrix.shape[1])
    inside[list(columns)] = 1.0
    own = matrix @ sparse.diags_array(inside)
    return sparse.csr_array(matrix - own + own[order])


def _loss(held_out: HeldOut, before: Floats, after: Floats) -> Estimate:
    sign = -1 if held_out.measure.higher_is_better else 1
    half = before.shape[1]

    def lost(sums: Floats) -> Floats:
        return sign * (held_out.value(sums[..., half:]) - held_out.value(sums[..., :half]))

    return held_out.estimates(np.column_stack([before, after]), lost)[0]
