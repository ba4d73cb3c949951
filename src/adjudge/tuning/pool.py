"""Pool of all candidates of all lists, without duplicates, as flat arrays.

The candidates of a sentence are contiguous, from `starts[s]` to `starts[s + 1]`. Memory is linear
in candidates. Candidates of a sentence with equal features and equal statistics are merged,
whatever their words. Lists are merged one after the other as in Moses: the sentence's last
candidate replaces a duplicate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from adjudge.core.errors import BadParameter, InputError
from adjudge.tuning.candidates import Candidates, Floats, Numbers
from adjudge.tuning.kernels import best_candidates, sorted_by_slope
from adjudge.tuning.objective import Objective


@dataclass(frozen=True, eq=False)
class Pool:
    """Candidates with features and statistics."""

    names: tuple[str, ...]  # of features
    starts: Numbers  # of every sentence among the candidates, and the end of the last
    features: Floats  # candidates × features
    statistics: Floats  # candidates × statistics, of which the objective knows the columns
    objective: Objective
    texts: tuple[str, ...] = ()  # where they are known

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    def __len__(self) -> int:
        return len(self.features)

    def chosen(self, weights: Floats) -> Numbers:
        """Candidate of every sentence that these weights choose, the first of equals."""
        return best_candidates(self.features @ weights, self.starts)

    def score(self, weights: Floats) -> float:
        """Objective of the candidates that these weights choose."""
        return self.score_of(self.chosen(weights))

    def score_of(self, candidates: Numbers) -> float:
        """Objective of these candidates, one for every sentence."""
        return self.objective.value(self.statistics[candidates].sum(axis=0))

    @cached_property
    def columns(self) -> Floats:
        """Features as rows (features × candidates): the slopes along the axes."""
        return np.ascontiguousarray(self.features.T)

    @cached_property
    def orderings(self) -> Numbers:
        """Candidates of every sentence sorted by each feature (features × candidates)."""
        return np.stack([sorted_by_slope(column, self.starts) for column in self.columns])

    def part(self, sentences: Numbers) -> "Pool":
        """Restrict to these sentences."""
        sizes = np.diff(self.starts)[sentences]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        kept = np.repeat(self.starts[sentences] - starts[:-1], sizes) + np.arange(starts[-1])
        return replace(
            self,
            starts=starts,
            features=self.features[kept],
            statistics=self.statistics[kept],
            texts=tuple(self.texts[place] for place in kept) if self.texts else (),
        )


def pooled(lists: Sequence[Candidates], statistics: Sequence[Floats], objective: Objective) -> Pool:
    """Pool all lists with their candidates' statistics."""
    first = lists[0]
    for other in lists[1:]:
        if other.names != first.names:
            raise InputError(_other_names(other, first), file=other.file)
        if other.sentences != first.sentences:
            raise InputError(
                f"has {other.sentences:,} sentences, {first.file} has {first.sentences:,}; lists "
                "of one pool have the same",
                file=other.file,
            )
    features = np.concatenate([each.features for each in lists])
    counts = np.concatenate(list(statistics))
    kept = _merged([each.starts for each in lists], np.column_stack([features, counts]))
    sizes = [len(own) for own in kept]
    order = np.concatenate(kept)
    texts = [text for each in lists for text in each.texts]
    return Pool(
        first.names,
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        features[order],
        np.ascontiguousarray(counts[order]),
        objective,
        tuple(texts[place] for place in order) if any(texts) else (),
    )


def _merged(starts: Sequence[Numbers], rows: Floats) -> list[Numbers]:
    """Rows to keep of every sentence, in order."""
    offsets = np.concatenate([[0], np.cumsum([own[-1] for own in starts])])
    keys = [row.tobytes() for row in rows + 0.0]
    kept = []
    for sentence in range(len(starts[0]) - 1):
        own: list[int] = []
        for offset, of_list in zip(offsets, starts, strict=False):
            first, end = of_list[sentence : sentence + 2]
            own = _without_duplicates([*own, *range(offset + first, offset + end)], keys)
        kept.append(np.array(own, np.int64))
    return kept


def _without_duplicates(places: list[int], keys: list[bytes]) -> list[int]:
    """Remove duplicates, each time replacing one by the last candidate."""
    seen: set[bytes] = set()
    k = 0
    while k < len(places):
        if keys[places[k]] in seen:
            last = places.pop()
            if k < len(places):
                places[k] = last
        else:
            seen.add(keys[places[k]])
            k += 1
    return places


def _other_names(other: Candidates, first: Candidates) -> str:
    lacking = [name for name in first.names if name not in other.names]
    more = [name for name in other.names if name not in first.names]
    said = f"lacks feature {lacking[0]}" if lacking else f"has feature {more[0]} besides"
    if not lacking and not more:
        said = "has features in another order"
    return f"{said}, unlike {first.file}; lists of one pool have the same features"


def refuse_useless(pool: Pool) -> None:
    """Refuse a pool without any choice."""
    if (np.diff(pool.starts) == 1).all():
        raise BadParameter(
            "every sentence has one candidate only, equal ones being one; nothing can be chosen"
        )
    first = np.repeat(pool.starts[:-1], np.diff(pool.starts))
    if np.array_equal(pool.features, pool.features[first]):
        raise BadParameter(
            "the candidates of every sentence have equal features; no weights can choose"
        )
    if np.array_equal(pool.statistics, pool.statistics[first]):
        raise BadParameter(
            f"the candidates of every sentence are equally good by {pool.objective}; there is "
            "nothing to tune towards"
        )
