"""WordNet's synsets of words, from the files of WordNet 3.0 (Debian's package wordnet-base).

`index.*` has a line for each word: the word, its part of speech, the number of its synsets and, at
the end, where they are in `data.*`; that place, with the part of speech, names a synset here.
`*.exc` has irregular forms and their base forms. METEOR's jar has the same words and forms. The
folder is /usr/share/wordnet or, as for WordNet's own programs, what WNSEARCHDIR names.
"""

import os
from functools import lru_cache
from pathlib import Path

from adjudge.core.errors import InputError
from adjudge.metrics.meteor_alignment import Synsets

_PARTS = ("noun", "verb", "adj", "adv")


def wordnet() -> Synsets:
    """The synsets of the WordNet that is installed."""
    folder = Path(os.environ.get("WNSEARCHDIR", "/usr/share/wordnet"))
    try:
        return _read(folder)
    except (ValueError, OSError):
        raise InputError("has no readable files of WordNet 3.0", file=str(folder)) from None


@lru_cache(maxsize=1)
def _read(folder: Path) -> Synsets:
    sets: dict[str, frozenset[str]] = {}
    exceptions: dict[str, list[str]] = {}
    for part in _PARTS:
        for line in _lines(folder / f"index.{part}"):
            if not line.startswith(" "):  # the licence
                word, _, number, *rest = line.split()
                own = frozenset(part + place for place in rest[-int(number) :])
                sets[word] = sets.get(word, frozenset()) | own
        for line in _lines(folder / f"{part}.exc"):
            form, *bases = line.split()
            exceptions.setdefault(form, []).extend(bases)
    return Synsets(sets, exceptions)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError(
            "meteor(synonyms=wordnet) needs WordNet, which is not here; install Debian's "
            "wordnet-base, or name its folder in the variable WNSEARCHDIR",
            file=str(path),
        ) from None
