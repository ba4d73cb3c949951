"""Serialisation of preprocessing: standardisation and thresholds."""

from typing import Any

from sklearn.preprocessing import Binarizer, StandardScaler

from adjudge.quality.models.estimators.kind import Arrays, Kind, Parameter


def _restore_scaler(scaler: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    scaler.mean_, scaler.scale_ = arrays["mean"], arrays["scale"]
    scaler.n_features_in_ = columns


def _restore_binarizer(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made.n_features_in_ = columns


KINDS: dict[type, Kind] = {
    StandardScaler: Kind(
        {"mean": Parameter("f8", ("columns",)), "scale": Parameter("f8", ("columns",))},
        lambda scaler: {"mean": scaler.mean_, "scale": scaler.scale_},
        _restore_scaler,
    ),
    Binarizer: Kind(restore=_restore_binarizer),
}
