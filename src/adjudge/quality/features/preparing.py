"""Makes translations ready for features, and refuses what does not fit together."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from adjudge.errors import BadParameter
from adjudge.metrics.metric import Metric, metric_named
from adjudge.metrics.tokenizer import TOKENIZERS
from adjudge.quality.features.column import Numbers
from adjudge.quality.features.prepared import Prepared
from adjudge.quality.translations import require_texts
from adjudge.resources.bundle import Resources

# Asked of pseudo-references and between candidates where no metric is named.
METRICS = ("sentbleu", "ter", "chrf")


def prepare(
    table: pl.DataFrame,
    resources: Resources | None = None,
    *,
    tokenize: str | None = None,
    metric: Iterable[str | Metric] = METRICS,
    pseudo_references: Mapping[str, Sequence[str]] | None = None,
    source_tags: Sequence[Sequence[str]] | None = None,
    target_tags: Sequence[Sequence[str]] | None = None,
) -> Prepared:
    """A table of translations (`quality.translations`) with what stands beside it.

    Without `tokenize`, texts with an alignment or tags, or given parts of speech, are split at
    blanks, for these count such tokens; others as the text of the resources was, or by 13a.
    """
    require_texts(table)
    others = {name: tuple(lines) for name, lines in (pseudo_references or {}).items()}
    for name, lines in others.items():
        if len(lines) != len(table):
            raise BadParameter(
                f"{name} has {len(lines):,} lines for {len(table):,} translations; "
                "give one for each"
            )
    prepared = Prepared(
        table,
        resources,
        TOKENIZERS.named(tokenize or _tokenizer(table, resources, source_tags, target_tags)).name,
        others,
        source_tags,
        target_tags,
        tuple(map(metric_named, metric)),
    )
    _check_tags("source_tags", source_tags, prepared.source_lengths)
    _check_tags("target_tags", target_tags, prepared.target_lengths)
    return prepared


def _tokenizer(
    table: pl.DataFrame,
    resources: Resources | None,
    source_tags: Sequence[Sequence[str]] | None,
    target_tags: Sequence[Sequence[str]] | None,
) -> str:
    by_tokens = any(table[name].null_count() < len(table) for name in ("alignment", "tags"))
    if by_tokens or source_tags is not None or target_tags is not None:
        return "none"
    return "13a" if resources is None else resources.recipe.tokenize


def _check_tags(name: str, tags: Sequence[Sequence[str]] | None, lengths: Numbers) -> None:
    if tags is None:
        return
    if len(tags) != len(lengths):
        raise BadParameter(
            f"`{name}` has {len(tags):,} lines for {len(lengths):,} translations; give one for each"
        )
    wrong = np.flatnonzero(np.fromiter(map(len, tags), np.int64, len(tags)) != lengths)
    if len(wrong):
        row = int(wrong[0])
        raise BadParameter(
            f"`{name}`: line {row + 1} has {len(tags[row])} parts of speech for {lengths[row]} "
            "tokens; give one for each token"
        )
