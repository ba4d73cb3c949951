"""METEOR's matchers, and the beam search for its best alignment.

The beam search is compiled.

Matches are tried from the first reference position to the last; at each, a path takes one of the
matches that begin there and whose words are free, or none. The `BEAM` best paths go on, by
coverage (more), chunks (fewer), distance (less), the earlier one of equals.

METEOR's four matchers: which words or phrases of output and reference go together.

Every matcher looks at all words, whatever another has found. The resources are METEOR's own, read
from its jar: synonyms (WordNet's synsets with exceptions of its morphology) and, from a table,
paraphrases (`meteor_paraphrases`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, InputError, need
from adjudge.core.files.decompression import BROKEN_ARCHIVE, open_archive
from adjudge.metrics.meteor_resources import Paraphrases
from adjudge.metrics.tokenizer import Tokens

Numbers = NDArray[np.int64]

BEAM = 40


@njit(cache=True)
def _sorted_paths(cover: Numbers, chunks: Numbers, distance: Numbers, number: int) -> Numbers:
    """Sort the paths from best to worst; ties keep their order of creation."""
    order = np.arange(number)
    for i in range(1, number):
        path, j = order[i], i - 1
        while j >= 0:
            other = order[j]
            worse = cover[other] < cover[path] or (
                cover[other] == cover[path]
                and (
                    chunks[other] > chunks[path]
                    or (chunks[other] == chunks[path] and distance[other] > distance[path])
                )
            )
            if not worse:
                break
            order[j + 1] = other
            j -= 1
        order[j + 1] = path
    return order


@njit(cache=True, nogil=True)
def align(
    length: int, size: int, matches: Numbers, first: Numbers, fixed: Numbers, as_published: bool
) -> Numbers:
    """Choose a match at every reference position, −1 for none.

    `matches` has a row for each (reference start and length, output start and length, twice its
    weight), in the order in which they are tried; `first` says where those of each position begin;
    `fixed` is the match of a position that is settled, else −1.
    """
    widest = 1
    for position in range(size):
        widest = max(widest, first[position + 1] - first[position] + 1)
    room = BEAM * widest
    # Columns: next free reference position, end of the last match, coverage, chunks, distance.
    now, after = np.zeros((room, 5), np.int64), np.zeros((room, 5), np.int64)
    chosen, next_chosen = np.full((room, size), -1), np.full((room, size), -1)
    used, next_used = np.zeros((room, length), np.bool_), np.zeros((room, length), np.bool_)
    taken, next_taken = np.zeros((room, size), np.bool_), np.zeros((room, size), np.bool_)
    now[0, 1] = -1
    for position in range(size):
        if fixed[position] >= 0:
            match = matches[fixed[position]]
            used[0, match[2] : match[2] + match[3]] = True
            taken[0, match[0] : match[0] + match[1]] = True
    number = 1
    for position in range(size):
        order = _sorted_paths(now[:, 2], now[:, 3], now[:, 4], number)
        new = 0
        for rank in range(min(BEAM, number)):
            path = order[rank]
            if now[path, 0] <= position and fixed[position] < 0:
                for which in range(first[position], first[position + 1]):
                    match = matches[which]
                    if used[path, match[2] : match[2] + match[3]].any():
                        continue
                    if taken[path, match[0] : match[0] + match[1]].any():
                        continue
                    after[new] = now[path]
                    next_chosen[new], next_used[new] = chosen[path], used[path]
                    next_taken[new] = taken[path]
                    next_used[new, match[2] : match[2] + match[3]] = True
                    next_taken[new, match[0] : match[0] + match[1]] = True
                    _take(after[new], match, as_published)
                    next_chosen[new, position] = which
                    apart = abs(match[0] - match[2])
                    if as_published:
                        after[new, 4] += apart
                    else:
                        now[path, 4] += apart  # as shipped: of the path it came from
                    new += 1
            after[new] = now[path]
            next_chosen[new], next_used[new] = chosen[path], used[path]
            next_taken[new] = taken[path]
            if now[path, 0] <= position:
                if fixed[position] >= 0:
                    match = matches[fixed[position]]
                    _take(after[new], match, as_published)
                    after[new, 4] += abs(match[0] - match[2])
                    next_chosen[new, position] = fixed[position]
                else:
                    if after[new, 1] >= 0:
                        after[new, 3] += 1
                        after[new, 1] = -1
                    after[new, 0] = position + 1
            new += 1
        now, after = after, now
        chosen, next_chosen = next_chosen, chosen
        used, next_used = next_used, used
        taken, next_taken = next_taken, taken
        number = new
    # The last chunk of the paths that are left ends here, which decides between them.
    order = _sorted_paths(now[:, 2], now[:, 3], now[:, 4], number)[:BEAM]
    now[:number, 3] += now[:number, 1] >= 0
    left = now[order]
    best = _sorted_paths(left[:, 2], left[:, 3], left[:, 4], len(left))[0]
    return np.asarray(chosen[order[best]])


@njit(cache=True)
def _take(path: Numbers, match: Numbers, as_published: bool) -> None:
    """Extend a path by a match: position, coverage and chunks."""
    if path[1] >= 0 and match[2] != path[1]:
        path[3] += 1
    path[0] = match[0] + match[1]
    path[1] = match[2] + match[3]
    if as_published:
        path[2] += match[4] * (match[1] + match[3])
    else:  # each side is cut to a whole number
        path[2] += 2 * (match[4] * match[1] // 2) + 2 * (match[4] * match[3] // 2)


@njit(cache=True)
def settled(matches: Numbers, first: Numbers, length: int, size: int) -> Numbers:
    """Match of every position that is its only one and overlaps no other match."""
    of_reference, of_output = np.zeros(size, np.int64), np.zeros(length, np.int64)
    for match in matches:
        of_reference[match[0] : match[0] + match[1]] += 1
        of_output[match[2] : match[2] + match[3]] += 1
    fixed = np.full(size, -1)
    for position in range(size):
        if first[position + 1] - first[position] == 1:
            match = matches[first[position]]
            alone = (of_reference[match[0] : match[0] + match[1]] == 1).all()
            if alone and (of_output[match[2] : match[2] + match[3]] == 1).all():
                fixed[position] = first[position]
    return fixed


Match = tuple[int, int, int, int, int]  # reference start, length, output start, length, module
# The matches that are chosen for every output and reference, in the order of the reference.
Aligner = Callable[[Tokens, Tokens], Iterable[Iterable[Match]]]
MODULES = ("exact", "stem", "synonym", "paraphrase")
LANGUAGES = {
    "en": "english",
    "cz": "czech",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "ru": "russian",
}


@dataclass(frozen=True, eq=False)
class Jar:
    """METEOR's jar, as a source of word lists."""

    path: str

    def lines(self, name: str) -> list[str]:
        """Lines of a text file in the jar."""
        try:
            with open_archive(self.path) as jar:
                return jar.read(name).decode("utf-8").split("\n")
        except FileNotFoundError:
            raise InputError("no such file; check the path", file=self.path) from None
        except BROKEN_ARCHIVE:
            raise InputError(
                f"is not METEOR 1.5's jar ({name} is not in it); get meteor-1.5.jar", file=self.path
            ) from None


@lru_cache(maxsize=4)
def function_words(jar: str, language: str = "english") -> frozenset[str]:
    """Read METEOR's list of function words."""
    return frozenset(filter(None, map(str.strip, Jar(jar).lines(f"function/{language}.words"))))


@lru_cache(maxsize=4)
def stemmer(language: str) -> "Stems":
    """Create Snowball's stemmer for a language."""
    need("snowballstemmer", "METEOR's stems need", "metrics")
    import snowballstemmer

    name = LANGUAGES.get(language, language)
    if name not in snowballstemmer.algorithms():
        raise BadParameter(f'`modules` cannot have "stem": there is no stemmer for {language!r}')
    return Stems(snowballstemmer.stemmer(name).stemWord)


class Stems(dict[str, str]):
    """Cache of word stems."""

    def __init__(self, stem: object) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        self[word] = stem = str(self._stem(word))  # type: ignore[operator]
        return stem


@lru_cache(maxsize=1)
def synonyms(jar: str) -> "Synsets":
    """Read WordNet's synsets from the jar."""
    both = Jar(jar)
    lines = both.lines("synonym/english.synsets")
    sets = {lines[i]: frozenset(lines[i + 1].split()) for i in range(0, len(lines) - 1, 2)}
    lines = both.lines("synonym/english.exceptions")
    exceptions: dict[str, list[str]] = {}
    for i in range(0, len(lines) - 1, 2):
        for form in lines[i + 1].split():
            exceptions.setdefault(form, []).append(lines[i])
    return Synsets(sets, exceptions)


# WordNet's morphology: endings and what stands for them in the base form.
_ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
    ("men", "man"), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
    ("ing", "e"), ("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip


class Synsets(dict[str, frozenset[str]]):
    """Cache of the synsets of words."""

    def __init__(self, sets: dict[str, frozenset[str]], exceptions: dict[str, list[str]]) -> None:
        super().__init__()
        self._sets, self._exceptions = sets, exceptions

    def __missing__(self, word: str) -> frozenset[str]:
        own = set(self._sets.get(word, ()))
        for base in self._exceptions.get(word) or self._base(word):
            own |= self._sets.get(base, frozenset())
        self[word] = synsets = frozenset(own)
        return synsets

    def _base(self, word: str) -> list[str]:
        """Base form of a word, the first in WordNet: being becomes bee, as in METEOR."""
        for ending, instead in _ENDINGS if len(word) > 2 else ():
            base = word.removesuffix(ending) + instead
            if word.endswith(ending) and base in self._sets:
                return [base]
        return []


def exact(output: Sequence[str], reference: Sequence[str]) -> Iterator[Match]:
    """Match equal words."""
    places = _places(output)
    for position, word in enumerate(reference):
        for other in places.get(word, ()):
            yield position, 1, other, 1, 0


def stem(output: Sequence[str], reference: Sequence[str], language: str) -> Iterator[Match]:
    """Match different words with the same stem."""
    stems = stemmer(language)
    places = _places([stems[word] for word in output])
    for position, word in enumerate(reference):
        for other in places.get(stems[word], ()):
            if output[other] != word:
                yield position, 1, other, 1, 1


def synonym(output: Sequence[str], reference: Sequence[str], known: Synsets) -> Iterator[Match]:
    """Match different words with a common synset."""
    sets = [known[word] for word in output]
    for position, word in enumerate(reference):
        own = known[word]
        if own:
            for other, theirs in enumerate(sets):
                if output[other] != word and not own.isdisjoint(theirs):
                    yield position, 1, other, 1, 2


def paraphrase(
    output: Sequence[str], reference: Sequence[str], known: Paraphrases
) -> Iterator[Match]:
    """Match phrases that paraphrase each other, looked up from the reference, then from the output.

    A match found from both sides occurs twice and is therefore never settled in advance, as in
    METEOR.
    """
    for start, length, other, size in _phrases(reference, output, known):
        yield start, length, other, size, 3
    for start, length, other, size in _phrases(output, reference, known):
        yield other, size, start, length, 3


def _phrases(
    words: Sequence[str], others: Sequence[str], known: Paraphrases
) -> Iterator[tuple[int, int, int, int]]:
    """Yield start and length of phrases of `words`, and of their paraphrases among `others`."""
    joined = " " + " ".join(others) + " "
    starts = _starts(others)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + known.longest) + 1):
            for phrase in known.table.get(" ".join(words[start:end]), ()):
                place = joined.find(f" {phrase} ")
                while place >= 0:
                    yield start, end - start, starts[place + 1], phrase.count(" ") + 1
                    place = joined.find(f" {phrase} ", place + 1)


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        places.setdefault(word, []).append(position)
    return places


def _starts(words: Sequence[str]) -> dict[int, int]:
    """Word index at each character offset of the words joined by blanks, after a leading blank."""
    starts, place = {}, 1
    for number, word in enumerate(words):
        starts[place] = number
        place += len(word) + 1
    return starts
