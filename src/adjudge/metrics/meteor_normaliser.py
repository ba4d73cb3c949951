"""METEOR's own normalisation (`-norm`): Moses' tokenizer with a few rules more.

Quotes and dashes become those of ASCII; marks stand alone; a hyphen between letters or digits
splits a word and goes; apostrophes split as the language has it; a comma stands alone unless
between digits. A full stop at the end of a word stands alone, unless METEOR's list of prefixes has
the word, or a word follows that begins with a lower-case letter of ASCII; and a word with dots
inside it loses them all (U.S. becomes US). A blank that is not of ASCII stands between words but
is not one.
"""

import re
from collections.abc import Callable

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
    """Words after which a full stop ends no sentence; True for those before numbers only."""
    prefixes = {}
    for line in map(str.strip, lines):
        if line and not line.startswith("#"):
            word, only, _ = line.partition("#NUMERIC_ONLY#")
            prefixes[word.strip()] = bool(only)
    return prefixes


def normalise(texts: Texts, language: str, prefixes: dict[str, bool]) -> Tokens:
    """The words of every line."""
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
    """A word that ends in a full stop, with the stop or apart from it."""
    before = word[:-1]
    if not word.endswith(".") or not before:
        return word
    if "." in before and re.search(_LETTER, before):
        return word.replace(".", "")
    only = prefixes.get(before)
    if only is False or "a" <= following[:1] <= "z" or (only and following[:1].isdigit()):
        return word
    return f"{before} ."
