"""Texts of a campaign for metrics: references, and whole outputs of every system.

Only segments with a reference and an output of every system are included. The human reference
hidden among the systems is not one of them. Files follow the layout of mt-metrics-eval.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Count, Max, QuerySet

from adjudge.campaigns.models import Campaign, Output
from adjudge.core.errors import AdjudgeError


@dataclass(frozen=True)
class CampaignTexts:
    """Parallel texts; `systems` are in the order of files in a folder."""

    source: Sequence[str]
    reference: Sequence[str]
    documents: Sequence[str]
    systems: dict[str, Sequence[str]]


def texts_of(campaign: Campaign) -> CampaignTexts | None:
    """Texts for metrics; None without a reference or whole outputs."""
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
    """Cache key that changes when texts are added, the only possible change."""
    counted = campaign.segments.aggregate(Count("pk"))["pk__count"]
    newest = Output.objects.filter(segment__campaign=campaign).aggregate(Max("pk"))["pk__max"]
    return counted, newest, campaign.systems.count()


def has_texts(campaign: Campaign) -> bool:
    """Test whether metrics could score anything."""
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
    """Text as one line of a file."""
    return " ".join(text.split("\n")).strip()
