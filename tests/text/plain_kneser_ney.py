"""Modified Kneser–Ney straight from its formulas, with dictionaries: slow, to compare with."""

from collections import Counter, defaultdict
from collections.abc import Sequence

Ngram = tuple[str, ...]


class PlainModel:
    """The model of Chen and Goodman 1998, asked for one probability at a time."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        self.vocabulary = {"<unk>", "</s>", *(word for line in sentences for word in line)}
        occurs: list[Counter[Ngram]] = [Counter() for _ in range(order + 1)]
        for sentence in sentences:
            marked = ("<s>", *sentence, "</s>")
            for length in range(1, order + 1):
                for first in range(len(marked) - length + 1):
                    occurs[length][marked[first : first + length]] += 1
        self.count: list[dict[Ngram, int]] = [{} for _ in range(order + 1)]
        for length in range(1, order + 1):
            left: Counter[Ngram] = Counter()
            if length < order:
                left.update(longer[1:] for longer in occurs[length + 1])
            for ngram, number in occurs[length].items():
                kept = length == order or ngram[0] == "<s>"
                self.count[length][ngram] = number if kept else left[ngram]
        del self.count[1]["<s>",]
        self.discount = [self._discounts(length) for length in range(order + 1)]
        self.total: dict[Ngram, int] = defaultdict(int)
        self.freed: dict[Ngram, float] = defaultdict(float)
        for length in range(1, order + 1):
            for ngram, number in self.count[length].items():
                self.total[ngram[:-1]] += number
                self.freed[ngram[:-1]] += self.discount[length][min(number, 3)]

    def _discounts(self, length: int) -> list[float]:
        of = Counter(self.count[length].values())
        if not (of[1] and of[2] and of[3]):
            return [0.0, 0.5, 1.0, 1.5]
        y = of[1] / (of[1] + 2 * of[2])
        found = [j - (j + 1) * y * of[j + 1] / of[j] for j in (1, 2, 3)]
        fits = all(0 < amount <= j for j, amount in enumerate(found, 1))
        return [0.0, *found] if fits else [0.0, 0.5, 1.0, 1.5]

    def probability(self, word: str, context: Ngram) -> float:
        """p(word | context), the context being as long as wanted."""
        context = context[max(0, len(context) - self.order + 1) :]
        ngram = (*context, word if word in self.vocabulary else "<unk>")
        below = self.probability(word, context[1:]) if context else 1 / len(self.vocabulary)
        total = self.total.get(context, 0)
        if not total:
            return below
        number = self.count[len(ngram)].get(ngram, 0)
        kept = number - self.discount[len(ngram)][min(number, 3)]
        return kept / total + self.freed[context] / total * below
