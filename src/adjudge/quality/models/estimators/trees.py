"""Serialisation of forests and boosted trees: all nodes of all trees in one array per field.

Nodes are in depth-first order with children after their parents, so every walk from the root
terminates. Numbers of samples and impurities, which only describe training, are dropped.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.ensemble import (
    ExtraTreesRegressor,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree._tree import Tree

from adjudge.quality.models.estimators.kind import Arrays, BadArrays, Kind, Parameter, Sizes
from adjudge.quality.models.estimators.linear import CLASSES, check_classes

_LEAF, _NO_FEATURE = -1, -2  # as scikit-learn's trees have them
_NODES = {
    "nodes": Parameter("i8", ("trees",), least=1),  # of every tree
    "left": Parameter("i4", ("all",), least=_LEAF),  # number in its tree
    "right": Parameter("i4", ("all",), least=_LEAF),
    "feature": Parameter("i4", ("all",), least=_NO_FEATURE, below="columns"),
    "threshold": Parameter("f8", ("all",), infinite=True),
    "missing_left": Parameter("u1", ("all",), below=2),
}


def _check_nodes(made: Any, arrays: Arrays, sizes: Sizes) -> None:
    """Refuse a child outside its tree or before its parent, and half leaves."""
    nodes, left, right = arrays["nodes"], arrays["left"], arrays["right"]
    if (nodes > sizes["all"]).any() or nodes.sum() != sizes["all"]:
        raise BadArrays("nodes does not add up to the nodes that there are")
    leaf = left == _LEAF
    if (leaf != (right == _LEAF)).any() or (~leaf & (arrays["feature"] < 0)).any():
        raise BadArrays("left, right and feature disagree on which nodes are leaves")
    own = np.arange(sizes["all"]) - np.repeat(np.cumsum(nodes) - nodes, nodes)
    end = np.repeat(nodes, nodes)
    for name, child in (("left", left), ("right", right)):
        if (~leaf & ((child <= own) | (child >= end))).any():
            raise BadArrays(f"{name} leads out of its tree, or back")


def _check_forest(made: Any, arrays: Arrays, sizes: Sizes) -> None:
    _check_nodes(made, arrays, sizes)
    if "classes" in arrays:
        check_classes(made, arrays, sizes)


def _trees_of(forest: Any) -> dict[str, Any]:
    states = [tree.tree_.__getstate__() for tree in forest.estimators_]
    nodes = np.concatenate([state["nodes"] for state in states])
    taken = {
        "nodes": [state["node_count"] for state in states],
        "left": nodes["left_child"],
        "right": nodes["right_child"],
        "feature": nodes["feature"],
        "threshold": nodes["threshold"],
        "missing_left": nodes["missing_go_to_left"],
        "value": np.concatenate([state["values"][:, 0] for state in states]),
    }
    return taken | ({"classes": forest.classes_} if hasattr(forest, "classes_") else {})


def _restore_forest(forest: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    forest._validate_estimator()
    forest.n_features_in_, forest.n_outputs_, forest.estimators_ = columns, 1, []
    classes = arrays.get("classes")
    if classes is not None:
        forest.classes_, forest.n_classes_ = classes, len(classes)
    for own in _each_tree(arrays):
        tree = forest._make_estimator(append=False)
        tree.n_features_in_, tree.n_outputs_ = columns, 1
        if classes is not None:
            tree.classes_, tree.n_classes_ = classes, np.int64(len(classes))
        tree.tree_ = _tree(own, columns, 1 if classes is None else len(classes))
        forest.estimators_.append(tree)


def _each_tree(arrays: Arrays) -> Iterator[Arrays]:
    """Node fields of every tree."""
    ends = np.cumsum(arrays["nodes"])
    per_node = [name for name in arrays if name in {*_NODES, "value"} - {"nodes"}]
    for end, number in zip(ends, arrays["nodes"], strict=True):
        yield {name: arrays[name][end - number : end] for name in per_node}


def _tree(own: Arrays, columns: int, classes: int) -> Any:
    tree: Any = Tree(columns, np.array([classes], np.intp), 1)
    state = tree.__getstate__()
    number = len(own["left"])
    nodes = np.zeros(number, state["nodes"].dtype)
    nodes["left_child"], nodes["right_child"] = own["left"], own["right"]
    nodes["feature"], nodes["threshold"] = own["feature"], own["threshold"]
    nodes["missing_go_to_left"] = own["missing_left"]
    values = np.ascontiguousarray(own["value"][:, None, :], np.float64)
    tree.__setstate__(
        {"max_depth": number - 1, "node_count": number, "nodes": nodes, "values": values}
    )
    return tree


def _boosted(made: Any) -> dict[str, Any]:
    each = [predictor.nodes for (predictor,) in made._predictors]
    nodes = np.concatenate(each)
    leaf = nodes["is_leaf"] == 1
    return {
        "nodes": [len(one) for one in each],
        "left": np.where(leaf, _LEAF, nodes["left"].astype(np.int64)),
        "right": np.where(leaf, _LEAF, nodes["right"].astype(np.int64)),
        "feature": np.where(leaf, _NO_FEATURE, nodes["feature_idx"]),
        "threshold": nodes["num_threshold"],
        "missing_left": nodes["missing_go_to_left"],
        "value": nodes["value"],
        "baseline": made._baseline_prediction,
    }


def _restore_boosted(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    made._loss = made._get_loss(sample_weight=None)
    made._baseline_prediction = arrays["baseline"]
    made._preprocessor, made.is_categorical_ = None, None  # features are numbers
    made._bin_mapper = _BinMapper()
    made._bin_mapper.is_categorical_ = np.zeros(columns, np.uint8)
    made._bin_mapper.bin_thresholds_ = [np.zeros(0)] * columns
    made.n_features_in_ = made._n_features = columns
    made.n_trees_per_iteration_ = 1
    made._predictors = [[_predictor(own)] for own in _each_tree(arrays)]


def _predictor(own: Arrays) -> Any:
    nodes = np.zeros(len(own["left"]), PREDICTOR_RECORD_DTYPE)
    leaf = own["left"] == _LEAF
    nodes["is_leaf"], nodes["value"] = leaf, own["value"]
    nodes["left"], nodes["right"] = np.where(leaf, 0, own["left"]), np.where(leaf, 0, own["right"])
    nodes["feature_idx"] = np.where(leaf, 0, own["feature"])
    nodes["num_threshold"], nodes["missing_go_to_left"] = own["threshold"], own["missing_left"]
    none = np.zeros((0, 8), np.uint32)
    return TreePredictor(nodes, none, none)


def _number_of_trees(forest: Any, sizes: Sizes) -> Sizes:
    return {"trees": forest.n_estimators}


KINDS: dict[type, Kind] = {
    ExtraTreesRegressor: Kind(
        _NODES | {"value": Parameter("f8", ("all", 1))},
        _trees_of,
        _restore_forest,
        sizes=_number_of_trees,
        check=_check_forest,
    ),
    RandomForestClassifier: Kind(
        _NODES | {"classes": CLASSES, "value": Parameter("f8", ("all", "classes"))},
        _trees_of,
        _restore_forest,
        sizes=_number_of_trees,
        check=_check_forest,
    ),
    HistGradientBoostingRegressor: Kind(
        _NODES | {"value": Parameter("f8", ("all",)), "baseline": Parameter("f8", (1, 1))},
        _boosted,
        _restore_boosted,
        sizes=lambda made, sizes: {"trees": made.max_iter},
        check=_check_nodes,
    ),
}
