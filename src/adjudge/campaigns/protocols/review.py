"""Review of blind edits: judge acceptability, then polish or correct.

WMT13 §4, with the yes/no question first and editing after it, as its §4.2 recommends. The
reviewer, never the editor, sees source and reference, the output and its edit. Yes and no
change: the edit is GOOD; yes and a change: ALMOST; no needs a correction: BAD. An output that
its editor found incomprehensible is EMPTY and not reviewed. Every edit is put before somebody
once; those in the common pool are put before several. Stored as `{"verdict": "yes", "edit": text}`,
the text null where nothing was changed.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Answer, Assignment
from adjudge.campaigns.protocol_kit.edited_text import REFUSALS, edited_text, reworded, rows
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Payload, Protocol, Screen
from adjudge.campaigns.protocol_kit.sampling import Exposure


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw one edit per segment, as far as available."""
    blocks = []
    for passage in passages:
        if passage.answers:
            chosen = rng.choice(passage.answers)
            blocks.append(Block(passage.segment, (chosen.output,), chosen.answer))
    return blocks


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Available verdicts."""
    return {"verdicts": ["yes", "no"]}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate a verdict, with a correction if it is no."""
    if set(answer) != {"verdict", "edit"}:
        raise Refused("form", "an answer is a verdict and a text; reload the page")
    if answer["verdict"] not in screen.scale["verdicts"]:
        raise Refused("verdict", "say first whether the edit is an acceptable translation")
    text = edited_text(answer["edit"])
    if answer["edit"] is not None and not text:
        raise Refused("empty", "the text is empty; write it, or leave the edit as it is")
    changed = text not in ("", screen.details["edit"])
    if answer["verdict"] == "no" and not changed:
        raise Refused("correction", "an edit that is not acceptable needs a correction; write it")
    return {"verdict": answer["verdict"], "edit": text if changed else None}


def reviewed(assignment: Assignment) -> dict[str, Any]:
    """Text under review."""
    edit = Answer.objects.get(items=assignment.item_id)
    return {"edit": edit.payload["edit"]}


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: bad edits are wrong, those a little above the middle need polishing."""
    edit = str(screen.details["edit"])
    if seen[0] > 1:
        return {"verdict": "yes", "edit": None}
    if seen[0] > 0:
        return {"verdict": "yes", "edit": reworded(edit.split(), rng)}
    return {"verdict": "no", "edit": f"{edit} ({reworded(screen.texts[0].split(), rng)})"}


def agrees(ours: Payload, given: Payload) -> bool:
    """Test for the same verdict; corrections are a matter of taste."""
    return bool(ours["verdict"] == given["verdict"])


def reads(screen: Screen) -> list[str]:
    """Source and edit to be read; the original output is for reference."""
    return [screen.source or "", str(screen.details["edit"])]


PROTOCOL = Protocol(
    name="review",
    summary="say whether a blind edit is an acceptable translation, then polish or correct it",
    paper="WMT13 §4",
    kind="edits",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=agrees,
    reads=reads,
    details=reviewed,
    follows="blind-edit",
    takes=lambda edit: not edit["incomprehensible"],
    refusals={
        **REFUSALS,
        "verdict": _("Say first whether it is an acceptable translation."),
        "correction": _("Correct the translation."),
    },
)
