"""What protocols share in which judges write: a text as it is stored."""

import unicodedata
from collections.abc import Sequence
from random import Random

from adjudge.campaigns.errors import Refused

LONGEST_TEXT = 10_000


def edited_text(written: object) -> str:
    """One line of text without spaces at its ends; empty where nothing was written."""
    if written is None:
        return ""
    if not isinstance(written, str):
        raise Refused("form", "an edit is a text; reload the page")
    text = " ".join(written.split())
    if len(text) > LONGEST_TEXT:
        raise Refused("length", f"an edit has at most {LONGEST_TEXT:,} characters; shorten it")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text):
        raise Refused("form", "the text holds a control character; remove it")
    return text


def reworded(words: Sequence[str], rng: Random) -> str:
    """The words with one of them in another place: what a simulated editor writes."""
    left = list(words)
    left.insert(rng.randrange(len(left)), left.pop(rng.randrange(len(left))))
    return " ".join(left)
