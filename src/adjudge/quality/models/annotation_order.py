"""In which order to have translations annotated: active learning by variance (SHEF, WMT13 §6.7).

Next comes the translation of which a Gaussian process knows least. How uncertain it is does not
depend on what annotators will say, so the whole order is known before the first one is asked
(Shah, Cohn and Specia 2013).
"""

import polars as pl

from adjudge.core.errors import BadParameter
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.models.numbers import NumberModel

MOST = 20_000  # translations whose covariance fits in memory


def annotation_order(model: NumberModel, prepared: Prepared, number: int | None) -> pl.DataFrame:
    """The first `number` translations to annotate: row, segment, and how uncertain each is.

    `deviation` is the standard deviation of what is predicted, given all before it; of a number
    that is predicted by its logarithm, as seconds, that of the logarithm.
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
