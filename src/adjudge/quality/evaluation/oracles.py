"""Oracles: predictions from the human data themselves (WMT13 §6.8).

For numbers (Tables 12 and 13) these are the truth itself, and 1 − HBLEU, BLEU of the translation
against its post-edit. For rankings (Tables 14 to 17) they are human ranks, and BLEU and METEOR
against the reference, with candidates tied if their scores differ by less than a margin; margin 0
ties equal scores only. A margin does not make classes: of three candidates the outer two may differ
where neither differs from the middle one. So an oracle decides pairs. METEOR matches exact words
(METEOR-ex); both metrics take mteval-v13a's tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.metrics.metric import metric_named
from adjudge.metrics.words import split_texts
from adjudge.quality.tasks.selection import SelectionTask
from adjudge.quality.translations import Codes
from adjudge.stats.resampling import Floats

MARGINS = (0.0, 0.01, 0.02)
_METEOR_LANGUAGES = {"cs": "cz"}  # what METEOR calls them


@dataclass(frozen=True, eq=False)
class PairOracle:
    """Decisions of an oracle on pairs: positive if it agrees with the human preference."""

    name: str
    decided: Floats


def hbleu(table: pl.DataFrame) -> Floats | None:
    """Compute 1 − BLEU of every translation against its post-edit; None if one lacks a
    post-edit.
    """
    if table["post_edit"].null_count() or table["target"].null_count():
        return None
    return 1 - segment_scores("bleu", table["target"].to_list(), table["post_edit"].to_list())


def pair_oracles(task: SelectionTask) -> list[PairOracle]:
    """Oracles from human ranks, and from metrics with margins if candidates have references."""
    better, worse = task.untied
    oracles = [PairOracle("Oracle Human", np.ones(len(better)))]
    table = task.table
    if table["reference"].null_count() or table["target"].null_count():
        return oracles
    texts, references = (
        [" ".join(words) for words in split_texts(tuple(table[side]), "13a", False)]
        for side in ("target", "reference")
    )
    for title, signature in (("BLEU", "bleu(tokenize=none)"), ("METEOR-ex", _meteor(table))):
        scores = segment_scores(signature, texts, references)
        oracles += [
            PairOracle(
                f"Oracle {title} (margin {margin:.2f})", decide(scores, better, worse, margin)
            )
            for margin in MARGINS
        ]
    return oracles


def decide(scores: Floats, better: Codes, worse: Codes, margin: float) -> Floats:
    """Sign of each difference, 0 if it is smaller than the margin."""
    difference = scores[better] - scores[worse]
    return np.where(np.abs(difference) < margin, 0.0, np.sign(difference))


def segment_scores(signature: str, texts: Sequence[str], references: Sequence[str]) -> Floats:
    """Score of every segment by a metric, from 0 to 1."""
    metric = metric_named(signature)
    scores = metric.segment_values(metric.statistics([tuple(references)])(tuple(texts)))
    return scores / 100 if metric.scale == "0 to 100" else scores


def _meteor(table: pl.DataFrame) -> str:
    """METEOR with exact matches, and the weights of the target language if known."""
    pair = table["pair"].drop_nulls().unique().to_list()
    language = pair[0].rpartition("-")[2] if len(pair) == 1 else "other"
    language = _METEOR_LANGUAGES.get(language, language)
    return f"meteor(language={language},modules=exact,words=none,normalize=no)"
