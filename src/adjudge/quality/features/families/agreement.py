"""Agreement between systems: every candidate against the others of its source (WMT13 Task 1.2).

Each other candidate serves as a reference in turn, so that any metric applies. The share of the
others with an n-gram is its posterior probability (LIMSI, WMT13 §6.7), averaged over the n-grams of
a candidate. A candidate without others has 0 in every column.

The others are those of the same ranking; and, in columns of their own, all different translations
that the data have of the same source, for a source may be ranked several times with other systems.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl

from adjudge.metrics.metric import Metric
from adjudge.quality.features.column import Column, Floats, Numbers, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, share

_LONGEST = 4  # words in an n-gram


def _columns(prepared: Prepared) -> list[Column]:
    candidate, other = _pairs(prepared.group)
    target = prepared.target
    equal = np.array([target[a] == target[b] for a, b in zip(candidate, other, strict=True)])
    others = np.bincount(candidate, minlength=len(prepared))
    same = share(np.bincount(candidate, equal, minlength=len(prepared)), others)
    return [
        number("same_as_others", "share of the other candidates that are the same", same),
        *_agreement(prepared, prepared.group, "others", "other candidates"),
        *_with_all_of_source(prepared),
    ]


def _with_all_of_source(prepared: Prepared) -> list[Column]:
    """Agreement among all distinct translations of a source."""
    texts = pl.DataFrame({"source": prepared.source, "target": prepared.target})
    code = texts.select(
        text=pl.struct("source", "target").rank("dense"), source=pl.col("source").rank("dense")
    ).to_numpy()
    _, first, place = np.unique(code[:, 0], return_index=True, return_inverse=True)
    group = code[first, 1].astype(np.int64) - 1
    different = Prepared(
        prepared.table[first], prepared.resources, prepared.tokenize, metrics=prepared.metrics
    )
    columns = _agreement(different, group, "of_source", "other translations of the source")
    return [Column(each.name, each.what, each.values.gather(place)) for each in columns]


def _agreement(prepared: Prepared, group: Numbers, called: str, what: str) -> list[Column]:
    """Agreement columns of candidates within their group, prefixed by `called`."""
    pairs = _pairs(group)
    columns = _posteriors(prepared, group, called, what)
    for metric in prepared.metrics:
        columns += _by_metric(metric, prepared.target, group, pairs, called, what)
    return columns


def _by_metric(
    metric: Metric,
    target: Sequence[str],
    group: Numbers,
    pairs: tuple[Numbers, Numbers],
    called: str,
    what: str,
) -> list[Column]:
    """Mean, maximum and minimum of a metric against the others."""
    candidate, other = pairs
    rows = len(group)
    others = np.bincount(candidate, minlength=rows)
    hypotheses = tuple(target[row] for row in candidate)
    references = tuple(target[row] for row in other)
    scores = np.zeros(0)
    if len(candidate):
        scores = metric.segment_values(metric.statistics([references])(hypotheses))
    mean = share(np.bincount(candidate, scores, minlength=rows), others)
    high, low = np.full(rows, -np.inf), np.full(rows, np.inf)
    np.maximum.at(high, candidate, scores)
    np.minimum.at(low, candidate, scores)
    above = mean - share(np.bincount(group, mean), np.bincount(group))[group]
    title = metric.title
    values: dict[str, tuple[str, Floats]] = {
        "mean": (f"mean {title} against {what}", mean),
        "high": (f"highest {title} against {what}", np.where(others > 0, high, 0.0)),
        "low": (f"lowest {title} against {what}", np.where(others > 0, low, 0.0)),
        "above": (f"mean {title} against {what}, less the mean of all of them", above),
    }
    return [
        number(f"{metric.short}_{called}_{name}", told, column)
        for name, (told, column) in values.items()
    ]


def _posteriors(prepared: Prepared, group: Numbers, called: str, what: str) -> list[Column]:
    """Mean share of others that contain an n-gram of a candidate, for every length."""
    columns = []
    sizes = np.bincount(group)[group]
    for length in range(1, _LONGEST + 1):
        ngrams = [
            set(zip(*(words[first:] for first in range(length)), strict=False))
            for words in prepared.target_words
        ]
        holders = Counter(
            (number_of, ngram)
            for number_of, own in zip(group.tolist(), ngrams, strict=True)
            for ngram in own
        )
        shared = [
            sum(holders[number_of, ngram] - 1 for ngram in own)
            for number_of, own in zip(group.tolist(), ngrams, strict=True)
        ]
        possible = np.array(list(map(len, ngrams))) * (sizes - 1)
        told = f"share of {what} that have an n-gram of {length} words of it, on average"
        values = share(np.array(shared), possible)
        columns.append(number(f"ngrams_{length}_{called}", told, values))
    return columns


def _pairs(group: Numbers) -> tuple[Numbers, Numbers]:
    """Ordered pairs of distinct rows of one group."""
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    sizes = sizes[sizes > 0]
    first = np.append(0, np.cumsum(sizes))[:-1]
    mine = np.repeat(np.arange(len(group)), np.repeat(sizes, sizes))
    begins = np.repeat(first, sizes**2)
    offset = np.arange(len(mine)) - np.repeat(np.append(0, np.cumsum(sizes**2))[:-1], sizes**2)
    theirs = begins + offset % np.repeat(sizes, sizes**2)
    different = mine != theirs
    return order[mine[different]], order[theirs[different]]


FAMILY = Family(
    "agreement",
    "any metric between candidates of one source, and n-grams that they share",
    "WMT13 §6.7",
    _columns,
    ("candidates",),
)
