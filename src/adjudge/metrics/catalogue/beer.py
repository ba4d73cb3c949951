"""BEER (Stanojević and Sima'an 2014, 2015; Macháček 2014 §4.2.2): a linear model of similarities.

    score = (intercept + slope · Σ w_i (φ_i − min_i)/(max_i − min_i)) / 100

The features φ are those of one of two variants, as the model says: BEER 2014 has 27 of adequacy
and six of word order (`beer.features_2014`), BEER 2.0 has 62 (`beer.features_2_0`).

`model` is a file with the columns feature, weight, min and max. `adjudge beer` trains one, of
either variant, on human preferences (`beer.training`); its file also says how texts become words.
Its score is the thesis's w · φ, scaled so that a copy of the reference has 1: about 0 to 1, but an
output may have more than a copy where a weight is negative. The model that BEER 2.0 was published
with is not part of Adjudge, but public. With it the score is the tool's: intercept and slope are
8.580459341342790 and 20.51272094172102, words are split at blanks, and the score is cut to 0 to 1.

`resources` and `paraphrases` are METEOR's files (`meteor`), for a model that was trained with
synonyms or paraphrases. The score of a corpus is the mean of its segments (the tool divides by one
more). Of several references the best counts. An empty output has nothing of a reference.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.beer.extraction import extraction
from adjudge.metrics.beer.model import read_model
from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts


@dataclass(frozen=True)
class Beer(Metric):
    """BEER with its parameters."""

    name: ClassVar[str] = "beer"
    title: ClassVar[str] = "BEER"
    summary: ClassVar[str] = "linear model of similarities, trained on rankings (needs model=FILE)"
    paper: ClassVar[str] = "Stanojević and Sima'an 2014, 2015"
    scale: ClassVar[str] = "0 to 1"
    slow: ClassVar[bool] = True

    model: str = ""
    resources: str = ""
    paraphrases: str = ""

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        model = read_model(self.model)
        extracted = extraction(references, model.settings, self.resources, self.paraphrases)

        def scored(texts: Texts) -> Floats:
            each = [model.scores(features) for features in extracted(texts)]
            return scores_and_ones(np.max(each, axis=0))

        return scored

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)


METRIC = Beer()
