"""Choosing parameters of taggers and learning, sentences whole and documents together.

What `choosing` does for rows that stand alone, for words that stand in sentences.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import lent_map, progress
from adjudge.quality.learners.cross_validation import FOLDS, Learned, Numbers, folds_of
from adjudge.quality.learners.learner import Learner
from adjudge.stats.units import Floats


@dataclass(frozen=True, eq=False)
class Words:
    """Features of words, a row each; sentence i has the rows from start[i] to start[i + 1]."""

    matrix: Any  # sparse
    start: Numbers

    def rows(self, sentences: Numbers) -> Numbers:
        """The rows of these sentences."""
        lengths = np.diff(self.start)[sentences]
        first = self.start[sentences] - (np.cumsum(lengths) - lengths)
        return np.repeat(first, lengths) + np.arange(lengths.sum())

    def take(self, sentences: Numbers) -> "Words":
        """The same of these sentences."""
        start = np.append(0, np.cumsum(np.diff(self.start)[sentences]))
        return Words(self.matrix[self.rows(sentences)], start)


def learn_tags(
    learner: Learner,
    words: Words,
    gold: Numbers,
    groups: Numbers,
    seed: int,
    *,
    score: Callable[[Floats, Numbers], float],
    workers: int = 1,
) -> Learned:
    """Choose the learner's parameters and learn from all words.

    `groups` are of sentences. The parameters are those with the highest `score` of the chances
    that words get from models that saw nothing of their document, and of their labels.
    """
    from sklearn.model_selection import ParameterGrid

    number = len(np.unique(groups))
    if number < 2:
        raise NotEnoughData(
            "all translations are of one document or source, so nothing can be tried on others"
        )
    if len(np.unique(gold)) < 2:
        raise NotEnoughData("all words have the same label, so there is nothing to tell apart")
    folds = folds_of(groups, min(FOLDS, number), seed)
    grid = list(ParameterGrid(dict(learner.grid))) if learner.grid else [{}]
    chosen: dict[str, Any] = grid[0]
    if len(grid) > 1:
        some = _sample(np.diff(words.start), groups, learner.rows_to_choose, seed)
        part, own = words.take(some), gold[words.rows(some)]
        scores = [
            score(_from_others(learner, each, seed, part, own, folds[some], workers), own)
            for each in progress([("Trying parameters", each) for each in grid])
        ]
        chosen = grid[int(np.argmax(scores))]
    outside = _from_others(learner, chosen, seed, words, gold, folds, workers)
    return Learned(fitted(learner, chosen, seed, words, gold), dict(chosen), outside)


def chances(learner: Learner, estimator: Any, words: Words) -> Floats:
    """The chance of every class that was learned, a row a word."""
    if learner.in_sentences:
        return np.asarray(estimator.predict_proba(words.matrix, words.start))
    return np.asarray(estimator.predict_proba(words.matrix))


def fitted(
    learner: Learner, parameters: Mapping[str, Any], seed: int, words: Words, gold: Numbers
) -> Any:
    """An estimator with these parameters that has learned from words."""
    estimator = learner.estimator(seed).set_params(**parameters)
    if learner.in_sentences:
        return estimator.fit(words.matrix, gold, words.start)
    return estimator.fit(words.matrix, gold)


def _from_others(
    learner: Learner,
    parameters: Mapping[str, Any],
    seed: int,
    words: Words,
    gold: Numbers,
    folds: Numbers,
    workers: int,
) -> Floats:
    """The chances of every word by a model of the other folds; 0 for classes that it never saw."""
    splits = [
        (np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in np.unique(folds)
    ]
    pieces = [(learner, parameters, seed, words, gold, *split) for split in splits]
    said = lent_map(_asked, pieces, workers, "Predicting unseen documents")
    result = np.zeros((len(gold), int(gold.max()) + 1))
    for (_, outside), (classes, chance) in zip(splits, said, strict=True):
        result[np.ix_(words.rows(outside), classes)] = chance
    return result


def _asked(
    learner: Learner,
    parameters: Mapping[str, Any],
    seed: int,
    words: Words,
    gold: Numbers,
    inside: Numbers,
    outside: Numbers,
) -> tuple[Numbers, Floats]:
    """Learn from the sentences inside, and say the classes and the chances of those outside."""
    learned, others = words.take(inside), words.take(outside)
    gold = gold[words.rows(inside)]
    classes = np.unique(gold)
    if len(classes) < 2:  # few words: none of the other class is in these folds
        return classes, np.ones((others.matrix.shape[0], len(classes)))
    estimator = fitted(learner, parameters, seed, learned, gold)
    return np.asarray(estimator.classes_, np.int64), chances(learner, estimator, others)


def _sample(lengths: Numbers, groups: Numbers, most: int, seed: int) -> Numbers:
    """All sentences, or whole groups at random until there are about `most` words."""
    if lengths.sum() <= most:
        return np.arange(len(lengths))
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    size = np.bincount(groups, lengths, minlength=len(order))[order]
    taken = order[: max(2, int(np.searchsorted(np.cumsum(size), most)))]
    return np.flatnonzero(np.isin(groups, taken))
