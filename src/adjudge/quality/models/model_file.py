"""Model files: a ZIP archive of plain arrays and names that runs no code.

The content of `model.json` is specified key by key; anything else is refused.

A specification is a type, several (`int | None` as a tuple), a list of one kind, an object of any
keys and one kind of values (`{str: …}`), or an object of exactly these keys.

A model is a file: a ZIP archive of plain numbers and names that runs no code when it is opened.

`model.json` describes the model: task, features, learner, what was chosen, from what resources and
data, by which version, and how good it was. Every other file is an array of numbers: what features
have learned (`features/…`), and what the estimator has (`estimator/…`). The estimator is made by
our own code, from the learner's name, and given its arrays (`models.estimators`). All of it is
checked before anything is made, and the same training writes the same bytes.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.core.files.decompression import BROKEN_ARCHIVE, open_archive, write_archive
from adjudge.core.files.output import open_output
from adjudge.core.version import __version__
from adjudge.quality.features.extraction import Fitted
from adjudge.quality.features.family import FAMILIES, WORD_FAMILIES, LearnedFamily, State
from adjudge.quality.learners.learner import RANKERS, REGRESSORS, TAGGERS, Learner
from adjudge.quality.models.calibration import Calibration
from adjudge.quality.models.design import Design
from adjudge.quality.models.numbers import NumberModel
from adjudge.quality.models.ranks import RankModel
from adjudge.quality.models.words import WordModel
from adjudge.quality.quantities import Quantity

_NUMBER = (int, float)
CARD: dict[str, Any] = {
    "data": str,
    "learned_from": str,
    "translations": int,
    "resources": (str, type(None)),
    "tokenize": str,
    "metrics": [str],
    "seed": int,
    "measured": {str: _NUMBER},
    "version": str,
    "scikit_learn": str,
    "signature": str,
}
_MODEL: dict[str, Any] = {
    "format": int,
    "task": str,
    "card": CARD,
    "words": {str: [str]},
    "design": {"numbers": [str], "labels": {str: [str]}, "closed": bool},
    "learner": str,
    "chosen": {str: (int, float, str, bool, type(None))},
    "families": [str],
}
_OF_A_NUMBER: dict[str, Any] = {
    "quantity": {
        "name": str, "title": str, "higher_is_better": bool,
        "low": "number", "high": "number", "factor": "number",
    },
    "scale": {"centre": "finite", "spread": "finite", "reach": "finite"},
}  # fmt: skip


def specification(task: str) -> dict[str, Any]:
    """Schema of `model.json` for a task."""
    if task == "words":
        return _MODEL | {"classes": [str]}
    return _MODEL if task == "selection" else _MODEL | _OF_A_NUMBER


def matches(value: Any, specified: Any) -> bool:
    """Test whether a value matches the schema."""
    match specified:
        case "number":  # infinite ends are written as text
            return isinstance(value, str) and _is_number(value)
        case "finite":
            return type(value) in _NUMBER and math.isfinite(value)
        case [each]:
            return isinstance(value, list) and all(matches(one, each) for one in value)
        case _ if isinstance(specified, tuple):
            return type(value) in specified
        case _ if isinstance(specified, Mapping):
            return isinstance(value, dict) and _matches_object(value, specified)
    return type(value) is specified


def _matches_object(value: dict[str, Any], specified: Mapping[Any, Any]) -> bool:
    if str in specified:
        return all(matches(one, specified[str]) for one in value.values())
    return value.keys() == specified.keys() and all(
        matches(value[key], each) for key, each in specified.items()
    )


def _is_number(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False


FORMAT = 4  # counts up when files change
Model = NumberModel | RankModel | WordModel
Arrays = dict[str, NDArray[Any]]
_DESCRIBED = "model.json"
_LEARNERS = {"scoring": REGRESSORS, "time": REGRESSORS, "selection": RANKERS, "words": TAGGERS}
_ENDS = ("low", "high", "factor")  # of quantities, written as text: they may be infinite
_OF_WORDS = ("mean", "deviation", "raised", "calibration_weights", "calibration_bias")


@dataclass(frozen=True)
class Card:
    """Provenance of a model, and its accuracy."""

    data: str  # SHA-256 of the files of the training data
    learned_from: str  # SHA-256 of the translations among them that it learned from
    translations: int
    resources: str | None  # hash of the resources
    tokenize: str
    metrics: tuple[str, ...]  # asked of pseudo-references and between candidates
    seed: int
    measured: Mapping[str, float] = field(default_factory=dict)  # on translations not learned from
    version: str = __version__
    scikit_learn: str = field(default_factory=lambda: _scikit_learn())
    signature: str = ""  # the line from which it can be made again


class _Refused(Exception):
    """Reason for refusing a model file."""


def save_model(model: Model, card: Card, path: str) -> None:
    """Write the file atomically."""
    from adjudge.quality.models.estimators import BadArrays, fitted_arrays

    states = model.features.states if isinstance(model, NumberModel) else {}
    arrays, words = _flattened(states)
    if isinstance(model, WordModel):
        of_words = (
            model.mean, model.deviation, model.raised,
            model.calibration.weights, model.calibration.bias,
        )  # fmt: skip
        arrays |= dict(zip(_OF_WORDS, of_words, strict=True))
    try:
        arrays |= fitted_arrays(model.estimator)
    except BadArrays as error:
        raise AdjudgeError(f"{path}: a model of {model.learner} cannot be saved: {error}") from None
    described: dict[str, Any] = {
        "format": FORMAT,
        "card": asdict(card),
        "words": words,
        "design": asdict(model.design),
        "learner": model.learner,
        "chosen": model.chosen,
    }
    match model:
        case NumberModel():
            scale = {name: getattr(model, name) for name in ("centre", "spread", "reach")}
            described |= {
                "task": model.task,
                "quantity": _json(asdict(model.quantity)),
                "scale": scale,
            }
        case RankModel():
            described |= {"task": "selection"}
        case WordModel():
            described |= {"task": "words", "classes": model.classes}
    families = model.families if isinstance(model, WordModel) else _names(model.features)
    described["families"] = families
    text = json.dumps(described, ensure_ascii=False, indent=1)
    files = {f"{name}.npy": array for name, array in sorted(arrays.items())}
    with open_output(path) as stream:
        write_archive(stream, {_DESCRIBED: text.encode(), **files})


def load_model(path: str) -> tuple[Model, Card]:
    """Read a model; refuse invalid files, other versions and non-numeric content."""
    described, arrays = _contents(path)
    try:
        return _checked(described, arrays)
    except _Refused as error:
        raise InputError(
            f"is not a sound model ({error}); do not trust it, and train one again", file=path
        ) from None


def _contents(path: str) -> tuple[dict[str, Any], Arrays]:
    """Description and arrays of a file; refuse another version or additional content."""
    foreign = InputError("is not a model of `adjudge quality train`", file=path)
    try:
        with open_archive(path) as archive:
            described = json.loads(archive.read(_DESCRIBED))
            if not isinstance(described, dict):
                raise foreign
            _require_version(described, path)
            names = [name for name in archive.names if name != _DESCRIBED]
            if len({*names}) < len(names) or not all(name.endswith(".npy") for name in names):
                raise foreign
            arrays = {name.removesuffix(".npy"): archive.array(name) for name in names}
    except FileNotFoundError:
        raise InputError("no such file; check the path", file=path) from None
    except (IsADirectoryError, PermissionError) as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from None
    except (*BROKEN_ARCHIVE, RecursionError) as error:
        raise foreign from error
    return described, arrays


def _require_version(described: dict[str, Any], path: str) -> None:
    card = described.get("card")
    card = card if isinstance(card, dict) else {}
    if described.get("format") != FORMAT:
        raise InputError(
            f"was made by version {str(card.get('version', 'unknown'))[:20]}, whose models this "
            f"version ({__version__}) cannot read; train it again",
            file=path,
        )
    ours = _scikit_learn()
    if card.get("scikit_learn") != ours:
        raise InputError(
            f"was made with scikit-learn {str(card.get('scikit_learn'))[:20]}, here is {ours}, "
            "which may predict something else; train it again, or install that version",
            file=path,
        )


def _checked(described: dict[str, Any], arrays: Arrays) -> tuple[Model, Card]:
    task = described.get("task")
    if not isinstance(task, str) or task not in _LEARNERS:
        raise _Refused("model.json names no task")
    if not matches(described, specification(task)):
        raise _Refused("model.json has other keys or values than a model's")
    given = described["card"]
    card = Card(**{name: given[name] for name in CARD} | {"metrics": tuple(given["metrics"])})
    design = Design(
        tuple(described["design"]["numbers"]),
        {name: tuple(known) for name, known in described["design"]["labels"].items()},
        described["design"]["closed"],
    )
    try:
        learner = _LEARNERS[task].named(described["learner"])
        families = WORD_FAMILIES if task == "words" else FAMILIES
        chosen = tuple(families.named(name) for name in described["families"])
    except BadParameter as error:
        raise _Refused(str(error)) from None
    return _model(task, described, arrays, design, learner, chosen), card


def _model(
    task: str,
    described: dict[str, Any],
    arrays: Arrays,
    design: Design,
    learner: Learner,
    families: tuple[Any, ...],
) -> Model:
    """Build the model after validating every array."""
    classes = tuple(described.get("classes", ()))
    of_estimator = {name: arrays[name] for name in arrays if name.startswith("estimator/")}
    arrays = {name: arrays[name] for name in arrays if name not in of_estimator}
    if task == "words":
        if described["words"]:
            raise _Refused("it has words, which are not of this task")
        _require_words(arrays, len(design.numbers), len(classes))
        states: dict[str, State] = {}
    else:
        states = _states(arrays, described["words"], families, learned=task != "selection")
    estimator = _estimator(
        learner, described["chosen"], described["card"]["seed"], design, of_estimator,
        labels=len(classes) if task == "words" else 2,
    )  # fmt: skip
    shared = (design, learner.name, described["chosen"], estimator)
    measured = described["card"]["measured"]
    if task == "words":
        mean, deviation, raised, weights, bias = (arrays[name] for name in _OF_WORDS)
        return WordModel(
            classes, tuple(family.name for family in families), design, mean, deviation,
            *shared[1:], Calibration(weights, bias), raised, measured,
        )  # fmt: skip
    fitted = Fitted(families, states)
    if task == "selection":
        return RankModel(fitted, *shared, measured)
    quantity: dict[str, Any] = {
        key: float(value) if key in _ENDS else value for key, value in described["quantity"].items()
    }
    return NumberModel(
        task, Quantity(**quantity), fitted, *shared, measured=measured, **described["scale"]
    )


def _estimator(
    learner: Learner, chosen: dict[str, Any], seed: int, design: Design, arrays: Arrays, labels: int
) -> Any:
    """Build an estimator of the learner with the stored parameters and state."""
    from adjudge.quality.models.estimators import BadArrays, require_arrays, restore

    of_labels = sum(map(len, design.labels.values()))
    columns = len(design.numbers) + of_labels
    estimator = learner.estimator(seed)
    if learner.labels:
        estimator = estimator.set_params(**{learner.labels: of_labels})
    estimator = estimator.set_params(**_parameters(learner, chosen, estimator))
    try:
        require_arrays(estimator, arrays, columns, labels)
    except BadArrays as error:
        raise _Refused(str(error)) from None
    restore(estimator, arrays, columns)
    return estimator


def _parameters(learner: Learner, chosen: dict[str, Any], estimator: Any) -> dict[str, Any]:
    """Selected values from the learner's own grid."""
    # Of a mean, it is said what each member counts; the weights themselves are among the arrays.
    known = {name for name, _ in estimator.estimators} if learner.weighed else {*learner.grid}
    if {*chosen} != known:
        raise _Refused(f"{learner.name} chooses other parameters")
    values: dict[str, Any] = {}
    if learner.weighed:
        return values
    for name, value in chosen.items():
        same = [each for each in learner.grid[name] if each == value]
        if not same:
            raise _Refused(f"{learner.name} does not choose {name} {value!r}")
        values[name] = same[0]
    return values


def _require_words(arrays: Arrays, numbers: int, classes: int) -> None:
    shapes = {
        "mean": (numbers,),
        "deviation": (numbers,),
        "raised": (classes,),
        "calibration_weights": (classes, classes),
        "calibration_bias": (classes,),
    }
    if {*arrays} != {*shapes}:
        raise _Refused("it has other arrays than a model of words")
    for name, shape in shapes.items():
        if not _is_of_numbers(arrays[name]) or arrays[name].shape != shape:
            raise _Refused(f"{name} has another type or shape than {shape}, or is not finite")


def _states(
    arrays: Arrays, words: Mapping[str, list[str]], families: tuple[Any, ...], learned: bool
) -> dict[str, State]:
    """State of learned features by family; refuse other arrays."""
    states: dict[str, dict[str, Any]] = {
        family.name: {} for family in families if isinstance(family, LearnedFamily)
    }
    if states and not learned:
        raise _Refused("it has features that learn from a number, and predicts none")
    for name, part in (*arrays.items(), *((name, tuple(part)) for name, part in words.items())):
        start, _, rest = name.partition("/")
        family, _, key = rest.partition("/")
        if start != "features" or family not in states or key in states[family]:
            raise _Refused(f"{name} is not of this model")
        if isinstance(part, np.ndarray) and (not _is_of_numbers(part) or part.ndim != 1):
            raise _Refused(f"{name} is not a row of finite numbers")
        states[family][key] = part
    for family in families:
        if isinstance(family, LearnedFamily) and not family.is_sound(states[family.name]):
            raise _Refused(f"what {family.name} has learned does not fit together")
    return dict(states)


def _is_of_numbers(array: NDArray[Any]) -> bool:
    return array.dtype == np.float64 and bool(np.isfinite(array).all())


def _scikit_learn() -> str:
    """scikit-learn version without the patch level, which does not change predictions."""
    return ".".join(version("scikit-learn").split(".")[:2])


def _names(fitted: Fitted) -> tuple[str, ...]:
    return tuple(family.name for family in fitted.families)


def _flattened(states: Mapping[str, State]) -> tuple[Arrays, dict[str, tuple[str, ...]]]:
    """Flatten arrays and tuples of words by family and name."""
    arrays: Arrays = {}
    words: dict[str, tuple[str, ...]] = {}
    for family, state in states.items():
        for name, part in state.items():
            if isinstance(part, tuple):
                words[f"features/{family}/{name}"] = part
            else:
                arrays[f"features/{family}/{name}"] = np.asarray(part, np.float64)
    return arrays, words


def _json(described: dict[str, Any]) -> dict[str, Any]:
    """Encode infinite bounds as text, since JSON has no value for them."""
    return {key: str(float(value)) if key in _ENDS else value for key, value in described.items()}
