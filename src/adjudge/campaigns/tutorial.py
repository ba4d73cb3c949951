"""Practice before the work: items with the answer we would give, and a word about why.

An organiser gives them as a JSON array (docs/campaigns.md), one object an item:

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

from django.utils import timezone

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.protocol import Payload, Screen, ShownCandidate, ShownPart
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.errors import AdjudgeError, InputError
from adjudge.files.input_file import InputFile

_TEXTS = ("source", "reference", "before", "after")
# What an output and a part may have, as objects.
_PASSAGES: Mapping[str, Mapping[str, type]] = {
    "outputs": {"text": str, "part": int, "sentence": str, "start": int},
    "parts": {"text": str, "words": list},
}
_KEYS = {"protocol", *_TEXTS, "outputs", "parts", "details", "answer", "feedback"}


@dataclass(frozen=True)
class Tutorial:
    """Practice items as JSON has them, and the file they came from."""

    items: tuple[Mapping[str, Any], ...] = ()
    file: str | None = None


NO_TUTORIAL = Tutorial()


@dataclass(frozen=True)
class Verdict:
    """How a practice answer compares with ours."""

    agrees: bool | None  # null: one cannot tell
    ours: Payload
    feedback: str  # Markdown


def read_tutorial(path: str) -> Tutorial:
    """The items of a JSON file; `check_tutorial` looks at what they say."""
    file = InputFile(path)
    try:
        items = json.loads(file.text)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"is no JSON ({error}); mend it", file=file.name, line=line) from None
    except RecursionError:
        raise InputError("is nested far too deep; mend it", file=file.name) from None
    if not isinstance(items, list):
        raise InputError("is no JSON array of practice items; write [ … ]", file=file.name)
    return Tutorial(tuple(items), file.name)


def check_tutorial(tutorial: Tutorial, asked: Sequence[str], design: Design) -> None:
    """Refuse an item that judges could not be shown, or whose answer its protocol refuses."""
    for number, item in enumerate(tutorial.items, 1):
        try:
            _check_form(item)
            if item["protocol"] not in asked:
                raise AdjudgeError(
                    f"protocol {item['protocol']!r} is none of this campaign; choose "
                    f"{' or '.join(asked)}"
                )
            screen = _screen(item, number, design)
            PROTOCOLS.named(screen.protocol).check(item["answer"], screen)
        except (LookupError, TypeError, ValueError) as error:
            reason = f"its details do not fit its protocol ({error!r}); see docs/campaigns.md"
            raise _wrong(tutorial, number, reason) from None
        except Refused as refused:
            raise _wrong(tutorial, number, f"its answer is refused: {refused}") from None
        except AdjudgeError as error:
            raise _wrong(tutorial, number, str(error)) from None


def practice_screens(judge: Judge) -> list[Screen]:
    """What this judge practises on, in order; nothing where there is no tutorial."""
    campaign = judge.campaign
    return [
        _screen(item, number, campaign.plan, campaign)
        for number, item in enumerate(_items(judge), 1)
    ]


def owes_practice(judge: Judge) -> bool:
    """Must this judge practise before they get work?"""
    at_work = judge.state == Judge.State.ACTIVE and judge.campaign.state == Campaign.State.OPEN
    return at_work and judge.practised is None and bool(_items(judge))


def practise(judge: Judge, done: int, answer: Payload) -> Verdict:
    """Compare an answer to the practice item after `done` others; the last one ends practice."""
    items, screens = _items(judge), practice_screens(judge)
    if not 0 <= done < len(items):
        raise Refused("item", "there is no such practice item; reload the page")
    protocol = PROTOCOLS.named(screens[done].protocol)
    given = protocol.check(answer, screens[done])
    ours = protocol.check(items[done]["answer"], screens[done])
    if done + 1 == len(items) and judge.practised is None:
        judge.practised = timezone.now()
        judge.save(update_fields=["practised"])
    return Verdict(protocol.agrees(ours, given), ours, items[done].get("feedback", ""))


def _items(judge: Judge) -> list[dict[str, Any]]:
    asked = judge.protocols or judge.campaign.protocols
    return [item for item in judge.campaign.tutorial if item["protocol"] in asked]


def _wrong(tutorial: Tutorial, number: int, reason: str) -> InputError:
    where = "" if tutorial.file else "tutorial, "
    return InputError(f"{where}item {number}: {reason}", file=tutorial.file)


def _check_form(item: object) -> None:
    """Refuse what is no practice item at all."""
    if not isinstance(item, dict):
        raise AdjudgeError("is no JSON object; write { … }")
    unknown = set(item) - _KEYS
    if unknown:
        raise AdjudgeError(f"unknown key {min(unknown)!r}; there are: {', '.join(sorted(_KEYS))}")
    if item.get("protocol") not in list(PROTOCOLS):
        raise AdjudgeError(
            f"protocol {item.get('protocol')!r} is none; there are: {', '.join(PROTOCOLS)}"
        )
    for name in (*_TEXTS, "feedback"):
        if not isinstance(item.get(name), str | None):
            raise AdjudgeError(f"{name} is no text; write one, or leave it out")
    if not isinstance(item.get("answer"), dict):
        raise AdjudgeError("has no answer; give the one we would give, as the protocol stores it")
    parts, outputs = item.get("parts", []), item.get("outputs")
    if not isinstance(outputs, list) or not outputs:
        raise AdjudgeError("has no outputs; give an array of texts")
    if not isinstance(parts, list):
        raise AdjudgeError("its parts are no array; write [ … ]")
    for one in parts:
        _check_passage(one, "parts")
    for one in outputs:
        _check_passage(one, "outputs")
        if isinstance(one, dict) and not 0 <= one.get("part", 0) < max(len(parts), 1):
            raise AdjudgeError(f"an output is of part {one['part']}; parts count from 0")
    if not isinstance(item.get("details", {}), dict):
        raise AdjudgeError("its details are no JSON object; write { … }")


def _check_passage(one: object, name: str) -> None:
    """An output or a part of the source."""
    passage = {"text": one} if isinstance(one, str) and name == "outputs" else one
    if not isinstance(passage, dict) or set(passage) - set(_PASSAGES[name]):
        raise AdjudgeError(f"one of its {name} is no object with {', '.join(_PASSAGES[name])}")
    for key, value in passage.items():
        if isinstance(value, bool) or not isinstance(value, _PASSAGES[name][key]):
            raise AdjudgeError(f"{key} of one of its {name} makes no sense; mend it")
    if not str(passage.get("text", "")).strip():
        raise AdjudgeError(f"one of its {name} has no text; write it")


def _screen(
    item: Mapping[str, Any], number: int, design: Design, campaign: Campaign | None = None
) -> Screen:
    protocol = PROTOCOLS.named(item["protocol"])
    outputs: list[dict[str, Any]] = [
        {"text": one} if isinstance(one, str) else one for one in item["outputs"]
    ]
    shown: dict[str, str | None] = {
        name: None if name in protocol.hides else item.get(name) for name in _TEXTS
    }
    if campaign and not campaign.show_reference:
        shown["reference"] = None
    return Screen(
        key=f"practice-{number}",
        protocol=protocol.name,
        scale=protocol.scale(len(outputs), design),
        parts=tuple(ShownPart(p["text"], tuple(p["words"])) for p in item.get("parts", ())),
        candidates=tuple(
            ShownCandidate(
                f"practice-{number}-{position}",
                one["text"],
                one.get("part"),
                one.get("sentence", ""),
                one.get("start"),
            )
            for position, one in enumerate(outputs, 1)
        ),
        details={**protocol.alone, **item.get("details", {})},
        source_language=campaign.source_language if campaign else "",
        target_language=campaign.target_language if campaign else "",
        given=None,
        **shown,
    )
