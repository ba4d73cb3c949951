"""Oracles: predictions by somebody who sees what people wrote (WMT13 §6.8).

Of numbers (Tables 12 and 13) the truth itself, and BLEU of the translation beside its post-edit as
1 − HBLEU. Of rankings (Tables 14 to 17) people's ranks, and BLEU and METEOR beside the reference,
two candidates being tied where their scores differ by less than a margin; 0 ties equal scores only.
A margin does not make classes: of three candidates the outer two may differ where neither differs
from the middle one. So an oracle decides pairs. METEOR matches exact words (METEOR-ex); both
metrics take mteval-v13a's tokens.
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
    """What an oracle says of pairs: positive where the better by people is its better one."""

    name: str
    decided: Floats


def hbleu(table: pl.DataFrame) -> Floats | None:
    """1 − BLEU of every translation beside its post-edit; None where one has no post-edit."""
    if table["post_edit"].null_count() or table["target"].null_count():
        return None
    return 1 - segment_scores("bleu", table["target"].to_list(), table["post_edit"].to_list())


def pair_oracles(task: SelectionTask) -> list[PairOracle]:
    """People themselves, and metrics with margins where candidates have references."""
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
    """The sign of each difference, 0 where it is smaller than the margin."""
    difference = scores[better] - scores[worse]
    return np.where(np.abs(difference) < margin, 0.0, np.sign(difference))


def segment_scores(signature: str, texts: Sequence[str], references: Sequence[str]) -> Floats:
    """A metric of every segment, from 0 to 1."""
    metric = metric_named(signature)
    scores = metric.segment_values(metric.statistics([tuple(references)])(tuple(texts)))
    return scores / 100 if metric.scale == "0 to 100" else scores


def _meteor(table: pl.DataFrame) -> str:
    """METEOR of exact words, with the weights of the target language where it is known."""
    pair = table["pair"].drop_nulls().unique().to_list()
    language = pair[0].rpartition("-")[2] if len(pair) == 1 else "other"
    language = _METEOR_LANGUAGES.get(language, language)
    return f"meteor(language={language},modules=exact,words=none,normalize=no)"
