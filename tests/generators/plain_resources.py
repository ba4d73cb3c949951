"""Small resources for quality estimation: their lines, and plainly what they say of a text."""

from collections import Counter
from collections.abc import Sequence
from math import ceil, log10

from adjudge.text.resources.lexical_table import LexicalTable

Words = Sequence[str]
SOURCE = ["the cat sat on the mat", "the dog sat", "a cat", "the dog saw a cat .", "on the mat"]
TARGET = ["die katze saß auf der matte", "der hund saß", "eine katze", "der hund sah eine katze ."]
TARGET += ["auf der matte"]
LINES = {"source": SOURCE, "target": TARGET}


def ngrams(words: Words, length: int) -> list[tuple[str, ...]]:
    """All n-grams of one length, in their order."""
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]


def corpus_counts(side: str, length: int) -> Counter[tuple[str, ...]]:
    """How often n-grams occur in the lines that resources were made of."""
    return Counter(ngram for line in LINES[side] for ngram in ngrams(line.split(), length))


def quartile(side: str, ngram: tuple[str, ...]) -> int:
    """1 to 4 by the cuts, which are values that occur; 0 where it does not occur."""
    counts = corpus_counts(side, len(ngram))
    if ngram not in counts:
        return 0
    ordered = sorted(counts.values())
    cuts = [ordered[ceil(part * len(ordered) / 4) - 1] for part in (1, 2, 3)]
    return 1 + sum(counts[ngram] > cut for cut in cuts)


def known_to_model(side: str, order: int = 3) -> set[tuple[str, ...]]:
    """The n-grams of a language model, from which nothing is pruned."""
    marked = [["<s>", *line.split(), "</s>"] for line in LINES[side]]
    return {n for line in marked for length in range(1, order + 1) for n in ngrams(line, length)}


def longest_known(side: str, words: Words) -> tuple[list[int], list[int]]:
    """For every word and the end: words in the longest known n-gram that ends, or begins, here."""
    known = known_to_model(side)
    marked = ["<s>", *words, "</s>"]
    ends, begins = [], []
    for i in range(1, len(marked)):
        left = [n for n in (1, 2, 3) if i + 1 >= n and tuple(marked[i + 1 - n : i + 1]) in known]
        right = [n for n in (1, 2, 3) if tuple(marked[i : i + n]) in known and i + n <= len(marked)]
        ends.append(max(left, default=0))
        begins.append(max(right, default=0))
    return ends, begins


def lexical(table: LexicalTable, word: str, others: Words) -> list[float]:
    """p(word | other) for every other; 1 for an equal word of which the table says nothing."""
    found = [table.translations(other).get(word, 0.0) for other in others]
    return [p or float(word == other) for p, other in zip(found, others, strict=True)]


def log_given(table: LexicalTable, word: str, others: Words) -> float:
    """log10 p(word | others) by IBM Model 1, the empty word among them; a millionth at least."""
    total = sum(lexical(table, word, others)) + table.translations(None).get(word, 0.0)
    return log10(max(total / (len(others) + 1), 1e-6))
