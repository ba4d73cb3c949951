"""Practice with items of known answer before the work (`setup.tutorial`).

Practice answers are not stored, only the fact of having practised.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.protocol_kit.protocol import Payload, Screen, ShownCandidate, ShownPart
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.work.screen import shows_reference

TEXTS = ("source", "reference", "before", "after")


@dataclass(frozen=True)
class Verdict:
    """Comparison of a practice answer with ours."""

    agrees: bool | None  # null: one cannot tell
    ours: Payload
    feedback: str  # Markdown


def practice_screens(judge: Judge) -> list[Screen]:
    """Practice screens of this judge, in order; empty without a tutorial."""
    campaign = judge.campaign
    return [
        practice_screen(item, number, campaign.design, campaign)
        for number, item in enumerate(_items(judge), 1)
    ]


def owes_practice(judge: Judge) -> bool:
    """Test whether this judge must practise before they get work."""
    at_work = judge.state == Judge.State.ACTIVE and judge.campaign.state == Campaign.State.OPEN
    return at_work and judge.practised is None and bool(_items(judge))


def practise(judge: Judge, done: int, answer: Payload) -> Verdict:
    """Compare an answer to the practice item after `done` others; the last one ends practice."""
    items, screens = _items(judge), practice_screens(judge)
    if not 0 <= done < len(items):
        raise Refused("item", "there is no such practice item; reload the page")
    protocol = PROTOCOLS.named(screens[done].protocol)
    given = protocol.checked(answer, screens[done])
    ours = protocol.checked(items[done]["answer"], screens[done])
    if done + 1 == len(items) and judge.practised is None:
        judge.practised = timezone.now()
        judge.save(update_fields=["practised"])
    return Verdict(protocol.agrees(ours, given), ours, items[done].get("feedback", ""))


def _items(judge: Judge) -> list[dict[str, Any]]:
    asked = judge.protocols or judge.campaign.protocols
    return [item for item in judge.campaign.tutorial if item["protocol"] in asked]


def practice_screen(
    item: Mapping[str, Any], number: int, design: Design, campaign: Campaign | None = None
) -> Screen:
    """Practice item as shown to a judge."""
    protocol = PROTOCOLS.named(item["protocol"])
    outputs: list[dict[str, Any]] = [
        {"text": output} if isinstance(output, str) else output for output in item["outputs"]
    ]
    shown: dict[str, str | None] = {
        name: None if name in protocol.hides else item.get(name) for name in TEXTS
    }
    if campaign and not shows_reference(campaign, protocol):
        shown["reference"] = None
    return Screen(
        key=f"practice-{number}",
        protocol=protocol.name,
        scale=protocol.scale(len(outputs), design),
        parts=tuple(ShownPart(p["text"], tuple(p["words"])) for p in item.get("parts", ())),
        candidates=tuple(
            ShownCandidate(
                f"practice-{number}-{position}",
                output["text"],
                output.get("part"),
                output.get("sentence", ""),
                output.get("start"),
            )
            for position, output in enumerate(outputs, 1)
        ),
        details={**protocol.alone, **item.get("details", {})},
        source_language=campaign.source_language if campaign else "",
        target_language=campaign.target_language if campaign else "",
        given=None,
        **shown,
    )
