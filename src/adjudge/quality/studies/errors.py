"""Error analysis: the worst errors of a model, with texts."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.quality.studies.held_out_ranks import HeldOutRanks
from adjudge.quality.studies.held_out_words import HeldOutWords

MOST = 10
LIKELY = 1e-6  # no chance is taken for smaller


@dataclass(frozen=True)
class WrongNumber:
    """Translation with a badly predicted number."""

    segment: str
    source: str
    target: str
    post_edit: str | None
    true: float  # in the units that are printed, as the others
    predicted: float
    low: float
    high: float


@dataclass(frozen=True)
class WrongPick:
    """Wrongly selected candidate, although another one has a better human rank."""

    segment: str
    source: str
    picked: str
    picked_system: str | None
    picked_rank: int
    best: str
    best_system: str | None
    best_rank: int


@dataclass(frozen=True)
class LabelledWord:
    """Word with its probability of change, predicted and true label."""

    text: str
    chance: float
    predicted: str
    true: str


@dataclass(frozen=True)
class LabelledSentence:
    """Translation with labelled words."""

    segment: str
    source: str
    words: tuple[LabelledWord, ...]


def worst_numbers(held_out: HeldOutNumbers, most: int = MOST) -> list[WrongNumber]:
    """Translations with the largest errors, in descending order."""
    factor = held_out.number_model.quantity.factor
    said, gold, table = held_out.said, held_out.gold, held_out.task.table
    order = np.argsort(-np.abs(said.value - gold), kind="stable")[:most]
    found = []
    for place in order:
        row = table.row(int(place), named=True)
        numbers = (gold[place], said.value[place], said.low[place], said.high[place])
        found.append(
            WrongNumber(
                row["segment"], row["source"], row["target"], row["post_edit"],
                *(float(factor * each) for each in numbers),
            )
        )  # fmt: skip
    return found


def worst_picks(held_out: HeldOutRanks, most: int = MOST) -> list[WrongPick]:
    """Picks with the largest difference in human rank from the best candidate."""
    task = held_out.ranked
    found = []
    ranks = np.where(held_out.choosable, task.gold, np.nan)
    for begin, end in pairwise(task.start):
        gold = ranks[begin:end]
        score = np.where(np.isfinite(gold), held_out.score[begin:end], -np.inf)
        if np.isfinite(gold).sum() < 2:
            continue
        picked, best = int(np.argmax(score)), int(np.nanargmin(gold))
        lost = gold[picked] - gold[best]
        if lost > 0:
            found.append((-lost, score[best] - score[picked], int(begin), picked, best))
    worst: dict[tuple[str, str], WrongPick] = {}  # a source that several people ranked once
    for _, _, begin, picked, best in sorted(found):
        own, other = (task.table.row(begin + place, named=True) for place in (picked, best))
        wrong = WrongPick(
            own["segment"], own["source"], own["target"], own["system"], own["rank"],
            other["target"], other["system"], other["rank"],
        )  # fmt: skip
        worst.setdefault((wrong.source, wrong.picked), wrong)
    return list(worst.values())[:most]


def labelled_sentences(held_out: HeldOutWords, most: int = MOST) -> list[LabelledSentence]:
    """Sentences with the most surprising labels: mean −log probability of the true labels."""
    task = held_out.words
    chance = held_out.chances[np.arange(len(task.gold)), task.gold]
    surprise = -np.log(np.maximum(chance, LIKELY))
    lengths = np.maximum(np.diff(task.start), 1)
    mean = np.bincount(task.sentence, surprise, len(task)) / lengths
    return [_sentence(held_out, int(row)) for row in np.argsort(-mean, kind="stable")[:most]]


def usual_sentences(held_out: HeldOutWords, seed: int, most: int = MOST) -> list[LabelledSentence]:
    """Random sentences in data order."""
    number = len(held_out.words)
    rows = np.random.default_rng(seed).permutation(number)[:most]
    return [_sentence(held_out, int(row)) for row in np.sort(rows)]


def _sentence(held_out: HeldOutWords, row: int) -> LabelledSentence:
    task = held_out.words
    words = tuple(
        LabelledWord(
            task.words[word],
            float(held_out.changed[word]),
            task.classes[held_out.labels[word]],
            task.classes[task.gold[word]],
        )
        for word in range(task.start[row], task.start[row + 1])
    )
    return LabelledSentence(task.table["segment"][row], task.table["source"][row] or "", words)
