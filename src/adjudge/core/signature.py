"""Signatures: one printed line from which a result can be reproduced.

    adjudge:rank|pair:fre-eng|method:expected-wins|unit:ranking|replicates:1000|seed:1|level:0.95|
    outputs:expanded|input:sha256-0f3a…|version:0.1.0

sacrebleu's idea: the line names what was asked with every parameter, which judgements were chosen,
the hash of the input and the version of the program. `adjudge.again(signature, file)` asks the
same of the same file. A value is written as JSON would write it if it is no plain word; `|`, `:`
and `%` inside a value are percent-encoded.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from adjudge.core.errors import BadParameter
from adjudge.core.version import __version__

_PROGRAM = "adjudge"
_PLAIN = "".join(map(chr, range(0x20, 0x7F))).translate({ord(c): None for c in "|:%"})


@dataclass(frozen=True)
class Signature:
    """Question, selection of judgements and version behind a result."""

    verb: str
    selection: Mapping[str, Any]  # which judgements were chosen
    parameters: Mapping[str, Any]
    input: str  # the hash of the file or of the table
    version: str = __version__

    def __str__(self) -> str:
        asked = {**self.selection, **self.parameters}
        fields = {_PROGRAM: self.verb, **asked, "input": self.input, "version": self.version}
        return "|".join(f"{name}:{_written(value)}" for name, value in fields.items())

    @classmethod
    def parse(cls, text: str, selectable: frozenset[str]) -> "Signature":
        """Parse a signature line; `selectable` lists the parameters that select judgements."""
        fields: dict[str, Any] = {}
        for part in text.strip().split("|"):
            name, colon, value = part.partition(":")
            if not colon or name in fields:
                raise BadParameter(f"{part[:80]!r} is not part of a signature; copy the whole line")
            fields[name] = _read(value)
        lacking = [name for name in (_PROGRAM, "input", "version") if name not in fields]
        if lacking:
            raise BadParameter(f"the signature has no {lacking[0]}; copy the whole line")
        verb, given, version = (fields.pop(name) for name in (_PROGRAM, "input", "version"))
        selection = {name: value for name, value in fields.items() if name in selectable}
        parameters = {name: value for name, value in fields.items() if name not in selectable}
        return cls(str(verb), selection, parameters, str(given), str(version))


def _written(value: Any) -> str:
    """Format a value for a signature; ambiguous values are written as JSON."""
    if isinstance(value, str) and value and _as_json(value) is None:
        return quote(value, safe=_PLAIN)
    return quote(json.dumps(value, ensure_ascii=False), safe=_PLAIN)


def _read(text: str) -> Any:
    plain = unquote(text)
    value = _as_json(plain)
    return plain if value is None else value[0]


def _as_json(text: str) -> tuple[Any] | None:
    try:
        return (json.loads(text),)
    except ValueError:
        return None
