"""Active learning: annotation order by predictive variance (SHEF, WMT13 §6.7).

The next translation is the one with the largest variance under a Gaussian process. The variance
does not depend on the annotations, so the whole order is known in advance (Shah, Cohn and Specia
2013).
"""

import polars as pl

from adjudge.core.errors import BadParameter
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.models.numbers import NumberModel

MOST = 20_000  # translations whose covariance fits in memory


def annotation_order(model: NumberModel, prepared: Prepared, number: int | None) -> pl.DataFrame:
    """Choose the first `number` translations to annotate: row, segment and uncertainty of each.

    `deviation` is the predictive standard deviation given all earlier ones; for a number predicted
    on the log scale, such as seconds, that of the logarithm.
    """
    from adjudge.quality.learners.gaussian_process import GaussianProcess, order_of_variance

    process = model.estimator
    if not isinstance(process, GaussianProcess):
        raise BadParameter(
            f"{model.learner} does not know how uncertain it is of a translation; train a model "
            'with `learner="gaussian-process"`'
        )
    if len(prepared) > MOST:
        raise BadParameter(
            f"there are {len(prepared):,} translations, and at most {MOST:,} can be put in order; "
            "give a part of them"
        )
    matrix = model.design.matrix(model.features.features(prepared))
    rows, deviation = order_of_variance(
        process.covariance(matrix), process.noise(matrix), min(number or len(matrix), len(matrix))
    )
    return pl.DataFrame(
        {
            "row": rows + 1,
            "segment": prepared.table["segment"].gather(rows),
            "deviation": model.spread * deviation,
        }
    )
