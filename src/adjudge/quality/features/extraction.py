"""Extraction of feature tables from translations.

    prepared = prepare(table, resources)
    features = sentence_features(prepared)               # without what is learned
    features = from_other_documents(prepared, gold, groups, families)  # with it
    fitted, features = fit(prepared, gold, groups)       # the same; then, for other translations:
    features = fitted.features(others)

Rows stay in their order. A table has numbers (`names`, `numbers`) and labels (`labels`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.core.parallel import progress
from adjudge.core.registry import Registry
from adjudge.quality.features.column import Column, FeatureTable, Floats, Numbers
from adjudge.quality.features.family import (
    FAMILIES,
    WORD_FAMILIES,
    LearnedFamily,
    SentenceFamily,
    State,
)
from adjudge.quality.features.inputs import Prepared

F = TypeVar("F", bound=SentenceFamily)

FOLDS = 5  # in which learned features of training translations are learned from others


@dataclass(frozen=True, eq=False)
class Fitted:
    """Families, with the state of the learned ones."""

    families: tuple[SentenceFamily, ...]
    states: Mapping[str, State]

    def features(self, prepared: Prepared) -> FeatureTable:
        """Extract the features of other translations, in the columns of the training data."""
        _refuse_lacking(self.families, prepared)
        return _table(
            [(family.name, _computed(family, prepared, self.states)) for family in self.families],
            len(prepared),
        )


def sentence_features(
    prepared: Prepared, families: Sequence[str | SentenceFamily] = ()
) -> FeatureTable:
    """Extract features of whole translations; by default of every family without further needs."""
    chosen = chosen_families(FAMILIES, prepared, families, learning=False)
    return Fitted(chosen, {}).features(prepared)


def word_features(
    prepared: Prepared, families: Sequence[str | SentenceFamily] = ()
) -> FeatureTable:
    """Extract features of the tokens of all translations; by default of every available family."""
    if prepared.tokenize != "none":
        raise BadParameter(
            'features of words are those of `tokenize="none"`: tokens between blanks'
        )
    chosen = chosen_families(WORD_FAMILIES, prepared, families, learning=False)
    _refuse_lacking(chosen, prepared)
    computed = [(each.name, each.columns(prepared)) for each in _shown(chosen)]
    start = prepared.target_start
    return _table(computed, int(start[-1]), start)


def fit(
    prepared: Prepared, gold: Floats, groups: Numbers, families: Sequence[str | SentenceFamily] = ()
) -> tuple[Fitted, FeatureTable]:
    """Fit the learned families, and return the features of the training translations."""
    chosen = chosen_families(FAMILIES, prepared, families, learning=True)
    features = from_other_documents(prepared, gold, groups, chosen)
    states = {
        family.name: family.learn(prepared, gold)
        for family in chosen
        if isinstance(family, LearnedFamily)
    }
    return Fitted(chosen, states), features


def from_other_documents(
    prepared: Prepared, gold: Floats, groups: Numbers, families: Sequence[str | SentenceFamily] = ()
) -> FeatureTable:
    """Cross-fitted features of the training translations.

    A learned family computes the features of a translation from other `groups`: otherwise they
    would reveal its own gold value.
    """
    chosen = chosen_families(FAMILIES, prepared, families, learning=True)
    _refuse_lacking(chosen, prepared, learning=True)
    learning = [family.name for family in chosen if isinstance(family, LearnedFamily)]
    fold = groups % FOLDS
    if learning and len(np.unique(fold)) < 2:
        raise NotEnoughData(
            f"{learning[0]} needs translations of several documents or sources; leave it out"
        )
    computed: list[tuple[str, Sequence[Column]]] = []
    for family in _shown(chosen):
        if isinstance(family, LearnedFamily):
            computed.append((family.name, family.columns_from_others(prepared, gold, fold)))
        else:
            computed.append((family.name, family.columns(prepared)))
    return _table(computed, len(prepared))


def chosen_families(
    registry: Registry[F],
    prepared: Prepared,
    families: Sequence[str | SentenceFamily],
    learning: bool,
) -> tuple[F, ...]:
    """Select the named families, or those whose needs are met."""
    if families:
        chosen = tuple(dict.fromkeys(registry.named(family) for family in families))
    else:
        chosen = tuple(
            family
            for family in registry.values()
            if family.by_default
            and (
                not isinstance(family, LearnedFamily)
                or (learning and len(prepared) >= family.least)
            )
            and not any(map(prepared.lacks, _needs(family, learning)))
        )
    untrained = [family.name for family in chosen if isinstance(family, LearnedFamily)]
    if untrained and not learning:
        raise BadParameter(
            f"{untrained[0]} is learned from translations whose quality is known as a number; "
            "leave it out here"
        )
    return chosen


def _needs(family: SentenceFamily, learning: bool) -> tuple[str, ...]:
    """Inputs that a family needs, with additional ones for learning."""
    more = family.learns_from if learning and isinstance(family, LearnedFamily) else ()
    return (*family.needs, *more)


def _refuse_lacking(
    families: Sequence[SentenceFamily], prepared: Prepared, learning: bool = False
) -> None:
    for family in families:
        for need in _needs(family, learning):
            lacking = prepared.lacks(need)
            if lacking is not None:
                raise NotEnoughData(f"{family.name} needs {lacking}")


def _shown(families: Sequence[F]) -> list[F]:
    """Families with a progress bar."""
    return list(progress([(family.name, family) for family in families]))


def _computed(
    family: SentenceFamily, prepared: Prepared, states: Mapping[str, State]
) -> Sequence[Column]:
    if isinstance(family, LearnedFamily):
        return family.learned_columns(prepared, states[family.name])
    return family.columns(prepared)


def _table(
    computed: Sequence[tuple[str, Sequence[Column]]], rows: int, start: Numbers | None = None
) -> FeatureTable:
    owner: dict[str, str] = {}
    for family, columns in computed:
        for column in columns:
            if column.name in owner:
                raise BadParameter(
                    f"{owner[column.name]} and {family} both have {column.name}; "
                    "leave one of them out"
                )
            owner[column.name] = family
    return FeatureTable(tuple(each for _, columns in computed for each in columns), rows, start)
