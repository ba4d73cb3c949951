"""Parameters chosen by cross-validation that keeps documents together.

Parameter selection and learning by cross-validation with grouped documents.

Rows of one group are never on both sides of a split. Out-of-fold predictions (`from_others`) come
from a model that saw nothing of the document; prediction intervals are based on them.

Taggers are fitted with whole sentences and grouped documents.

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
    """Fitted estimator, its parameters, and out-of-fold predictions."""

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
        """Out-of-fold predictions of an estimator for every row."""
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
    """Parameters with the highest mean score over the splits, the first of equals."""
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
    """Score on held-out rows after fitting on the others."""
    from sklearn.model_selection import cross_val_score

    return float(cross_val_score(estimator, rows, gold, scoring=scoring, cv=[(inside, outside)])[0])


def _said(estimator: Any, rows: Matrix, gold: Floats, inside: Numbers, outside: Numbers) -> Floats:
    """Prediction of held-out rows after fitting on the others."""
    from sklearn.base import clone

    return np.asarray(clone(estimator).fit(rows[inside], gold[inside]).predict(rows[outside]))


def _weighed(members: Floats, gold: Floats, splits: Splits) -> tuple[Floats, list[float]]:
    """Weighted mean of members, with weights from other folds for every row; and weights from all
    rows.
    """
    mean = np.empty(len(gold))
    for others, rows in splits:
        mean[rows] = members[rows] @ np.array(_weights(members[others], gold[others]))
    return mean, _weights(members, gold)


def _weights(members: Floats, gold: Floats) -> list[float]:
    """Stacking weights of the members: not negative, sum 1, minimum squared error.

    Stacked regressions (Breiman 1996), from out-of-fold predictions.
    """
    from scipy.optimize import nnls

    together = 1e3 * np.sqrt(len(gold))  # how hard their sum is held to 1
    sums = np.vstack([members, np.full(members.shape[1], together)])
    weights, _ = nnls(sums, np.append(gold, together))
    return [float(part) for part in weights / weights.sum()]


def folds_of(groups: Numbers, folds: int, seed: int) -> Numbers:
    """Fold of every row: groups are dealt out at random, the largest first."""
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
    """All rows, or random whole groups up to `most` rows."""
    if len(groups) <= most:
        return np.arange(len(groups))
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    place = np.argsort(order)[groups]
    return np.sort(np.argsort(place, kind="stable")[:most])


@dataclass(frozen=True, eq=False)
class Words:
    """Word features, one row each; sentence i has the rows from start[i] to start[i + 1]."""

    matrix: Any  # sparse
    start: Numbers

    def rows(self, sentences: Numbers) -> Numbers:
        """Rows of these sentences."""
        lengths = np.diff(self.start)[sentences]
        first = self.start[sentences] - (np.cumsum(lengths) - lengths)
        return np.repeat(first, lengths) + np.arange(lengths.sum())

    def take(self, sentences: Numbers) -> "Words":
        """Restrict to these sentences."""
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
    """Select the parameters of a tagger and fit it to all words.

    `groups` are of sentences. The parameters maximise the `score` of out-of-fold probabilities
    against the labels.
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
    """Probability of every class in training, one row per word."""
    if learner.in_sentences:
        return np.asarray(estimator.predict_proba(words.matrix, words.start))
    return np.asarray(estimator.predict_proba(words.matrix))


def fitted(
    learner: Learner, parameters: Mapping[str, Any], seed: int, words: Words, gold: Numbers
) -> Any:
    """Fit an estimator with these parameters to words."""
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
    """Out-of-fold probabilities of every word; 0 for classes absent from training."""
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
    """Fit on some sentences, and return classes and probabilities for held-out ones."""
    learned, others = words.take(inside), words.take(outside)
    gold = gold[words.rows(inside)]
    classes = np.unique(gold)
    if len(classes) < 2:  # few words: none of the other class is in these folds
        return classes, np.ones((others.matrix.shape[0], len(classes)))
    estimator = fitted(learner, parameters, seed, learned, gold)
    return np.asarray(estimator.classes_, np.int64), chances(learner, estimator, others)


def _sample_of_sentences(lengths: Numbers, groups: Numbers, most: int, seed: int) -> Numbers:
    """All sentences, or random whole groups up to about `most` words."""
    if lengths.sum() <= most:
        return np.arange(len(lengths))
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    size = np.bincount(groups, lengths, minlength=len(order))[order]
    taken = order[: max(2, int(np.searchsorted(np.cumsum(size), most)))]
    return np.flatnonzero(np.isin(groups, taken))
