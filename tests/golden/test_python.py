"""The Python interface keeps its names, parameters, defaults, results and signatures."""

import inspect
import shutil
from contextlib import chdir
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from golden_files import without_version
from sessions import EXAMPLES

import adjudge

# What the questions are asked of, in a folder with the files of docs/examples.
READ = {
    "judgements": 'adjudge.read("judgements.csv")',
    "appraise": 'adjudge.read("judgements.xml.gz").select(pair="ces-eng")',
    "scores": 'adjudge.read("scores.jsonl")',
    "errors": 'adjudge.read("errors.jsonl")',
    "edits": 'adjudge.read("edits.jsonl")',
    "outputs": '{"large-nmt": "A.txt", "fluent-nmt": "B.txt", "baseline-smt": "C.txt"}',
    "texts": 'adjudge.read_texts(outputs, "reference.txt")',
    "segments": 'adjudge.read("segments.jsonl").segments()',
    "candidates": 'adjudge.read_candidates("candidates.jsonl", reference="reference.txt")',
    "small": "{'replicates': 20}",
    "chrf": 'adjudge.read_metric_scores(*texts.write_scores("scores", "chrf"))',
}
QUESTIONS = (
    "judgements.info()",
    "judgements.rank()",
    "judgements.rank('bradley-terry', unit='judge', **small)",
    "judgements.select(without_system='system-01').rank(unit='ranking', **small)",
    "appraise.rank(ranges='wmt13', outputs='collapsed')",
    "judgements.compare()",
    "judgements.agreement(**small)",
    "judgements.agreement(by='coefficient', **small)",
    "judgements.agreement(by='judge', **small)",
    "judgements.diagnose()",
    "judgements.diagnose('cycles', details=True)",
    "judgements.methods(runs=2)",
    "judgements.plan(simulations=10)",
    "edits.timing()",
    "scores.rank(scale='adequacy', **small)",
    "scores.agreement(scale='adequacy', **small)",
    "scores.timing(by='judge')",
    "scores.as_judgements().select(protocol='adequacy-fluency').rank()",
    "scores.select(system=list(outputs)).metaeval(chrf, scale='adequacy', **small)",
    "errors.span_agreement()",
    "edits.info()",
    "edits.rank(**small)",
    "texts.metrics('bleu', **small)",
    "texts.paired('bleu', **small)",
    "texts.combined(['bleu', 'chrf'], **small)",
    "texts.segment_scores('chrf')",
    "segments.info()",
    "segments.rank(**small)",
    "segments.coverage(**small)",
    "segments.closest()",
    "segments.leave_one_out(**small)",
    "segments.bleu({'A': 'A.txt'}, 'reference.txt', **small)",
    "segments.beside('pairwise.jsonl', **small)",
    "candidates.tune(restarts=2, rounds=0, **small)",
    "candidates.tune_variance(sets=2, seeds=2, restarts=2, rounds=0, **small)",
    "adjudge.label_agreement('labels.csv', **small)",
    "adjudge.simulate(systems=3, rankings=60, seed=2).rank(**small)",
    "adjudge.quality_features('edits.jsonl', feature='counts')",
    "adjudge.train_quality('edits.jsonl', predict='hter', learner='pls', feature='counts')",
    "adjudge.train_resources('source.txt', 'reference.txt', 'kept')",
    "adjudge.from_comparisons(['A', 'B'] * 9, ['B', 'A'] * 9, ['left', 'right', 'tie'] * 6).rank()",
    "adjudge.from_scores(['A', 'B'] * 9, [1, 1, 2, 2, 3, 3] * 3, range(18)).rank(**small)",
)


def test_public_names(golden) -> None:
    golden("python", {name: _told(getattr(adjudge, name)) for name in sorted(adjudge.__all__)})


@pytest.mark.slow
def test_results_and_their_signatures(golden, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    names: dict[str, Any] = {"adjudge": adjudge}
    results = {}
    with chdir(tmp_path):
        for name, reading in READ.items():
            names[name] = eval(reading, names)
        for question in QUESTIONS:
            results[question] = _answered(eval(question, names))
    golden("python-results", results)


def _answered(result: Any) -> dict[str, Any]:
    """A result: how it was made, and what each part has."""
    parts = sorted({name for part in result.parts for name in _public(part)})
    return {
        "signature": without_version(str(result.signature)),
        "parts": len(result.parts),
        "a part has": dict.fromkeys(parts, True),
    }


def _told(value: Any) -> dict[str, Any]:
    """A public name: of what kind it is, and what can be asked of it."""
    if isinstance(value, type):
        return {"kind": "class", "has": {name: _member(value, name) for name in _public(value)}}
    if callable(value):
        return {"kind": "function", "parameters": _parameters(value)}
    if isinstance(value, str):
        return {"kind": "text"}
    return {"kind": "names", "names": dict.fromkeys(sorted(value), True)}


def _public(value: Any) -> list[str]:
    """The names of its attributes but for those that all objects, or all exceptions, have."""
    fields = getattr(value, "__dataclass_fields__", {})
    names = {*dir(value), *fields} - {*dir(Exception)}
    return sorted(name for name in names if not name.startswith("_"))


def _member(owner: type, name: str) -> dict[str, Any]:
    value = inspect.getattr_static(owner, name, None)
    if isinstance(value, (staticmethod, classmethod)) or inspect.isfunction(value):
        return {"parameters": _parameters(getattr(owner, name), inspect.isfunction(value))}
    return {}


def _parameters(function: Any, method: bool = False) -> dict[str, Any]:
    """Its parameters by name: kind, place, default. What a method is called on is left out."""
    parameters = list(inspect.signature(function).parameters.values())[method:]
    return {
        str(parameter).split(":")[0].split("=")[0].strip(): _parameter(parameter, place)
        for place, parameter in enumerate(parameters)
    }


def _parameter(parameter: inspect.Parameter, place: int) -> dict[str, Any]:
    by_place = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    told: dict[str, Any] = {"kind": parameter.kind.description}
    if by_place:
        told["place"] = place
    if parameter.default is not parameter.empty:
        told["default"] = _default(parameter.default)
    return told


def _default(value: Any) -> str:
    """A default as it is written; of an object that is no plain value only that there is one."""
    if isinstance(value, Enum):
        return repr(value.value)
    plain = (bool, int, float, str, type(None))
    if isinstance(value, plain):
        return repr(value)
    if isinstance(value, (tuple, list)) and all(isinstance(each, plain) for each in value):
        return repr(value)
    return "…"
