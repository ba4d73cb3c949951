"""Serialisation of linear estimators."""

from typing import Any

from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import ElasticNet, LogisticRegression
from sklearn.naive_bayes import ComplementNB

from adjudge.quality.models.estimators.kind import (
    Arrays,
    BadArrays,
    Kind,
    Parameter,
    Sizes,
    require_increasing,
)

CLASSES = Parameter("i8", ("classes",), least=0, below="labels")


def _restore_linear(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made.coef_, made.intercept_ = arrays["coefficients"], arrays["intercept"][()]
    made.n_features_in_ = columns


def _restore_squares(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made._x_mean = arrays["mean"]
    made.coef_, made.intercept_ = arrays["coefficients"], arrays["intercept"]
    made._predict_1d = True
    made.n_features_in_ = columns


def _restore_logistic(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made.classes_ = arrays["classes"]
    made.coef_, made.intercept_ = arrays["coefficients"], arrays["intercept"]
    made.n_features_in_ = columns


def _check_logistic(made: Any, arrays: Arrays, sizes: Sizes) -> None:
    check_classes(made, arrays, sizes)
    if sizes["rows"] != (1 if sizes["classes"] == 2 else sizes["classes"]):
        raise BadArrays("coefficients has not one row for every class")


def _restore_bayes(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made.classes_ = arrays["classes"]
    made.feature_log_prob_ = arrays["weights"]
    made.n_features_in_ = columns


def check_classes(made: Any, arrays: Arrays, sizes: Sizes) -> None:
    """Refuse classes that are not sorted, or fewer than two."""
    require_increasing(arrays["classes"], "classes", least=2)


KINDS: dict[type, Kind] = {
    ElasticNet: Kind(
        {"coefficients": Parameter("f8", ("columns",)), "intercept": Parameter("f8")},
        lambda made: {"coefficients": made.coef_, "intercept": made.intercept_},
        _restore_linear,
    ),
    PLSRegression: Kind(
        {
            "mean": Parameter("f8", ("columns",)),
            "coefficients": Parameter("f8", (1, "columns")),
            "intercept": Parameter("f8", (1,)),
        },
        lambda made: {
            "mean": made._x_mean, "coefficients": made.coef_, "intercept": made.intercept_
        },
        _restore_squares,
    ),
    LogisticRegression: Kind(
        {
            "classes": CLASSES,
            "coefficients": Parameter("f8", ("rows", "columns")),
            "intercept": Parameter("f8", ("rows",)),
        },
        lambda made: {
            "classes": made.classes_, "coefficients": made.coef_, "intercept": made.intercept_
        },
        _restore_logistic,
        check=_check_logistic,
    ),
    ComplementNB: Kind(
        {"classes": CLASSES, "weights": Parameter("f8", ("classes", "columns"))},
        lambda made: {"classes": made.classes_, "weights": made.feature_log_prob_},
        _restore_bayes,
        check=check_classes,
    ),
}  # fmt: skip
