"""Practice items with our answers and explanations.

An organiser supplies them as a JSON array (docs/campaigns.md), one object per item:

    {"protocol": "ranking", "source": "…", "reference": "…", "before": "…", "after": "…",
     "outputs": ["…", "…"], "answer": {"ranks": [1, 2]}, "feedback": "Markdown"}

The answer is the protocol's payload, in the order of the outputs. Where phrases are judged,
`parts` has the `text` and the `words` (indices in the source) of each, and an output is an object
with its `text`, its `part` (from 0), the `sentence` it stands in and its `start` there. `details`
has what only the protocol shows. Nothing a judge says here is stored, only that they practised.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.work.practice import TEXTS, practice_screen
from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile

# What an output and a part may have, as objects.
_PASSAGES: Mapping[str, Mapping[str, type]] = {
    "outputs": {"text": str, "part": int, "sentence": str, "start": int},
    "parts": {"text": str, "words": list},
}
_KEYS = {"protocol", *TEXTS, "outputs", "parts", "details", "answer", "feedback"}


@dataclass(frozen=True)
class Tutorial:
    """Practice items as read from JSON, and their file."""

    items: tuple[Mapping[str, Any], ...] = ()
    file: str | None = None


NO_TUTORIAL = Tutorial()


def read_tutorial(path: str) -> Tutorial:
    """Read the items of a JSON file; `check_tutorial` validates their content."""
    file = InputFile(path)
    try:
        items = json.loads(file.text)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(
            f"is not valid JSON ({error}); correct it", file=file.name, line=line
        ) from None
    except RecursionError:
        raise InputError("is nested too deeply; flatten it", file=file.name) from None
    if not isinstance(items, list):
        raise InputError("is not a JSON array of practice items; write [ … ]", file=file.name)
    return Tutorial(tuple(items), file.name)


def check_tutorial(tutorial: Tutorial, asked: Sequence[str], design: Design) -> None:
    """Refuse an item that cannot be shown, or whose answer its protocol refuses."""
    for number, item in enumerate(tutorial.items, 1):
        try:
            _check_form(item)
            if item["protocol"] not in asked:
                raise AdjudgeError(
                    f"protocol {item['protocol']!r} is none of this campaign; choose "
                    f"{' or '.join(asked)}"
                )
            screen = practice_screen(item, number, design)
            PROTOCOLS.named(screen.protocol).checked(item["answer"], screen)
        except (LookupError, TypeError, ValueError) as error:
            reason = f"its details do not fit its protocol ({error!r}); see docs/campaigns.md"
            raise _wrong(tutorial, number, reason) from None
        except Refused as refused:
            raise _wrong(tutorial, number, f"its answer is refused: {refused}") from None
        except AdjudgeError as error:
            raise _wrong(tutorial, number, str(error)) from None


def _wrong(tutorial: Tutorial, number: int, reason: str) -> InputError:
    where = "" if tutorial.file else "tutorial, "
    return InputError(f"{where}item {number}: {reason}", file=tutorial.file)


def _check_form(item: object) -> None:
    """Refuse an object without the form of a practice item."""
    if not isinstance(item, dict):
        raise AdjudgeError("is not a JSON object; write { … }")
    unknown = set(item) - _KEYS
    if unknown:
        raise AdjudgeError(f"unknown key {min(unknown)!r}; there are: {', '.join(sorted(_KEYS))}")
    if item.get("protocol") not in list(PROTOCOLS):
        raise AdjudgeError(
            f"protocol {item.get('protocol')!r} is none; there are: {', '.join(PROTOCOLS)}"
        )
    for name in (*TEXTS, "feedback"):
        if not isinstance(item.get(name), str | None):
            raise AdjudgeError(f"{name} is not text; write one, or leave it out")
    if not isinstance(item.get("answer"), dict):
        raise AdjudgeError("has no answer; give the one we would give, as the protocol stores it")
    parts, outputs = item.get("parts", []), item.get("outputs")
    if not isinstance(outputs, list) or not outputs:
        raise AdjudgeError("has no outputs; give an array of texts")
    if not isinstance(parts, list):
        raise AdjudgeError("its parts are no array; write [ … ]")
    for part in parts:
        _check_passage(part, "parts")
    for output in outputs:
        _check_passage(output, "outputs")
        if isinstance(output, dict) and not 0 <= output.get("part", 0) < max(len(parts), 1):
            raise AdjudgeError(f"an output is of part {output['part']}; parts count from 0")
    if not isinstance(item.get("details", {}), dict):
        raise AdjudgeError("its details are no JSON object; write { … }")


def _check_passage(given: object, name: str) -> None:
    """Validate an output or a part of the source."""
    passage = {"text": given} if isinstance(given, str) and name == "outputs" else given
    if not isinstance(passage, dict) or set(passage) - set(_PASSAGES[name]):
        raise AdjudgeError(f"one of its {name} is not an object with {', '.join(_PASSAGES[name])}")
    for key, value in passage.items():
        if isinstance(value, bool) or not isinstance(value, _PASSAGES[name][key]):
            raise AdjudgeError(f"{key} of one of its {name} has the wrong type; correct it")
    if not str(passage.get("text", "")).strip():
        raise AdjudgeError(f"one of its {name} has no text; write it")
