"""Agreement between systems: every candidate against the others of its source (WMT13 Task 1.2).

Each other candidate is taken for a reference in turn, so that any metric can be asked. How many of
the others have an n-gram is its posterior probability (LIMSI, WMT13 §6.7), averaged over the
n-grams of a candidate. A candidate without others has 0 in every column.
"""

from collections import Counter

import numpy as np

from adjudge.quality.features.column import Column, Numbers, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.prepared import Prepared, share

_LONGEST = 4  # words in an n-gram


def _columns(prepared: Prepared) -> list[Column]:
    candidate, other = _pairs(prepared.group)
    rows = len(prepared)
    others = np.bincount(candidate, minlength=rows)
    hypotheses = tuple(prepared.target[row] for row in candidate)
    references = tuple(prepared.target[row] for row in other)
    equal = np.array([a == b for a, b in zip(hypotheses, references, strict=True)], np.float64)
    columns = [
        number(
            "same_as_others",
            "share of the other candidates that are the same",
            share(np.bincount(candidate, equal, minlength=rows), others),
        )
    ]
    columns += _posteriors(prepared)
    for metric in prepared.metrics:
        scores = metric.segment_values(metric.statistics([references])(hypotheses))
        mean = share(np.bincount(candidate, scores, minlength=rows), others)
        high, low = np.full(rows, -np.inf), np.full(rows, np.inf)
        np.maximum.at(high, candidate, scores)
        np.minimum.at(low, candidate, scores)
        above = (
            mean
            - share(np.bincount(prepared.group, mean), np.bincount(prepared.group))[prepared.group]
        )
        title = metric.title
        columns += [
            number(f"{metric.short}_others_mean", f"mean {title} against other candidates", mean),
            number(
                f"{metric.short}_others_high",
                f"highest {title} against another candidate",
                np.where(others > 0, high, 0.0),
            ),
            number(
                f"{metric.short}_others_low",
                f"lowest {title} against another candidate",
                np.where(others > 0, low, 0.0),
            ),
            number(
                f"{metric.short}_others_above",
                f"mean {title} against other candidates, less the mean of this source",
                above,
            ),
        ]
    return columns


def _posteriors(prepared: Prepared) -> list[Column]:
    """For every length, the mean share of other candidates that have an n-gram of this one."""
    columns = []
    for length in range(1, _LONGEST + 1):
        ngrams = [
            set(zip(*(words[first:] for first in range(length)), strict=False))
            for words in prepared.target_words
        ]
        holders = Counter(
            (group, ngram)
            for group, own in zip(prepared.group.tolist(), ngrams, strict=True)
            for ngram in own
        )
        shared = [
            sum(holders[group, ngram] - 1 for ngram in own)
            for group, own in zip(prepared.group.tolist(), ngrams, strict=True)
        ]
        possible = np.array(list(map(len, ngrams))) * (prepared.group_sizes - 1)
        what = f"share of other candidates that have an n-gram of {length} words of it, on average"
        columns.append(number(f"ngrams_{length}_shared", what, share(np.array(shared), possible)))
    return columns


def _pairs(group: Numbers) -> tuple[Numbers, Numbers]:
    """Every two different rows of one group, both ways."""
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
