"""Model files: predictions to the last bit, equal bytes, and nothing in them is ever called."""

import gc
import io
import json
import re
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from adjudge.core.errors import BadParameter, InputError
from adjudge.quality.features.extraction import Fitted
from adjudge.quality.features.family import FAMILIES
from adjudge.quality.learners.learner import RANKERS, REGRESSORS, TAGGERS, Learner
from adjudge.quality.models import model_file
from adjudge.quality.models.calibration import Calibration
from adjudge.quality.models.design import Design
from adjudge.quality.models.model_file import Card, Model, load_model, save_model
from adjudge.quality.models.numbers import NumberModel
from adjudge.quality.models.ranks import RankModel
from adjudge.quality.models.words import WordModel
from adjudge.quality.quantities import QUANTITIES

REGISTRIES = {"scoring": REGRESSORS, "selection": RANKERS, "words": TAGGERS}
EVERY = [(task, name) for task, registry in REGISTRIES.items() for name in registry]
COLUMNS, ROWS = 12, 90
START = np.array([0, 30, 31, 90])
CARD = Card("d", "l", ROWS, None, "none", ("chrf",), 1, {"mae": 0.5})


def chosen_of(learner: Learner) -> dict[str, Any]:
    if learner.weighed:
        return {name: 0.25 for name, _ in learner.estimator(1).estimators}
    return {key: values[-1 if key == "keep" else 0] for key, values in learner.grid.items()}


def fitted(task: str, learner: Learner) -> tuple[Any, Any, int]:
    """An estimator that has learned, features, and how many of their columns are labels."""
    random = np.random.default_rng(5)
    features = random.normal(size=(ROWS, COLUMNS))
    labels = 2 if learner.labels else 0
    if labels:
        features[:, -labels:] = np.eye(labels)[random.integers(0, labels, ROWS)]
    gold = features[:, 0] + np.sin(features[:, 1]) + random.normal(0, 0.2, ROWS)
    estimator = learner.estimator(1)
    if learner.labels:
        estimator.set_params(labels=labels)
    if learner.weighed:
        estimator.set_params(weights=[0.4, 0.3, 0.2, 0.1])
    else:
        estimator.set_params(**chosen_of(learner))
    if task == "scoring":
        return estimator.fit(features, gold), features, labels
    if task == "selection":
        return estimator.fit(features, (gold > 0) * 1.0), features, 0
    matrix, tags = sparse.csr_array(features), np.digitize(gold, [-0.5, 0.5])
    return estimator.fit(matrix, tags, *([START] if learner.in_sentences else [])), matrix, 0


def said(task: str, learner: Learner, estimator: Any, features: Any) -> Any:
    if task == "scoring":
        return estimator.predict(features)
    more = [START] if learner.in_sentences else []
    return estimator.predict_proba(features, *more)


@cache
def model_of(task: str, name: str) -> tuple[Model, Any]:
    """A model of the learner, and features of which it says something."""
    return made(task, REGISTRIES[task].named(name))


def made(task: str, learner: Learner) -> tuple[Model, Any]:
    estimator, features, labels = fitted(task, learner)
    numbers = tuple(f"n{i}" for i in range(COLUMNS - labels))
    design = Design(numbers, {"translator": ("a", "b")} if labels else {}, closed=True)
    of_features = Fitted((FAMILIES.named("counts"),), {})
    shared = (design, learner.name, chosen_of(learner), estimator)
    if task == "scoring":
        return (
            NumberModel(
                task, QUANTITIES["hter"], of_features, *shared, 0.5, 0.1, 1.5, {"mae": 0.5}
            ),
            features,
        )
    if task == "selection":
        return RankModel(of_features, *shared, {"tau": 0.1}), features
    three = np.eye(3)
    return (
        WordModel(
            ("K", "S", "D"), ("frequency",), design, np.zeros(COLUMNS), np.ones(COLUMNS),
            *shared[1:], Calibration(three, three[0]), three[1], {"macro_f1": 0.5},
        ),
        features,
    )  # fmt: skip


@pytest.mark.parametrize(("task", "name"), EVERY)
def test_every_learner_says_the_same_to_the_last_bit(tmp_path: Path, task: str, name: str) -> None:
    learner = REGISTRIES[task].named(name)
    model, features = model_of(task, name)
    path = str(tmp_path / "model.adjudge")
    save_model(model, CARD, path)
    back, card = load_model(path)
    assert card == CARD
    others = features * 0.9
    for each in (features, others):
        before, after = (said(task, learner, one.estimator, each) for one in (model, back))
        assert after.tobytes() == before.tobytes()
    assert back.learner == name
    assert back.chosen == model.chosen
    if not learner.weighed:  # it can learn again, with the parameters that were chosen
        known = back.estimator.get_params()
        assert {key: known[key] for key in learner.grid} == chosen_of(learner)
    again = str(tmp_path / "again.adjudge")
    save_model(back, card, again)
    assert Path(again).read_bytes() == Path(path).read_bytes()


def test_two_trainings_write_the_same_bytes(tmp_path: Path, monkeypatch) -> None:
    written = []
    for moment in (1e9, 1.5e9):
        monkeypatch.setattr("time.time", lambda moment=moment: moment)
        model, _ = made("scoring", REGRESSORS.named("extra-trees"))
        save_model(model, CARD, str(tmp_path / "model.adjudge"))
        written.append((tmp_path / "model.adjudge").read_bytes())
    assert written[0] == written[1]


Contents = dict[str, bytes]


@pytest.fixture(scope="module")
def contents(tmp_path_factory) -> Callable[[str, str], Contents]:
    folder = tmp_path_factory.mktemp("models")

    def of(task: str, name: str) -> Contents:
        path = folder / f"{task}-{name}"
        if not path.exists():
            save_model(model_of(task, name)[0], CARD, str(path))
        with zipfile.ZipFile(path) as file:
            return {each: file.read(each) for each in file.namelist()}

    return of


def written(folder: Path, contents: Contents) -> str:
    path = folder / "changed.adjudge"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return str(path)


def array(content: bytes) -> np.ndarray:
    return np.load(io.BytesIO(content), allow_pickle=False)


def packed(values: np.ndarray, pickled: bool = False) -> bytes:
    stream = io.BytesIO()
    np.save(stream, values, allow_pickle=pickled)
    return stream.getvalue()


def wrong(values: np.ndarray) -> Iterator[np.ndarray]:
    """The array with another type, shape or range; none of these may reach a kernel."""
    yield values.astype(np.float32 if values.dtype == np.float64 else np.float64)
    yield np.stack([values, values])
    yield np.array(["numpy.load"])
    if values.ndim:
        yield values[:-1]
        yield np.concatenate([values, values])
    if values.dtype.kind == "f":
        yield np.full_like(values, np.nan)
    else:
        for value in (10**6, -(10**6)):
            changed = values.copy()
            changed[-1 if value > 0 else 0] = np.array(value).astype(values.dtype)
            if changed.tolist() != values.tolist():
                yield changed


@pytest.mark.parametrize(("task", "name"), EVERY)
def test_arrays_that_do_not_fit_are_refused(contents, tmp_path: Path, task: str, name: str) -> None:
    """libsvm and scikit-learn's trees follow indices and sizes without looking."""
    sound = contents(task, name)
    for member in filter(lambda each: each.endswith(".npy"), sound):
        for values in wrong(array(sound[member])):
            path = written(tmp_path, sound | {member: packed(values)})
            with pytest.raises(InputError, match=r"is not a sound model \("):
                load_model(path)
        without = {key: value for key, value in sound.items() if key != member}
        with pytest.raises(InputError, match="is not a sound model"):
            load_model(written(tmp_path, without))
    more = sound | {"estimator/hook.npy": packed(np.zeros(1))}
    with pytest.raises(InputError, match="is not a sound model"):
        load_model(written(tmp_path, more))


@pytest.mark.parametrize("name", ["extra-trees", "boosting"])
def test_trees_that_lead_nowhere_are_refused(contents, tmp_path: Path, name: str) -> None:
    sound = contents("scoring", name)
    for member, value in (("left", 0), ("right", 3000), ("left", -1), ("feature", -2)):
        key = f"estimator/{member}.npy"
        values = array(sound[key])
        values[0] = value
        with pytest.raises(InputError, match="is not a sound model"):
            load_model(written(tmp_path, sound | {key: packed(values)}))


class Runs:
    """What a pickle would call."""

    called = False

    def __reduce__(self) -> Any:
        return _run, ()


def _run() -> None:
    Runs.called = True


def test_a_pickle_among_the_arrays_is_not_opened(contents, tmp_path: Path) -> None:
    sound = contents("scoring", "svr")
    pickled = packed(np.array([Runs()], object), pickled=True)
    np.load(io.BytesIO(pickled), allow_pickle=True)
    assert Runs.called
    Runs.called = False
    for member in sound:
        with pytest.raises(InputError):
            load_model(written(tmp_path, sound | {member: pickled}))
    assert not Runs.called


# Names of callables: what a file might make a reader call.
PACKAGES = ("sklearn", "numpy", "scipy")
DEFINED = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
DANGEROUS = (
    "sklearn.utils._testing.check_output", "subprocess.check_output", "subprocess.Popen",
    "os.system", "os.popen", "posix.system", "builtins.eval", "builtins.exec", "eval", "exec",
    "__import__", "importlib.import_module", "pickle.loads", "numpy.load", "joblib.load",
    "runpy.run_path", "numpy.testing._private.utils.runstring", "scipy.io.loadmat", "operator.call",
    "adjudge.cli.commands", "adjudge.web.wsgi", "../../etc/passwd", "svr'; import os", "learner",
)  # fmt: skip


def source_names() -> set[str]:
    """All functions and classes that the packages and the standard library define."""
    names = set()
    folders = [Path(str(find_spec(name).origin)).parent for name in PACKAGES]
    for folder in (*folders, Path(sysconfig.get_paths()["stdlib"])):
        for path in folder.rglob("*.py"):
            inner = path.relative_to(folder.parent if folder in folders else folder)
            if {"tests", "test", "site-packages", "idlelib", "lib2to3"} & {*inner.parts}:
                continue
            module = ".".join(inner.with_suffix("").parts).removesuffix(".__init__")
            text = path.read_text(encoding="utf-8", errors="ignore")
            names |= {f"{module}.{name}" for name in DEFINED.findall(text)}
    return names


def compiled_names() -> set[str]:
    """All callables of modules that are there, those of compiled ones among them."""
    known = (*PACKAGES, *sys.stdlib_module_names, *sys.builtin_module_names)
    return {
        f"{name}.{attribute}"
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in known
        for attribute, value in list(vars(module).items())
        if callable(value)
    }


@pytest.fixture(scope="module")
def names() -> list[str]:
    every = sorted({*source_names(), *compiled_names(), *DANGEROUS})
    assert len(every) > 20_000
    return every


Called = set[tuple[str, str]]


def calls(work: Callable[[], object]) -> Called:
    """The functions, Python's and compiled ones, that are called while a model is refused."""
    seen: Called = set()

    def note(frame: Any, event: str, argument: Any) -> None:
        if frame.f_code.co_filename == __file__:
            return
        if event == "call":
            seen.add((frame.f_code.co_filename, frame.f_code.co_qualname))
        elif event == "c_call":
            seen.add((str(getattr(argument, "__module__", "")), argument.__qualname__))

    gc.disable()  # hypothesis is called whenever garbage is collected
    sys.setprofile(note)
    try:
        work()
    except (InputError, BadParameter):
        pass
    finally:
        sys.setprofile(None)
        gc.enable()
    return seen


def places(described: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every value of model.json."""
    yield at
    if isinstance(described, dict):
        for key in described:
            yield from places(described[key], (*at, key))
    elif isinstance(described, list):
        for number in range(len(described)):
            yield from places(described[number], (*at, number))


def put(described: Any, at: tuple[Any, ...], value: Any) -> Any:
    """The same with another value in one place."""
    if not at:
        return value
    copy = described.copy()
    copy[at[0]] = put(described[at[0]], at[1:], value)
    return copy


def forms(part: list[str]) -> list[Any]:
    """Names as a value may hold them: alone, in a list, as keys, as values of keys."""
    return [part[0], part, dict.fromkeys(part, 1.0), {part[0]: part}, {"n": part[0]}]


INNOCENT = ["innocent.name", "inno-cent", "innocent", "_inno.__cent__", "a b"]


@pytest.mark.parametrize(("task", "name"), [("scoring", "elastic-net"), ("words", "logistic")])
def test_no_name_in_a_file_is_called(contents, names, tmp_path: Path, task: str, name: str) -> None:
    """What is called for a name of a callable is what is called for a name of nothing.

    Every name is tried, in a place of `model.json` that changes from part to part of them; the
    dangerous ones are tried in every place.
    """
    sound = contents(task, name)
    described = json.loads(sound["model.json"])
    everywhere = list(places(described))

    def refused(at: tuple[Any, ...], value: Any) -> Called:
        text = json.dumps(put(described, at, value)).encode()
        path = written(tmp_path, sound | {"model.json": text})
        return calls(lambda: load_model(path))

    def usual(at: tuple[Any, ...]) -> Called:
        seen = [refused(at, form) for form in forms(INNOCENT)]
        return set().union(*seen, *(refused(at, each) for each in INNOCENT))

    usual(("learner",))  # what is imported or found the first time is known the second
    expected = {at: usual(at) for at in everywhere}
    parts = [names[n : n + 200] for n in range(0, len(names), 200)]
    for number, part in enumerate(parts):
        at = everywhere[number % len(everywhere)]
        for form in forms(part)[1:4]:
            assert refused(at, form) <= expected[at]
    for at in everywhere:
        for dangerous in DANGEROUS:
            assert refused(at, dangerous) <= expected[at]
    if task == "scoring":  # the learner is looked up by its name
        by_name = set().union(*expected.values())
        for each in names[::20]:
            assert calls(lambda each=each: REGRESSORS.named(each)) <= by_name


# The kinds of nodes that skops knows, whose files earlier versions wrote.
NODES = (
    "BytearrayNode", "BytesNode", "CachedNode", "DatetimeTimedeltaNode", "DefaultDictNode",
    "DictNode", "DtypeNode", "FunctionNode", "JsonNode", "ListNode", "LossNode", "MaskedArrayNode",
    "MethodNode", "NdArrayNode", "ObjectNode", "OperatorFuncNode", "OrderedDictNode", "PartialNode",
    "QuantileForestNode", "RandomGeneratorNode", "RandomStateNode", "ReduceNode", "SGDNode",
    "SetNode", "SliceNode", "SparseMatrixNode", "TreeNode", "TupleNode", "TypeNode",
)  # fmt: skip


def node(kind: str, names: list[str]) -> dict[str, Any]:
    """What skops would have resolved, and called with arguments."""
    each = [name.rpartition(".") for name in names]
    return {
        "__class__": each[0][2], "__module__": each[0][0], "__loader__": kind, "__id__": 1,
        "content": [
            {"__class__": name, "__module__": module, "__loader__": kind, "content": ["id"],
             "reduce": {"args": {"content": ["id"]}}, "attrs": {}}
            for module, _, name in each
        ],
    }  # fmt: skip


@pytest.mark.parametrize("version", [3, model_file.FORMAT])
def test_files_of_the_old_kind_are_not_opened(
    contents, names, tmp_path: Path, version: int
) -> None:
    sound = contents("scoring", "pls")
    described = json.loads(sound["model.json"]) | {"format": version}
    base = {"model.json": json.dumps(described).encode()}
    if version == model_file.FORMAT:
        base |= {key: value for key, value in sound.items() if key != "model.json"}
    share = -(-len(names) // len(NODES))

    def refused(kind: str, part: list[str]) -> Called:
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as file:
            file.writestr("schema.json", json.dumps(node(kind, part)))
        path = written(tmp_path, base | {"estimator.skops": inner.getvalue()})
        expected = "train it again" if version == 3 else "is not a model"
        with pytest.raises(InputError, match=expected):
            load_model(path)
        return calls(lambda: load_model(path))

    usual = refused("ObjectNode", INNOCENT)
    for number, kind in enumerate(NODES):
        assert refused(kind, names[number * share : (number + 1) * share]) <= usual
    for dangerous in DANGEROUS:
        assert refused("ReduceNode", [dangerous]) <= usual


def test_what_cannot_be_written_as_arrays_is_not_saved(tmp_path: Path) -> None:
    from sklearn.linear_model import Ridge

    model, features = model_of("scoring", "pls")
    other = replace(model, estimator=Ridge().fit(features, features[:, 0]))
    with pytest.raises(Exception, match="Ridge cannot be written as arrays"):
        save_model(other, CARD, str(tmp_path / "model.adjudge"))
    assert not list(tmp_path.iterdir())
