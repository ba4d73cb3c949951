"""Interface of metrics: typed parameters, a signature that can be parsed, sufficient statistics.

A module of `catalogue/` takes part by defining `METRIC`, a metric with its default parameters (or
a tuple of metrics). Parameters are the fields of its dataclass. `bleu(tokenize=13a,smooth=exp)` is
a metric with parameters; `metric_named` reads it, `str(metric)` writes it.

A metric defines additive sufficient statistics of every segment (`statistics`), and a function from
their sums to its value (`values`). The score of a corpus, of a document, of a segment and of every
replicate of a bootstrap all come from these, so nothing is ever counted twice.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, instead_of, one_of
from adjudge.core.registry import Registry
from adjudge.metrics.tokenizer import TOKENIZERS

Floats = NDArray[np.float64]
Texts = tuple[str, ...]
References = Sequence[Texts]  # one or several, each with a line for every segment
Statistics = Callable[[Texts], Floats]  # from a system's lines to (segments × statistics)

_WRITTEN = re.compile(r"\s*([a-z][a-z0-9+-]*)\s*(?:\((.*)\)\s*)?", re.DOTALL)
_TRUTH = {"yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True)
class Metric(ABC):
    """Metric with its parameters."""

    name: ClassVar[str]
    title: ClassVar[str]  # as papers write it: BLEU
    summary: ClassVar[str]  # the formula, in a line
    paper: ClassVar[str]
    scale: ClassVar[str]  # from where to where it goes
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[str] = "words"  # what a line holds: words, alignments, parses, trees, layers
    slow: ClassVar[bool] = False  # is a system worth a process of its own?

    def __post_init__(self) -> None:
        for name, kind in self.parameters().items():
            _check(name, kind, getattr(self, name))

    @abstractmethod
    def statistics(self, references: References) -> Statistics:
        """Read the references once; return a function from a system's lines to sufficient
        statistics.
        """

    @abstractmethod
    def values(self, sums: Floats) -> Floats:
        """Compute the metric from summed statistics: from (…, statistics) to (…)."""

    def segment_values(self, statistics: Floats) -> Floats:
        """Compute the metric of every segment, if that differs from the metric of a one-segment
        corpus.
        """
        return self.values(statistics)

    def peer_signature(self, references: int) -> str | None:
        """Signature that sacrebleu prints for the same numbers, if it has the metric."""
        return None

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Name and type of every parameter."""
        hints = get_type_hints(cls)
        return {field.name: hints[field.name] for field in fields(cls)}

    def __str__(self) -> str:
        return self._signed({name: getattr(self, name) for name in self.parameters()})

    @property
    def short(self) -> str:
        """Signature with non-default parameters only."""
        usual = type(self)()
        given = {name: getattr(self, name) for name in self.parameters()}
        return self._signed({n: v for n, v in given.items() if v != getattr(usual, n)})

    def _signed(self, given: dict[str, Any]) -> str:
        inside = ",".join(f"{name}={_spelled(value)}" for name, value in given.items())
        return f"{self.name}({inside})" if inside else self.name


METRICS = Registry("adjudge.metrics.catalogue", "METRIC", Metric, "metric")  # type: ignore[type-abstract]


def metric_named(signature: "Metric | str") -> Metric:
    """Parse a signature into a metric; an error lists the valid names."""
    if isinstance(signature, Metric):
        return signature
    written = _WRITTEN.fullmatch(signature) if isinstance(signature, str) else None
    if written is None:
        raise BadParameter(
            f"`metric` cannot be {signature!r}; write it like bleu or bleu(tokenize=intl)"
        )
    name, inside = written.groups()
    usual = METRICS.named(name)
    try:
        return replace(usual, **_given(usual, inside or ""))
    except BadParameter as error:
        # A metric's parameters stand in its brackets: they are no options of a command.
        said = str(error).replace("`", "")
        raise BadParameter(said if said.startswith(name) else f"{name}: {said}") from None


def _given(usual: Metric, inside: str) -> dict[str, Any]:
    """Parse the parameters between parentheses."""
    kinds = usual.parameters()
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, text = (piece.strip() for piece in part.partition("="))
        if not equals or name in given:
            raise BadParameter(
                f"{usual.name}: {part!r} is not a parameter; write each once, like tokenize=13a"
            )
        if name not in kinds:
            instead = instead_of(name, list(kinds))
            raise BadParameter(f"{usual.name} has no parameter {name!r}; {instead}")
        given[name] = _read(name, kinds[name], text)
    return given


def _read(name: str, kind: Any, text: str) -> Any:
    """Convert a parameter's text to its type."""
    if kind is bool:
        return _TRUTH[one_of(text, _TRUTH, name)]
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise BadParameter(f"`{name}` is {what}, not {text!r}") from None
    return text


def _check(name: str, kind: Any, value: Any) -> None:
    """Refuse a value that does not match the parameter's type."""
    if get_origin(kind) is Literal:
        one_of(value, get_args(kind), name)
    elif name == "tokenize":
        TOKENIZERS.named(value)
    elif kind is float and isinstance(value, int) and not isinstance(value, bool):
        return
    elif not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadParameter(f"`{name}` is of the type {kind.__name__}, not {value!r}")
    if kind in (int, float) and not 0 <= value < float("inf"):
        raise BadParameter(f"`{name}` is 0 or more, not {value!r}")


def _spelled(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
