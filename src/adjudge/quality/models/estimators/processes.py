"""Serialisation of support vector machines and Gaussian processes, which store translations."""

from typing import Any

import numpy as np
from sklearn.svm import SVR

from adjudge.quality.learners.gaussian_process import BOUNDS, GaussianProcess
from adjudge.quality.models.estimators.kind import (
    Arrays,
    BadArrays,
    Kind,
    Parameter,
    Sizes,
    require_increasing,
)

_PROCESS = ("mean", "deviation", "kept", "level", "theta", "inputs", "owner", "weights")


def _vectors(machine: Any) -> dict[str, Any]:
    return {
        "vectors": machine.support_vectors_,
        "coefficients": machine._dual_coef_,
        "intercept": machine._intercept_,
        "gamma": machine._gamma,
    }


def _restore_machine(machine: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    """Rebuild the bookkeeping of libsvm (numbers and indices of vectors)."""
    vectors, coefficients = np.ascontiguousarray(arrays["vectors"]), arrays["coefficients"]
    number = len(vectors)
    machine.support_vectors_ = vectors
    machine.support_ = np.arange(number, dtype=np.int32)
    machine._n_support = np.array([number, number], np.int32)
    machine._dual_coef_ = machine.dual_coef_ = np.ascontiguousarray(coefficients)
    machine._intercept_ = machine.intercept_ = arrays["intercept"]
    machine._probA = machine._probB = np.zeros(0)
    machine._gamma = float(arrays["gamma"])
    machine._sparse = False
    machine.shape_fit_ = (number, columns)
    machine.fit_status_ = 0
    machine.n_features_in_ = columns


def _check_machine(machine: Any, arrays: Arrays, sizes: Sizes) -> None:
    if machine.kernel != "rbf":
        raise BadArrays("gamma is of another kernel than rbf")


def _sizes_of_process(process: Any, sizes: Sizes) -> Sizes:
    return {"numbers": max(0, sizes["columns"] - process.labels), "owners": max(process.labels, 1)}


def _check_process(process: Any, arrays: Arrays, sizes: Sizes) -> None:
    require_increasing(arrays["kept"], "kept")
    if sizes["theta"] != process.number_of_parameters(sizes["kept"]):
        raise BadArrays("theta has another length than this process has parameters")
    if (np.abs(arrays["theta"]) > BOUNDS[1]).any():
        raise BadArrays("theta has a value beyond its bounds")


def _restore_process(process: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    for name in _PROCESS:
        setattr(process, f"{name}_", arrays[name])
    process.level_ = float(arrays["level"])


KINDS: dict[type, Kind] = {
    SVR: Kind(
        {
            "vectors": Parameter("f8", ("vectors", "columns")),
            "coefficients": Parameter("f8", (1, "vectors")),
            "intercept": Parameter("f8", (1,)),
            "gamma": Parameter("f8", least=0),
        },
        _vectors,
        _restore_machine,
        check=_check_machine,
    ),
    GaussianProcess: Kind(
        {
            "mean": Parameter("f8", ("numbers",)),
            "deviation": Parameter("f8", ("numbers",)),
            "kept": Parameter("i8", ("kept",), least=0, below="numbers"),
            "level": Parameter("f8"),
            "theta": Parameter("f8", ("theta",)),
            "inputs": Parameter("f8", ("rows", "kept")),
            "owner": Parameter("i8", ("rows",), least=0, below="owners"),
            "weights": Parameter("f8", ("rows",)),
        },
        lambda process: {name: getattr(process, f"{name}_") for name in _PROCESS},
        _restore_process,
        sizes=_sizes_of_process,
        check=_check_process,
    ),
}
