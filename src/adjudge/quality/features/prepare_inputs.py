"""Makes translations ready for features, and refuses what does not fit together."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter
from adjudge.metrics.metric import Metric, metric_named
from adjudge.metrics.tokenizer import TOKENIZERS
from adjudge.quality.features.column import Numbers
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.translations import PSEUDO_REFERENCE, require_texts
from adjudge.text.resources.bundle import Resources

# Asked of pseudo-references and between candidates where no metric is named.
METRICS = ("sentbleu", "ter", "chrf")


def prepare(
    table: pl.DataFrame,
    resources: Resources | None = None,
    *,
    tokenize: str | None = None,
    metric: Iterable[str | Metric] = METRICS,
) -> Prepared:
    """A table of translations (`quality.translations`), ready for features.

    Without `tokenize`, texts with an alignment or tags, or given parts of speech, are split at
    blanks, for these count such tokens; others as the text of the resources was, or by 13a.
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
    """The table with lines that stand beside it as columns: one line for each translation."""
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
