"""Translations prepared for feature extraction.

Tokens and scores by resources are cached.

Inconsistent inputs are refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from adjudge.core.errors import BadParameter
from adjudge.metrics.metric import Metric, metric_named
from adjudge.metrics.tokenizer import TOKENIZERS, Tokens, split
from adjudge.quality.features.column import Floats, Numbers
from adjudge.quality.features.links import (
    Links,
    Translated,
    best_links,
    read_links,
    translated,
)
from adjudge.quality.tasks.words import CALLED, word_task
from adjudge.quality.translations import PSEUDO_REFERENCE, require_texts
from adjudge.text.resources.bundle import Resources
from adjudge.text.resources.language_model.model import TokenScores
from adjudge.text.resources.ngram_counts import TextCounts

Lines = tuple[str, ...]

# What may be missing, and what to do about it.
_REMEDIES = {
    "resources": "resources (give `resources`, made by `adjudge quality resources`)",
    "pseudo_references": (
        "other systems' translations (give `pseudo_reference`, or columns pseudo_reference:NAME)"
    ),
    "candidates": "several translations of one source (rankings, numbered in column ranking)",
    "given": "features given with the data (columns whose names begin with feature_)",
    "translator": "who edited (column translator)",
    "source_tags": "parts of speech of the source (give `source_tags`)",
    "target_tags": "parts of speech of the translation (give `target_tags`)",
    "labels": "words that are known to be changed or not (tags or post-edits)",
    "alignment": "word alignment (column alignment) or resources (give `resources`)",
}


@dataclass(frozen=True, eq=False)
class Prepared:
    """Table of translations (`quality.translations`) with its tokens and auxiliary inputs."""

    table: pl.DataFrame
    resources: Resources | None = None
    tokenize: str = "none"
    metrics: tuple[Metric, ...] = ()

    def __len__(self) -> int:
        return len(self.table)

    def lacks(self, what: str) -> str | None:
        """Missing prerequisite of an input; None if the input is available."""
        there = {
            "resources": self.resources is not None,
            "pseudo_references": bool(self.pseudo_references),
            "candidates": bool((self.group_sizes > 1).any()),
            "given": bool(self.given),
            "translator": self.table["translator"].null_count() == 0,
            "source_tags": self.source_tags is not None,
            "target_tags": self.target_tags is not None,
            "alignment": self.resources is not None or self._has_alignment,
            "labels": self._labels is not None,
        }
        return None if there[what] else _REMEDIES[what]

    @cached_property
    def pseudo_references(self) -> dict[str, Lines]:
        """Translations of other systems, by name."""
        return {
            name.removeprefix(PSEUDO_REFERENCE): tuple(self.table[name].to_list())
            for name in self.table.columns
            if name.startswith(PSEUDO_REFERENCE)
        }

    @cached_property
    def source_tags(self) -> Tokens | None:
        """Parts of speech of every source."""
        return self._split("source_tags")

    @cached_property
    def target_tags(self) -> Tokens | None:
        """Parts of speech of every translation."""
        return self._split("target_tags")

    def _split(self, column: str) -> Tokens | None:
        lines = self.table[column]
        return None if lines.null_count() else [line.split() for line in lines.to_list()]

    @property
    def given(self) -> list[str]:
        """Names of the feature columns supplied with the data."""
        return [name for name in self.table.columns if name.startswith("feature_")]

    @property
    def _has_alignment(self) -> bool:
        return self.table["alignment"].null_count() == 0

    @cached_property
    def _labels(self) -> str | None:
        """Kind of word labels, from tags or a post-edit; None if there are none."""
        tags = self.table["tags"]
        if tags.null_count() == len(self):
            return "binary" if self.table["post_edit"].null_count() == 0 else None
        seen = set(tags.explode().drop_nulls().to_list())
        fits = (labels for labels, called in CALLED.items() if seen <= called.keys())
        return None if tags.null_count() else next(fits, None)

    @cached_property
    def changed(self) -> Floats:
        """Indicator of words changed by a post-editor, for training; words are separated by
        blanks.
        """
        assert self._labels is not None
        return (word_task(self.table, self._labels).gold > 0).astype(np.float64)

    @cached_property
    def source(self) -> Lines:
        """Source of every row."""
        return tuple(self.table["source"].to_list())

    @cached_property
    def target(self) -> Lines:
        """Translation of every row."""
        return tuple(self.table["target"].to_list())

    @cached_property
    def source_tokens(self) -> Tokens:
        """Tokens of every source."""
        return split(self.source, self.tokenize, False)

    @cached_property
    def target_tokens(self) -> Tokens:
        """Tokens of every translation."""
        return split(self.target, self.tokenize, False)

    @cached_property
    def source_lengths(self) -> Numbers:
        """Number of tokens of every source."""
        return np.fromiter(map(len, self.source_tokens), np.int64, len(self))

    @cached_property
    def target_lengths(self) -> Numbers:
        """Number of tokens of every translation."""
        return np.fromiter(map(len, self.target_tokens), np.int64, len(self))

    @cached_property
    def target_start(self) -> Numbers:
        """Offsets of the tokens of every translation, and the end of the last."""
        return np.append(0, np.cumsum(self.target_lengths))

    @cached_property
    def group(self) -> Numbers:
        """Group of translations of one source that were ranked together."""
        ranking = self.table["ranking"]
        alone = pl.int_range(len(self), eager=True) + (ranking.max() or 0) + 1
        number = alone.zip_with(ranking.is_null(), ranking).rank("dense")
        return number.to_numpy().astype(np.int64) - 1

    @cached_property
    def group_sizes(self) -> Numbers:
        """Number of translations in the group of each row."""
        return np.bincount(self.group)[self.group]

    @property
    def known(self) -> Resources:
        """Resources, requested by families that need them."""
        assert self.resources is not None
        return self.resources

    @cached_property
    def source_words(self) -> Tokens:
        """Source tokens in the spelling of the resources."""
        return self._spelled(self.source_tokens)

    @cached_property
    def target_words(self) -> Tokens:
        """Target tokens in the spelling of the resources."""
        return self._spelled(self.target_tokens)

    def _spelled(self, tokens: Tokens) -> Tokens:
        if self.resources is not None and not self.resources.recipe.lowercase:
            return tokens
        return [[token.lower() for token in line] for line in tokens]

    @cached_property
    def source_scores(self) -> TokenScores:
        """Scores by the source language model."""
        return self.known.source_model.score(self.source_words)

    @cached_property
    def target_scores(self) -> TokenScores:
        """Scores by the target language model."""
        return self.known.target_model.score(self.target_words)

    @cached_property
    def source_counts(self) -> tuple[TextCounts, ...]:
        """Counts of the n-grams of the sources."""
        return self.known.source_counts.look_up(self.source_words)

    @cached_property
    def target_counts(self) -> tuple[TextCounts, ...]:
        """Counts of the n-grams of the translations."""
        return self.known.target_counts.look_up(self.target_words)

    @cached_property
    def links(self) -> Links:
        """Links supplied with the data (over blank-separated tokens), or else our own."""
        if self._has_alignment:
            return read_links(
                self.table["alignment"].to_list(), self.source_lengths, self.target_lengths
            )
        return best_links(self.target_translated)

    @cached_property
    def target_translated(self) -> Translated:
        """Probabilities of the target tokens, given the sources."""
        return translated(self.known.forward, self.source_words, self.target_words)

    @cached_property
    def source_translated(self) -> Translated:
        """Probabilities of the source tokens, given the translations."""
        return translated(self.known.backward, self.target_words, self.source_words)


def per_row(values: ArrayLike, start: Numbers) -> Floats:
    """Sum over the tokens of every row, bit-identical whatever the other rows are."""
    rows = len(start) - 1
    row = np.repeat(np.arange(rows), np.diff(start))
    return np.bincount(row, np.asarray(values, np.float64), minlength=rows).astype(np.float64)


def share(part: Floats | Numbers, whole: Floats | Numbers) -> Floats:
    """Divide; 0 for a zero denominator."""
    whole = np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole != 0)


# Asked of pseudo-references and between candidates where no metric is named.
METRICS = ("sentbleu", "ter", "chrf")


def prepare(
    table: pl.DataFrame,
    resources: Resources | None = None,
    *,
    tokenize: str | None = None,
    metric: Iterable[str | Metric] = METRICS,
) -> Prepared:
    """Prepare a table of translations (`quality.translations`) for feature extraction.

    By default, texts with an alignment, tags or parts of speech are split at blanks, since these
    refer to such tokens; others are tokenised like the text of the resources, or by 13a.
    """
    require_texts(table)
    for column in table.columns:
        if column.startswith(PSEUDO_REFERENCE) and table[column].null_count():
            raise BadParameter(f"not every translation has a {column}; give one for each")
    prepared = Prepared(
        table,
        resources,
        TOKENIZERS.named(tokenize or _tokenizer(table, resources)).name,
        tuple(map(metric_named, metric)),
    )
    _check_tags("source_tags", prepared.source_tags, prepared.source_lengths)
    _check_tags("target_tags", prepared.target_tags, prepared.target_lengths)
    return prepared


def beside(
    table: pl.DataFrame,
    pseudo_references: Mapping[str, Sequence[str]] | None = None,
    source_tags: Sequence[str] | None = None,
    target_tags: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Add parallel lines to the table as columns: one line for each translation."""
    named = {
        f"{PSEUDO_REFERENCE}{name}": lines for name, lines in (pseudo_references or {}).items()
    }
    tags = {"source_tags": source_tags, "target_tags": target_tags}
    columns = named | {name: lines for name, lines in tags.items() if lines is not None}
    for name, lines in columns.items():
        if len(lines) != len(table):
            called = f"`{name}`" if name in tags else name.removeprefix(PSEUDO_REFERENCE)
            raise BadParameter(
                f"{called} has {len(lines):,} lines for {len(table):,} translations; "
                "give one for each"
            )
    return table.with_columns(pl.Series(name, lines, pl.String) for name, lines in columns.items())


def _tokenizer(table: pl.DataFrame, resources: Resources | None) -> str:
    counted = ("alignment", "tags", "source_tags", "target_tags")
    if any(table[name].null_count() < len(table) for name in counted):
        return "none"
    return "13a" if resources is None else resources.recipe.tokenize


def _check_tags(name: str, tags: Sequence[Sequence[str]] | None, lengths: Numbers) -> None:
    if tags is None:
        return
    wrong = np.flatnonzero(np.fromiter(map(len, tags), np.int64, len(tags)) != lengths)
    if len(wrong):
        row = int(wrong[0])
        raise BadParameter(
            f"`{name}`: line {row + 1} has {len(tags[row])} parts of speech for {lengths[row]} "
            "tokens; give one for each token"
        )
