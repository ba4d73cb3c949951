"""Interface of tokenizers, one module each in `tokenizers/`, registered by `TOKENIZER`.

A tokenizer takes all lines of a text at once, because a regular expression over one long string is
many times faster than one call a line.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adjudge.core.registry import Registry

Texts = Sequence[str]
Tokens = list[list[str]]  # of every line


@dataclass(frozen=True)
class Tokenizer:
    """Named way to split lines into words."""

    name: str
    summary: str
    split: Callable[[Texts], Tokens]
    version: Callable[[], str] | None = None  # as sacrebleu adds it to the name


TOKENIZERS = Registry("adjudge.metrics.tokenizers", "TOKENIZER", Tokenizer, "tokenizer")


def peer_name(tokenizer: str) -> str:
    """Name of a tokenizer in sacrebleu, with the versions of its dependencies."""
    version = TOKENIZERS.named(tokenizer).version
    return tokenizer if version is None else f"{tokenizer}-{version()}"


@lru_cache(maxsize=8)  # several metrics split the same texts in the same way
def split(texts: tuple[str, ...], tokenizer: str, lowercase: bool) -> Tokens:
    """Split every line into words."""
    lines = [text.lower() for text in texts] if lowercase else texts
    return TOKENIZERS.named(tokenizer).split(lines)


def split_lines(texts: Texts, change: Callable[[str], str], pad: bool = False) -> Tokens:
    """Apply `change` to all lines joined as one text, then split each line at blanks.

    `change` must not take a line feed, which stands between lines, for part of either. `pad` puts a
    blank before and after each line.
    """
    edge = " " if pad else ""
    lines = [text.rstrip().replace("\n", " ") for text in texts]
    changed = change(edge + f"{edge}\n{edge}".join(lines) + edge)
    return [line.split() for line in changed.split("\n")] if lines else []


def replacing(*rules: tuple[str, str]) -> Callable[[str], str]:
    """Compose regular-expression replacements."""
    compiled = [(re.compile(pattern), replacement) for pattern, replacement in rules]

    def replaced(text: str) -> str:
        for pattern, replacement in compiled:
            text = pattern.sub(replacement, text)
        return text

    return replaced
