"""Features for translations of known quality, with learned families on request.

A model trained on these translations has the same values (`extraction.fit`).
"""

from collections.abc import Sequence

import numpy as np

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.quality.features.column import FeatureTable, Floats
from adjudge.quality.features.extraction import from_other_documents, sentence_features
from adjudge.quality.features.family import FAMILIES, LearnedFamily
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.quantities import QUANTITIES
from adjudge.quality.tasks.scoring import chosen_number, predictable, scoring_task
from adjudge.quality.translations import document_groups


def known_or_plain_features(
    prepared: Prepared, families: Sequence[str] = (), predict: str | None = None
) -> FeatureTable:
    """Extract features of the named families, or of all that are not learned.

    `predict` names the number from which families learn, if the data have several.
    """
    named = [FAMILIES.named(family) for family in families]
    learning = [family for family in named if isinstance(family, LearnedFamily)]
    by_number = [family.name for family in learning if family.by_number]
    if predict is not None and not by_number:
        raise BadParameter(
            "`predict` says which number a family learns from, and none is named that does; "
            'name `feature="style"`, or leave it out'
        )
    if not learning:
        return sentence_features(prepared, named)
    gold = _gold(prepared, by_number[0], predict) if by_number else np.zeros(len(prepared))
    return from_other_documents(prepared, gold, document_groups(prepared.table), named)


def _gold(prepared: Prepared, family: str, predict: str | None) -> Floats:
    """Gold number of every translation."""
    table = prepared.table
    if predict is None and not predictable(table):
        raise NotEnoughData(
            f"{family} is learned from translations whose quality is known; give data with hter, "
            "effort, …, or a `model` that was trained with it"
        )
    name = chosen_number(table, predict)
    # In which direction it is better makes no difference to features.
    task = scoring_task(table, name, None if name in QUANTITIES else True)
    if len(task) < len(table):
        raise NotEnoughData(
            f"{family} is learned from {name}, which {len(table) - len(task):,} of {len(table):,} "
            "translations lack; leave them out, or give a `model` that was trained with it"
        )
    return task.gold
