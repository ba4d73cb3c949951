"""Families of features: description, needs, and computation of columns.

    FAMILY = Family("counts", "lengths, ratios, …", "Specia et al. 2013", columns)

`columns` maps a `Prepared` to a list of columns. A family that learns from translations of known
quality is a `LearnedFamily`: `learn` returns a state of plain arrays, from which `learned_columns`
computes the columns of other translations. `columns_from_others` is for the translations learned
from: each gets what was learned from those of the other folds, for else it would know its own
value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.core.registry import Registry
from adjudge.quality.features.column import Column, Floats, Numbers
from adjudge.quality.features.inputs import Prepared

State = Mapping[str, NDArray[np.float64] | tuple[str, ...]]


def are_ngrams(
    state: State,
    lengths: Mapping[str, int],
    values: Sequence[str],
    optional: Sequence[str] = (),
    alone: Mapping[str, int] | None = None,
) -> bool:
    """Validate a state of n-grams by text name, up to their `lengths`, with `values` for each.

    For every text there are a vocabulary, keys of n-grams of two words and more, and as many
    values; `alone` maps independent arrays to their lengths.
    """
    there = {name for name in lengths if f"{name}_vocabulary" in state or name not in optional}
    sizes = dict(alone or {})
    for name in there:
        vocabulary = state.get(f"{name}_vocabulary")
        if not isinstance(vocabulary, tuple):
            return False
        sizes[f"{name}_vocabulary"] = size = len(vocabulary)
        for length in range(1, lengths[name] + 1):
            if length > 1:
                size = len(state.get(f"{name}_key_{length}", ()))
                sizes[f"{name}_key_{length}"] = size
            sizes |= {f"{name}_{value}_{length}": size for value in values}
    return state.keys() == sizes.keys() and all(
        len(state[name]) == size and isinstance(state[name], tuple) == name.endswith("_vocabulary")
        for name, size in sizes.items()
    )


@dataclass(frozen=True)
class AnyFamily:
    """Common base of families."""

    name: str
    summary: str
    paper: str


@dataclass(frozen=True)
class Family(AnyFamily):
    """Features that are computed together."""

    columns: Callable[[Prepared], Sequence[Column]] = field(repr=False)
    # What of the data or the resources must be there (`Prepared.lacks` says what there is).
    needs: tuple[str, ...] = ()
    by_default: bool = True  # computed where no family is named?


@dataclass(frozen=True)
class LearnedFamily(AnyFamily):
    """Features learned from translations of known quality."""

    learn: Callable[[Prepared, Floats], State] = field(repr=False)
    learned_columns: Callable[[Prepared, State], Sequence[Column]] = field(repr=False)
    columns_from_others: Callable[[Prepared, Floats, Numbers], Sequence[Column]] = field(repr=False)
    needs: tuple[str, ...] = ()
    learns_from: tuple[str, ...] = ()  # what must be there of the training translations only
    by_number: bool = True  # learned from the number that is predicted, not from `learns_from` only
    by_default: bool = True
    # From so many training translations on: of 1,832, words of one year say little of the next.
    least: int = 5_000
    # Do the parts of a state fit together? Asked of one that was read from a file.
    is_sound: Callable[[State], bool] = field(default=lambda state: True, repr=False)


SentenceFamily = Family | LearnedFamily

FAMILIES: Registry[SentenceFamily] = Registry(
    "adjudge.quality.features.families",
    "FAMILY",
    AnyFamily,  # type: ignore[arg-type]  # either of its kinds
    "feature",
)
WORD_FAMILIES = Registry("adjudge.quality.features.word_families", "FAMILY", Family, "word_feature")
