"""LAYERED (Gautam and Bhattacharyya 2014; Macháček 2014 §4.2.7): metrics on several layers.

    LAYERED = 0.26 BLEU + 0.13 HAMMING + 0.03 KTD + 0.04 SPEARMAN + 0.28 SHALLOW + 0.26 DEEP

BLEU (0 to 1) is the lexical layer; HAMMING, KTD and SPEARMAN are of the order of words (`hamming`),
SHALLOW and DEEP of dependencies in common (`dependencies`). A line has the layers with ` ||| `
between, as far as they are known: words, the alignment with the source, a parse, a deep parse:

    cats sleep ||| 0-0 1-1 ||| cats|2|nsubj sleep|0|root

A layer that no reference has is left out, and the weights of the others are divided by their sum.
DEEP came from a program that is not public, so LAYERED as published cannot be computed; no numbers
are known. BLEU is of a corpus, the other layers are means of its segments. Words are split at
blanks unless `tokenize` says otherwise. 0 to 1, but less than 0 where SPEARMAN is. Several
references count in BLEU as there, else the best counts. An empty output has nothing of any layer.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.metrics.catalogue.dependencies import DependencyOverlap
from adjudge.metrics.catalogue.hamming import Hamming, Ktd, Spearman
from adjudge.metrics.edits import ratio
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts

BETWEEN = "|||"
# Each metric after BLEU, the field of a line that it reads, and its weight.
_LAYERS: tuple[tuple[Metric, int, float], ...] = (
    (Hamming(), 1, 0.13),
    (Ktd(), 1, 0.03),
    (Spearman(), 1, 0.04),
    (DependencyOverlap(), 2, 0.28),
    (DependencyOverlap(), 3, 0.26),
)
_BLEU = 0.26


@dataclass(frozen=True)
class Layered(Metric):
    """LAYERED with its parameters."""

    name: ClassVar[str] = "layered"
    title: ClassVar[str] = "LAYERED"
    summary: ClassVar[str] = "BLEU, word order and dependencies, weighted (lines have layers)"
    paper: ClassVar[str] = "Gautam and Bhattacharyya 2014"
    scale: ClassVar[str] = "0 to 1"
    reads: ClassVar[str] = "layers"

    tokenize: str = "none"
    lowercase: bool = False

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: BLEU's counts, then score and presence of every layer."""
        theirs = [[_fields(line) for line in lines] for lines in references]
        words = self._bleu().statistics([_column(fields, 0) for fields in theirs])
        present = [
            np.any([[bool(line[place]) for line in fields] for fields in theirs], axis=0)
            for _, place, _ in _LAYERS
        ]
        layers = [
            metric.statistics([_column(fields, place) for fields in theirs])
            for metric, place, _ in _LAYERS
        ]

        def counted(texts: Texts) -> Floats:
            own = [_fields(line) for line in texts]
            columns = [words(_column(own, 0))]
            for layer, known, (_, place, _) in zip(layers, present, _LAYERS, strict=True):
                scores = layer(_column(own, place))[:, 0]
                columns.append(np.column_stack([np.where(known, scores, 0.0), known]))
            return np.concatenate(columns, axis=1)

        return counted

    def _bleu(self) -> Bleu:
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase)

    def values(self, sums: Floats) -> Floats:
        """LAYERED of a corpus."""
        first = sums.shape[-1] - 2 * len(_LAYERS)
        return self._weighted(self._bleu().values(sums[..., :first]), sums[..., first:])

    def segment_values(self, statistics: Floats) -> Floats:
        """LAYERED of every segment, with sentence-level BLEU."""
        first = statistics.shape[-1] - 2 * len(_LAYERS)
        bleu = self._bleu().segment_values(statistics[..., :first])
        return self._weighted(bleu, statistics[..., first:])

    def _weighted(self, bleu: Floats, layers: Floats) -> Floats:
        weights = np.array([weight for _, _, weight in _LAYERS])
        total, number = layers[..., 0::2], layers[..., 1::2]
        known = weights * (number > 0)
        score = _BLEU * bleu / 100 + (known * ratio(total, number)).sum(axis=-1)
        return np.asarray(score / (_BLEU + known.sum(axis=-1)))


def _fields(line: str) -> tuple[str, str, str, str]:
    parts = [part.strip() for part in line.split(BETWEEN)]
    return tuple([*parts, "", "", "", ""][:4])  # type: ignore[return-value]


def _column(lines: list[tuple[str, str, str, str]], place: int) -> Texts:
    return tuple(line[place] for line in lines)


METRIC = Layered()
