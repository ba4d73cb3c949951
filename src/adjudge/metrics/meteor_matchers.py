"""METEOR's four matchers: which words or phrases of output and reference go together.

Every matcher looks at all words, whatever another has found. The resources are METEOR's own, read
from its jar: synonyms (WordNet's synsets with exceptions of its morphology) and, from a table,
paraphrases (`meteor_paraphrases`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adjudge.core.errors import BadParameter, InputError, need
from adjudge.core.files.decompression import BROKEN_ARCHIVE, open_archive
from adjudge.metrics.meteor_paraphrases import Paraphrases
from adjudge.metrics.tokenizer import Tokens

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
    """METEOR's jar, for the lists in it."""

    path: str

    def lines(self, name: str) -> list[str]:
        """A text in the jar."""
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
    """METEOR's list of function words."""
    return frozenset(filter(None, map(str.strip, Jar(jar).lines(f"function/{language}.words"))))


@lru_cache(maxsize=4)
def stemmer(language: str) -> "Stems":
    """Snowball's stemmer of a language."""
    need("snowballstemmer", "METEOR's stems need", "metrics")
    import snowballstemmer

    name = LANGUAGES.get(language, language)
    if name not in snowballstemmer.algorithms():
        raise BadParameter(f'`modules` cannot have "stem": there is no stemmer for {language!r}')
    return Stems(snowballstemmer.stemmer(name).stemWord)


class Stems(dict[str, str]):
    """Stems of words, each found once."""

    def __init__(self, stem: object) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        self[word] = stem = str(self._stem(word))  # type: ignore[operator]
        return stem


@lru_cache(maxsize=1)
def synonyms(jar: str) -> "Synsets":
    """WordNet's synsets, from the jar."""
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
    """The synsets of words, each looked up once."""

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
        """The first base form that WordNet has: being is of bee, as METEOR has it."""
        for ending, instead in _ENDINGS if len(word) > 2 else ():
            base = word.removesuffix(ending) + instead
            if word.endswith(ending) and base in self._sets:
                return [base]
        return []


def exact(output: Sequence[str], reference: Sequence[str]) -> Iterator[Match]:
    """The same word."""
    places = _places(output)
    for position, word in enumerate(reference):
        for other in places.get(word, ()):
            yield position, 1, other, 1, 0


def stem(output: Sequence[str], reference: Sequence[str], language: str) -> Iterator[Match]:
    """Different words with the same stem."""
    stems = stemmer(language)
    places = _places([stems[word] for word in output])
    for position, word in enumerate(reference):
        for other in places.get(stems[word], ()):
            if output[other] != word:
                yield position, 1, other, 1, 1


def synonym(output: Sequence[str], reference: Sequence[str], known: Synsets) -> Iterator[Match]:
    """Different words with a synset in common."""
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
    """Phrases that the table has for each other, looked up from the reference, then the output.

    What both sides find is a match twice, and so never settled at once: as METEOR has it.
    """
    for start, length, other, size in _phrases(reference, output, known):
        yield start, length, other, size, 3
    for start, length, other, size in _phrases(output, reference, known):
        yield other, size, start, length, 3


def _phrases(
    words: Sequence[str], others: Sequence[str], known: Paraphrases
) -> Iterator[tuple[int, int, int, int]]:
    """Start and length of phrases of `words`, and of a paraphrase among `others`."""
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
    """Which word begins at each character of the words joined by blanks, after a first blank."""
    starts, place = {}, 1
    for number, word in enumerate(words):
        starts[place] = number
        place += len(word) + 1
    return starts
