"""Shared parts of protocols with edited texts: storage and rows."""

import unicodedata
from collections.abc import Sequence
from random import Random

import polars as pl
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.errors import Refused

LONGEST_TEXT = 10_000
REFUSALS = {
    "empty": _("Write your correction, or say that the text makes no sense."),
    "length": _("The text is too long."),
}
# Of an edit and of a review; what one of them does not say is null.
_PAYLOAD = pl.Struct({"edit": pl.String, "incomprehensible": pl.Boolean, "verdict": pl.String})


def edited_text(written: object) -> str:
    """Normalise text to one line without surrounding spaces; empty if nothing was written."""
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


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of edits and reviews."""
    return (
        answers.with_columns(pl.col("payload").str.json_decode(_PAYLOAD))
        .unnest("payload")
        .with_columns(
            pl.col("shown").list.first().alias("output_key"),
            pl.lit(None, pl.Int64).alias("position"),
        )
        .drop("shown")
    )


def reworded(words: Sequence[str], rng: Random) -> str:
    """Move one word, as a simulated editor."""
    left = list(words)
    left.insert(rng.randrange(len(left)), left.pop(rng.randrange(len(left))))
    return " ".join(left)
