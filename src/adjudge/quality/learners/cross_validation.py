"""Parameters chosen by cross-validation that keeps documents together.

Choosing parameters by cross-validation that keeps documents together, and learning.

Rows of one group never stand on both sides of a split. Predictions from outside (`from_others`) are
those that a translation gets from a model that saw nothing of its document: what intervals are
made of.

Choosing parameters of taggers and learning, sentences whole and documents together.

What `choosing` does for rows that stand alone, for words that stand in sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import lent_map, progress
from adjudge.quality.learners.learner import Grid, Learner
from adjudge.stats.resampling import Floats

FOLDS = 5

Matrix = Any  # rows × features, dense or sparse
Numbers = NDArray[np.int64]
Splits = Sequence[tuple[Numbers, Numbers]]  # rows inside, and rows outside


@dataclass(frozen=True, eq=False)
class Learned:
    """An estimator that has learned, what was chosen, and predictions of its own data."""

    estimator: Any
    chosen: dict[str, Any]
    from_others: Floats  # of each row, by a model that saw nothing of its group


def learn(
    learner: Learner,
    features: Matrix,
    gold: Floats,
    groups: Numbers,
    seed: int,
    *,
    scoring: str,
    labels: int = 0,
    workers: int = 1,
) -> Learned:
    """Choose the learner's parameters, and learn from all rows (or as many as it can).

    So many of the last columns are `labels`, zeros and a one.
    """
    number = len(np.unique(groups))
    if number < 2:
        raise NotEnoughData(
            "all translations are of one document or source, so nothing can be tried on others"
        )
    folds = folds_of(groups, min(FOLDS, number), seed)
    estimator = learner.estimator(seed)
    if learner.labels:
        estimator = estimator.set_params(**{learner.labels: labels})
    chosen: dict[str, Any] = {}
    if learner.grid:
        some = _sample(groups, learner.rows_to_choose, seed)
        data = features[some], gold[some], _splits(folds[some])
        chosen = _best(estimator, learner.grid, *data, scoring, workers)
        estimator = estimator.set_params(**chosen)
    some = _sample(groups, learner.rows_to_learn, seed)
    rows, values, splits = features[some], gold[some], _splits(folds[some])

    def predicted(each: Any) -> Floats:
        """What an estimator says of every row that saw nothing of its group."""
        pieces = [(each, rows, values, *split) for split in splits]
        said = lent_map(_said, pieces, workers, "Predicting unseen documents")
        order = np.argsort(np.concatenate([outside for _, outside in splits]))
        return np.asarray(np.concatenate(said)[order])

    if learner.weighed:
        members = {name: predicted(each) for name, each in estimator.estimators}
        outside, weights = _weighed(np.column_stack([*members.values()]), values, splits)
        estimator = estimator.set_params(weights=weights)
        chosen = {name: round(part, 2) for name, part in zip(members, weights, strict=True)}
    else:
        outside = predicted(estimator)
    from_others = np.full((features.shape[0], *outside.shape[1:]), np.nan)
    from_others[some] = outside
    return Learned(estimator.fit(rows, values), chosen, from_others)


def _best(
    estimator: Any,
    grid: Grid,
    rows: Matrix,
    gold: Floats,
    splits: Splits,
    scoring: str,
    workers: int,
) -> dict[str, Any]:
    """The parameters with the highest mean score over the splits, the first of equals."""
    from sklearn.base import clone
    from sklearn.model_selection import ParameterGrid

    each = list(ParameterGrid(dict(grid)))
    made = [clone(estimator).set_params(**parameters) for parameters in each]
    pieces = [(one, rows, gold, *split, scoring) for one in made for split in splits]
    scores = np.reshape(
        lent_map(_score, pieces, workers, "Trying parameters"), (len(each), len(splits))
    )
    return dict(each[int(np.argmax(np.nan_to_num(scores.mean(axis=1), nan=-np.inf)))])


def _score(
    estimator: Any, rows: Matrix, gold: Floats, inside: Numbers, outside: Numbers, scoring: str
) -> float:
    """How well it tells the rows outside that has learned from those inside."""
    from sklearn.model_selection import cross_val_score

    return float(cross_val_score(estimator, rows, gold, scoring=scoring, cv=[(inside, outside)])[0])


def _said(estimator: Any, rows: Matrix, gold: Floats, inside: Numbers, outside: Numbers) -> Floats:
    """What it says of the rows outside that has learned from those inside."""
    from sklearn.base import clone

    return np.asarray(clone(estimator).fit(rows[inside], gold[inside]).predict(rows[outside]))


def _weighed(members: Floats, gold: Floats, splits: Splits) -> tuple[Floats, list[float]]:
    """The mean of members, for every row weighed as other folds say; and weights from all rows."""
    mean = np.empty(len(gold))
    for others, rows in splits:
        mean[rows] = members[rows] @ np.array(_weights(members[others], gold[others]))
    return mean, _weights(members, gold)


def _weights(members: Floats, gold: Floats) -> list[float]:
    """What each member of a mean counts: not negative, together 1, the least squared error.

    Stacked regressions (Breiman 1996), from predictions of rows that members have not seen.
    """
    from scipy.optimize import nnls

    together = 1e3 * np.sqrt(len(gold))  # how hard their sum is held to 1
    sums = np.vstack([members, np.full(members.shape[1], together)])
    weights, _ = nnls(sums, np.append(gold, together))
    return [float(part) for part in weights / weights.sum()]


def folds_of(groups: Numbers, folds: int, seed: int) -> Numbers:
    """The fold of every row: groups are dealt out at random, the largest first."""
    random = np.random.default_rng(seed)
    size = np.bincount(groups)
    order = np.lexsort((random.random(len(size)), -size))
    fold_of_group = np.empty(len(size), np.int64)
    filled = np.zeros(folds)
    for group in order:
        fold = int(np.argmin(filled))
        fold_of_group[group] = fold
        filled[fold] += size[group]
    return fold_of_group[groups]


def _splits(folds: Numbers) -> list[tuple[Numbers, Numbers]]:
    return [
        (np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in np.unique(folds)
    ]


def _sample(groups: Numbers, most: int, seed: int) -> Numbers:
    """All rows, or whole groups at random until there are `most` rows."""
    if len(groups) <= most:
        return np.arange(len(groups))
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    place = np.argsort(order)[groups]
    return np.sort(np.argsort(place, kind="stable")[:most])


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
        some = _sample_of_sentences(np.diff(words.start), groups, learner.rows_to_choose, seed)
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


def _sample_of_sentences(lengths: Numbers, groups: Numbers, most: int, seed: int) -> Numbers:
    """All sentences, or whole groups at random until there are about `most` words."""
    if lengths.sum() <= most:
        return np.arange(len(lengths))
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    size = np.bincount(groups, lengths, minlength=len(order))[order]
    taken = order[: max(2, int(np.searchsorted(np.cumsum(size), most)))]
    return np.flatnonzero(np.isin(groups, taken))
