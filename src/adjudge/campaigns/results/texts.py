"""A campaign's texts for metrics: references, and whole outputs of every system.

Segments count that have a reference and an output of every system. The human reference that was
slipped in among the systems is none of them. On disk the texts lie as mt-metrics-eval has them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Count, Max, QuerySet

from adjudge.campaigns.models import Campaign, Output
from adjudge.core.errors import AdjudgeError


@dataclass(frozen=True)
class CampaignTexts:
    """Line by line; `systems` in the order in which a folder has them."""

    source: Sequence[str]
    reference: Sequence[str]
    documents: Sequence[str]
    systems: dict[str, Sequence[str]]


def texts_of(campaign: Campaign) -> CampaignTexts | None:
    """What metrics can score; None where there is no reference, or no whole output."""
    segments = {
        order: (source, reference or "", document)
        for order, source, reference, document in campaign.segments.exclude(reference=None)
        .exclude(reference="")
        .order_by("order")
        .values_list("order", "source", "reference", "document__name")
    }
    by_system: dict[str, dict[int, str]] = {}
    for order, name, text in _outputs(campaign).values_list(
        "segment__order", "systems__name", "text"
    ):
        by_system.setdefault(name, {})[order] = _line(text)
    kept = [order for order in segments if all(order in texts for texts in by_system.values())]
    if not by_system or not kept:
        return None
    source, reference, documents = (
        [_line(segments[order][which]) for order in kept] for which in range(3)
    )
    names = sorted(by_system, key=lambda name: f"{name}.txt")
    return CampaignTexts(
        source,
        reference,
        documents,
        {name: [by_system[name][order] for order in kept] for name in names},
    )


def version_of_texts(campaign: Campaign) -> Hashable:
    """Changes when texts are added, which is all that can happen to them."""
    counted = campaign.segments.aggregate(Count("pk"))["pk__count"]
    newest = Output.objects.filter(segment__campaign=campaign).aggregate(Max("pk"))["pk__max"]
    return counted, newest, campaign.systems.count()


def has_texts(campaign: Campaign) -> bool:
    """Could metrics score anything?"""
    with_reference = campaign.segments.exclude(reference=None).exclude(reference="")
    return with_reference.exists() and _outputs(campaign).exists()


def write_texts(texts: CampaignTexts, pair: str, folder: Path) -> None:
    """Write the texts as files, which `adjudge metrics --testset` reads."""
    named = {
        f"sources/{pair}.txt": texts.source,
        f"references/{pair}.refA.txt": texts.reference,
        f"documents/{pair}.docs": [f"all\t{document}" for document in texts.documents],
    }
    for name, lines in texts.systems.items():
        if "/" in name:
            raise AdjudgeError(f"system {name!r} cannot be a file; its name has a /")
        named[f"system-outputs/{pair}/{name}.txt"] = lines
    for name, lines in named.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _outputs(campaign: Campaign) -> QuerySet[Output]:
    """Whole outputs of systems proper."""
    return Output.objects.filter(segment__campaign=campaign, part=None, systems__is_reference=False)


def _line(text: str) -> str:
    """A text as a line of a file has it."""
    return " ".join(text.split("\n")).strip()
