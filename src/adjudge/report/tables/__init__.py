"""The tables of results: one module a kind of result.

`tables_for(results)` gives the tables of any result, or of a list of results of one kind. A module
here takes part by registering a function with `shows`; it is loaded when a result of its package
is first shown, so that a ranking does not load what edits need.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import singledispatch
from importlib import import_module
from typing import Any, TypeVar

from adjudge.errors import BadParameter
from adjudge.report.typesetting import Table

Make = TypeVar("Make", bound=Callable[..., Sequence[Table]])

# Which modules here show the results of which package, or of a module of it by itself.
_SHOWN_BY = {
    "adjudge.agreement": ("agreement", "labels", "choices"),
    "adjudge.comparisons": ("summary",),
    "adjudge.diagnosis": ("diagnosis",),
    "adjudge.judgements": ("timing",),
    "adjudge.ranking": ("ranking",),
    "adjudge.ranking.compare_methods": ("methods",),
    "adjudge.ranking.head_to_head": ("head_to_head",),
    "adjudge.metaeval.assisted.result": ("assisted",),
    "adjudge.metaeval.task.checking": ("submissions",),
    "adjudge.metaeval.task_table": ("task_table",),
    "adjudge.metrics": ("metrics",),
    "adjudge.metaeval.evaluation": ("metaeval",),
    "adjudge.metrics.beside": ("beside",),
    "adjudge.quality.evaluation.standing": ("quality",),
    "adjudge.quality.features.summary": ("quality_features",),
    "adjudge.resources.bundle": ("quality_features",),
    "adjudge.quality.models.trained": ("quality_models",),
    "adjudge.quality.studies.picking": ("quality_studies",),
    "adjudge.quality.studies.selective_editing": ("quality_studies",),
    "adjudge.scoring": ("scores", "spans"),
    "adjudge.segments": ("segments",),
    "adjudge.segments.prediction.evaluation": ("new_system",),
    "adjudge.simulation": ("planning", "simulated"),
    "adjudge.simulation.coverage": ("coverage",),
    "adjudge.tuning": ("tuning",),
    "adjudge.tuning.spread": ("tuning_variance",),
    "adjudge.tuning.loop": ("decoder_loop",),
    "adjudge.understandability": ("understandability",),
    "adjudge.understandability.summary": ("edit_summary",),
}


def tables_for(results: object, signature: str = "", **how: Any) -> list[Table]:
    """The tables of a result, or of a list of results of one kind.

    `signature` is the line from which they can be made again. `how` is what results of some
    kinds do not know of themselves: the `resampling` of agreement, the `trusted` groups of
    controls, the `details` of a diagnosis.
    """
    given = isinstance(results, Sequence) and not isinstance(results, str)
    parts: Sequence[Any] = results if given else [results]  # type: ignore[assignment]
    if not parts:
        return []
    kind = type(parts[0])
    package = ".".join(kind.__module__.split(".")[:2])
    for name in _SHOWN_BY.get(kind.__module__) or _SHOWN_BY.get(package, ()):
        import_module(f"{__name__}.{name}")
    tables = _make.dispatch(kind)(parts, **how)
    return [replace(table, signature=signature) for table in tables]


def shows(kind: type) -> Callable[[Make], Make]:
    """Registers a function that makes the tables of a list of results of this kind."""

    def register(make: Make) -> Make:
        _make.register(kind, make)
        return make

    return register


@singledispatch
def _make(parts: Sequence[object], **how: Any) -> Sequence[Table]:
    kind = type(parts[0]).__name__
    raise BadParameter(f"`results` cannot be of the kind {kind}: no table is known for it")
