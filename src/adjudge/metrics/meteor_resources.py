"""METEOR's resources: normalisation, paraphrases and WordNet's synsets.

METEOR's own normalisation (`-norm`) is Moses' tokenizer with some additional rules.

Quotes and dashes become those of ASCII; marks stand alone; a hyphen between letters or digits
splits a word and goes; apostrophes split as the language has it; a comma stands alone unless
between digits. A full stop at the end of a word stands alone, unless METEOR's list of prefixes has
the word, or a word follows that begins with a lower-case letter of ASCII; and a word with dots
inside it loses them all (U.S. becomes US). A blank that is not of ASCII stands between words but
is not one.

METEOR's table of paraphrases: of its millions of lines, those that matter for given texts.

The table is unpacked once and stays as bytes. Only pairs of which both phrases occur in the texts
become phrases of Python; which do is told by hashes, compiled. A hash may be that of a phrase that
does not occur: such a pair is kept in vain, and matches nothing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.metrics.tokenizer import Texts, Tokens, replacing

Rule = Callable[[str], str]

_DOTS = "\0"  # one of several dots that belong together
# What METEOR takes for letters: Latin and Cyrillic ones. Greek ones, say, are marks to it.
_LETTERS = "A-Za-zÀ-ÖØ-öø-ž\u0178\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
_LETTER, _NO_LETTER = f"[{_LETTERS}]", f"[^{_LETTERS}]"
_WORD, _NO_WORD = f"[0-9{_LETTERS}]", f"[^0-9{_LETTERS}]"
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")

_marks = replacing(
    ("[“”]|''", '"'),
    ("[`‘’]", "'"),
    ("–|--", " - "),
    (rf"([^0-9{_LETTERS} \t\r\n\f\v.',\-])", r" \1 "),
    (rf"({_WORD}\.?)-({_WORD})", r"\1 \2"),
)
_commas = replacing(
    ("([^0-9]),([^0-9])", r"\1 , \2"),
    ("([^0-9]),([^0-9])", r"\1 , \2"),
    ("([0-9]),([^0-9])", r"\1 , \2"),
    ("([^0-9]),([0-9])", r"\1 , \2"),
)
_english = replacing(
    (rf"({_NO_LETTER})'({_NO_LETTER})", r"\1 ' \2"),
    (rf"({_NO_WORD})'({_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_NO_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_LETTER})", r"\1 '\2"),
    ("([0-9])'(s)", r"\1 '\2"),
)
_romance = replacing(
    (rf"({_NO_LETTER})'({_NO_LETTER})", r"\1 ' \2"),
    (rf"({_NO_LETTER})'({_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_NO_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_LETTER})", r"\1' \2"),
)
_APOSTROPHES = {"english": _english, "french": _romance, "italian": _romance}
_others = replacing(("'", " ' "))
_several_dots = re.compile(r"\.{2,}")


def read_prefixes(lines: list[str]) -> dict[str, bool]:
    """Read the words after which a full stop ends no sentence; True for those before numbers
    only.
    """
    prefixes = {}
    for line in map(str.strip, lines):
        if line and not line.startswith("#"):
            word, only, _ = line.partition("#NUMERIC_ONLY#")
            prefixes[word.strip()] = bool(only)
    return prefixes


def normalise(texts: Texts, language: str, prefixes: dict[str, bool]) -> Tokens:
    """Normalise every line and split it into words."""
    return [_words(text, _APOSTROPHES.get(language, _others), prefixes) for text in texts]


def _words(text: str, apostrophes: Rule, prefixes: dict[str, bool]) -> list[str]:
    line = _marks(f" {text} ")
    line = _several_dots.sub(lambda dots: f" {_DOTS * len(dots[0])} ", line)
    line = apostrophes(_commas(line))
    words = _BLANKS.split(line.strip(" \t\r\n\f\v"))
    stopped = [
        _stop(word, following, prefixes)
        for word, following in zip(words, [*words[1:], ""], strict=True)
    ]
    return " ".join(stopped).replace(_DOTS, ".").split()


def _stop(word: str, following: str, prefixes: dict[str, bool]) -> str:
    """Split the full stop off a word, unless it belongs to it."""
    before = word[:-1]
    if not word.endswith(".") or not before:
        return word
    if "." in before and re.search(_LETTER, before):
        return word.replace(".", "")
    only = prefixes.get(before)
    if only is False or "a" <= following[:1] <= "z" or (only and following[:1].isdigit()):
        return word
    return f"{before} ."


Bytes = NDArray[np.uint8]

_HASHED = 8  # words; pairs with longer phrases are all kept
_BITS = 24  # of a hash
# Fowler, Noll and Vo's hash (FNV-1a), of 64 bits.
_BASIS, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_SHIFT = np.uint64(64 - _BITS)
_BLANK, _NEWLINE = 32, 10


@dataclass(frozen=True, eq=False)
class Paraphrases:
    """Phrases and their paraphrases, in table order."""

    table: dict[str, dict[str, None]]
    longest: int  # words of a phrase


def paraphrases(path: str, texts: Iterable[Tokens]) -> Paraphrases:
    """Read the paraphrases of phrases that occur in the texts from a METEOR table."""
    content = _unpacked(path)
    lines = "\n".join(" ".join(words) for text in texts for words in text) + "\n"
    occurring = _occurring(np.frombuffer(lines.encode("utf-8", "surrogatepass"), np.uint8))
    places, left = _kept(np.frombuffer(content, np.uint8), occurring)
    if left:
        raise InputError("is not a paraphrase table of METEOR (three lines a pair)", file=path)
    table: dict[str, dict[str, None]] = {}
    try:
        for start, middle, end in places.tolist():
            phrase, other = content[start : middle - 1], content[middle : end - 1]
            table.setdefault(phrase.decode("utf-8"), {})[other.decode("utf-8")] = None
    except UnicodeDecodeError as error:
        raise InputError(f"is not a paraphrase table of METEOR ({error})", file=path) from None
    return Paraphrases(table, 1 + max((phrase.count(" ") for phrase in table), default=0))


@lru_cache(maxsize=1)
def _unpacked(path: str) -> bytes:
    """Decompress lines of probability, phrase, paraphrase."""
    file = InputFile(path)
    if file.compression != "gzip":
        raise InputError("is not a paraphrase table of METEOR (packed by gzip)", file=path)
    content = bytes(file.data)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    return content if content.endswith(b"\n") else content + b"\n"


@njit(cache=True)
def _occurring(text: Bytes) -> NDArray[np.bool_]:
    """Mark the hashes of all phrases in the lines, from one word to `_HASHED`."""
    occurring = np.zeros(1 << _BITS, np.bool_)
    for start in range(len(text)):
        if start > 0 and text[start - 1] != _BLANK and text[start - 1] != _NEWLINE:
            continue
        code, words = _BASIS, 0
        for place in range(start, len(text)):
            byte = text[place]
            if byte in (_BLANK, _NEWLINE):
                occurring[code >> _SHIFT] = True
                words += 1
                if byte == _NEWLINE or words == _HASHED:
                    break
            code = (code ^ np.uint64(byte)) * _PRIME
    return occurring


@njit(cache=True)
def _kept(content: Bytes, occurring: NDArray[np.bool_]) -> tuple[NDArray[np.int64], int]:
    """Find start, separator and end of the pairs of occurring phrases, and the lines left over at
    the end.
    """
    places, number = np.empty((1024, 3), np.int64), 0
    ends, wanted = np.zeros(3, np.int64), np.zeros(3, np.bool_)
    line, code, words = 0, _BASIS, 1
    for place in range(len(content)):
        byte = content[place]
        if byte != _NEWLINE:
            if line > 0:  # not the probability
                words += byte == _BLANK
                code = (code ^ np.uint64(byte)) * _PRIME
            continue
        ends[line] = place + 1
        wanted[line] = words > _HASHED or occurring[code >> _SHIFT]
        if line == 2 and wanted[1] and wanted[2]:
            if number == len(places):
                larger = np.empty((2 * number, 3), np.int64)
                larger[:number] = places
                places = larger
            places[number] = ends
            number += 1
        line, code, words = (line + 1) % 3, _BASIS, 1
    return places[:number], line
