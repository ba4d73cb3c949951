"""A model is a file: a ZIP archive of plain numbers and names that runs no code when it is opened.

`model.json` says what the model is: task, features, learner, what was chosen, from what resources
and data, by which version, and how good it was; `arrays.npz` has the numbers of learned features;
`estimator.skops` the estimator, of which only types of scikit-learn's and ours are taken (skops).
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from adjudge import __version__
from adjudge.errors import InputError
from adjudge.files.output import open_output
from adjudge.quality.features.extraction import Fitted
from adjudge.quality.features.family import FAMILIES, State
from adjudge.quality.models.calibration import Calibration
from adjudge.quality.models.design import Design
from adjudge.quality.models.numbers import NumberModel
from adjudge.quality.models.ranks import RankModel
from adjudge.quality.models.words import WordModel
from adjudge.quality.quantities import Quantity

FORMAT = 3  # counts up when files change
Model = NumberModel | RankModel | WordModel
_TRUSTED = ("sklearn.", "numpy.", "scipy.sparse.", "adjudge.quality.learners.")


@dataclass(frozen=True)
class Card:
    """What a model was made from, and how good it was."""

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


def save_model(model: Model, card: Card, path: str) -> None:
    """Write the file whole or not at all."""
    import skops.io

    states = model.features.states if isinstance(model, NumberModel) else {}
    arrays, words = _flattened(states)
    if isinstance(model, WordModel):
        arrays |= {
            "mean": model.mean,
            "deviation": model.deviation,
            "raised": model.raised,
            "calibration_weights": model.calibration.weights,
            "calibration_bias": model.calibration.bias,
        }
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
    numbers = io.BytesIO()
    np.savez(numbers, **arrays)
    with open_output(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("model.json", json.dumps(described, ensure_ascii=False, indent=1))
        file.writestr("arrays.npz", numbers.getvalue())
        file.writestr("estimator.skops", skops.io.dumps(model.estimator))


def load_model(path: str) -> tuple[Model, Card]:
    """Read a model, and refuse what is none, another version's, or holds more than numbers."""
    try:
        with zipfile.ZipFile(path) as file:
            described = json.loads(file.read("model.json"))
            arrays = dict(np.load(io.BytesIO(file.read("arrays.npz")), allow_pickle=False))
            estimator = file.read("estimator.skops")
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise InputError("is no model of `adjudge quality train`", file=path) from error
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    if not isinstance(described, dict):
        raise InputError("is no model of `adjudge quality train`", file=path)
    if described.get("format") != FORMAT:
        made_by = described.get("card", {}).get("version", "unknown")
        raise InputError(
            f"was made by version {made_by}, whose models this version ({__version__}) "
            "cannot read; train it anew",
            file=path,
        )
    card = Card(**described["card"])
    design = described["design"]
    labels = {name: tuple(known) for name, known in design["labels"].items()}
    shared = (
        Design(tuple(design["numbers"]), labels, design["closed"]),
        described["learner"],
        described["chosen"],
        _estimator(estimator, path, card),
    )
    return _model(described, arrays, shared), card


def _model(described: dict[str, Any], arrays: dict[str, Any], shared: tuple[Any, ...]) -> Model:
    design, learner, chosen, estimator = shared
    names, measured = tuple(described["families"]), described["card"]["measured"]
    if described["task"] == "words":
        return WordModel(
            tuple(described["classes"]), names, design, arrays["mean"], arrays["deviation"],
            learner, chosen, estimator,
            Calibration(arrays["calibration_weights"], arrays["calibration_bias"]),
            arrays["raised"], measured,
        )  # fmt: skip
    states = _nested(arrays, described["words"])
    fitted = Fitted(tuple(FAMILIES.named(name) for name in names), states)
    if described["task"] == "selection":
        return RankModel(fitted, design, learner, chosen, estimator, measured)
    quantity: dict[str, Any] = {
        key: float(value) if key in ("low", "high", "factor") else value
        for key, value in described["quantity"].items()
    }
    return NumberModel(
        described["task"], Quantity(**quantity), fitted, design, learner, chosen, estimator,
        measured=measured, **described["scale"],
    )  # fmt: skip


def _estimator(data: bytes, path: str, card: Card) -> Any:
    import skops.io

    ours = _scikit_learn()
    if card.scikit_learn != ours:
        raise InputError(
            f"was made with scikit-learn {card.scikit_learn}, here is {ours}, which may predict "
            "something else; train it anew, or install that version",
            file=path,
        )
    try:
        unknown = skops.io.get_untrusted_types(data=data)
    except (ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            "holds an estimator that cannot be read; trust it not", file=path
        ) from error
    foreign = [name for name in unknown if not name.startswith(_TRUSTED)]
    if foreign:
        raise InputError(f"holds {foreign[0]}, which scikit-learn has not; trust it not", file=path)
    return skops.io.loads(data, trusted=unknown)


def _scikit_learn() -> str:
    """Its version; within one, patches keep to what an estimator says."""
    return ".".join(version("scikit-learn").split(".")[:2])


def _names(fitted: Fitted) -> tuple[str, ...]:
    return tuple(family.name for family in fitted.families)


def _flattened(states: Mapping[str, State]) -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """Arrays, and tuples of words, by family and name."""
    flat = {
        f"{family}/{name}": part for family, state in states.items() for name, part in state.items()
    }
    words = {name: part for name, part in flat.items() if isinstance(part, tuple)}
    return {name: part for name, part in flat.items() if name not in words}, words


def _nested(arrays: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    states: dict[str, dict[str, Any]] = {}
    for name, part in (*arrays.items(), *((name, tuple(part)) for name, part in words.items())):
        family, _, key = name.partition("/")
        if key:
            states.setdefault(family, {})[key] = part
    return states


def _json(described: dict[str, Any]) -> dict[str, Any]:
    """Infinite ends as text, for JSON has no word for them."""
    return {
        key: str(value) if isinstance(value, float) else value for key, value in described.items()
    }
