"""Training of BEER on human preferences by pairwise classification (Macháček 2014 §4.2.2).

Of two outputs of a segment, the features of the better one minus those of the worse one make a
positive example, the other way round a negative one; a logistic regression without an intercept
separates the two. Its weights are normalised so that a copy of the reference scores 1. Of several
references, the one with the most words in common is used.

How well the weights order outputs that they have not seen is measured on parts of the segments,
left out one after the other: Kendall's τ as in WMT14, (right − wrong) / all, over preferences.
Segments of several language pairs that have the same reference are left out together.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import progress
from adjudge.data.comparisons import Comparisons
from adjudge.metrics.beer.extraction import COPY, extraction
from adjudge.metrics.beer.model import Model, Settings
from adjudge.metrics.combination import preferred, separating
from adjudge.metrics.metric import Floats
from adjudge.metrics.metric_inputs import Material
from adjudge.metrics.tokenizer import split
from adjudge.stats.resampling import Codes

FOLDS = 5
FREQUENT = 0.001  # METEOR's bound on the relative frequency of a function word
_SLOPE = 100.0  # scores are the weighted sum itself
_COMMON = {"2014": "all.f", "2.0": "ngram1.f.1.0"}


@dataclass(frozen=True, eq=False)
class TrainedBeer:
    """Trained model of BEER, and its accuracy on held-out segments."""

    model: Model
    preferences: int
    segments: int
    pairs: tuple[str, ...]  # language pairs
    tau: tuple[float, ...]  # on each part of the segments that was left out
    seed: int

    def save(self, path: str) -> None:
        """Write the file that `beer(model=FILE)` reads.

        Parameters
        ----------
        path : str
            Where the file goes.
        """
        variant = self.model.settings.variant
        of_pairs = f" of {', '.join(self.pairs)}" if any(self.pairs) else ""
        self.model.write(
            path, f"BEER {variant}, weights learnt from {self.preferences:,} preferences{of_pairs}"
        )

    def to_frame(self) -> pl.DataFrame:
        """Return one row per feature."""
        return pl.DataFrame(
            {
                "feature": list(self.model.weights),
                "weight": [weight for weight, _, _ in self.model.weights.values()],
            }
        ).with_columns(
            variant=pl.lit(self.model.settings.variant),
            preferences=pl.lit(self.preferences),
            segments=pl.lit(self.segments),
            tau=pl.lit(float(np.mean(self.tau))),
            tau_low=pl.lit(min(self.tau)),
            tau_high=pl.lit(max(self.tau)),
            folds=pl.lit(len(self.tau)),
            seed=pl.lit(self.seed),
        )


def function_words(materials: Sequence[Material], settings: Settings) -> str:
    """Words that make up more than a thousandth of the references, as METEOR defines function
    words.
    """
    counts: Counter[str] = Counter()
    for material in materials:
        for reference in material.references:
            for line in split(reference, settings.tokenize, settings.lowercase == "yes"):
                counts.update(line)
    least = FREQUENT * counts.total()
    return " ".join(sorted(word for word, count in counts.items() if count > least))


def train(
    materials: Sequence[Material],
    people: Sequence[Comparisons],
    settings: Settings,
    resources: str = "",
    paraphrases: str = "",
    seed: int = 1,
) -> TrainedBeer:
    """Train weights on the preferences of one or several language pairs."""
    function = function_words(materials, settings) if settings.variant == "2014" else ""
    settings = replace(settings, function=function, intercept=0.0, slope=_SLOPE, cut="no")
    names = list(COPY[settings.variant])
    differences, shown, segments = [], [], 0
    steps = [(each.pair, (each, said)) for each, said in zip(materials, people, strict=True)]
    for material, said in progress(steps):
        features = _features(material, settings, names, resources, paraphrases)
        line, better, worse = preferred(said, tuple(material.systems), material.segments)
        differences.append(features[line, better] - features[line, worse])
        shown += [material.references[0][place] for place in line]
        segments += len(np.unique(line))
    difference = np.concatenate(differences)
    reference = np.unique(shown, return_inverse=True)[1]
    if reference.max() + 1 < FOLDS:
        raise NotEnoughData(f"people compared outputs of fewer than {FOLDS} of these segments")
    weights = _weights(difference, settings.variant)
    return TrainedBeer(
        Model({n: (float(w), 0.0, 1.0) for n, w in zip(names, weights, strict=True)}, settings),
        len(difference),
        segments,
        tuple(each.pair for each in materials),
        _left_out(difference, reference, seed),
        seed,
    )


def _features(
    material: Material, settings: Settings, names: Sequence[str], resources: str, paraphrases: str
) -> Floats:
    """Features against the best reference (segments × systems × features)."""
    extracted = extraction(material.references, settings, resources, paraphrases)
    by_system = []
    for texts in material.systems.values():
        beside = extracted(texts)
        best = np.argmax([each[_COMMON[settings.variant]] for each in beside], axis=0)
        every = np.array([[each[name] for name in names] for each in beside])
        by_system.append(np.take_along_axis(every, best[None, None, :], axis=0)[0].T)
    return np.stack(by_system, axis=1)


def _weights(difference: Floats, variant: str) -> Floats:
    """Trained weights, normalised to a score of 1 for a copy of the reference."""
    weights = separating(difference)
    of_copy = float(weights @ np.array(list(COPY[variant].values())))
    if not of_copy > 0:
        raise NotEnoughData(
            "people preferred what resembles the reference less; BEER cannot be trained on that"
        )
    return np.asarray(weights / of_copy)


def _left_out(difference: Floats, reference: Codes, seed: int) -> tuple[float, ...]:
    """Cross-validated τ: each fifth of the segments is scored with weights trained on the
    others.
    """
    fold = np.random.default_rng(seed).permutation(int(reference.max()) + 1) % FOLDS
    of_pair, taus = fold[reference], []
    for part in range(FOLDS):
        weights = separating(difference[of_pair != part])
        taus.append(float(np.sign(difference[of_pair == part] @ weights).mean()))
    return tuple(taus)
