"""Answers faster than anyone reads are flagged, never refused."""

from adjudge.campaigns.models import Answer, Assignment, Campaign, Output


def is_too_fast(campaign: Campaign, assignment: Assignment, answer: Answer) -> bool:
    """Did nobody read this? By the browser's active time, or else by the server's clock."""
    known = (answer.active_seconds, answer.browser_seconds, answer.seconds)
    seconds = next((one for one in known if one is not None), None)
    if seconds is None or answer.skipped:
        return False
    texts = list(Output.objects.filter(pk__in=assignment.shown).values_list("text", flat=True))
    texts.append(assignment.item.segment.source)
    return sum(map(len, texts)) / campaign.plan.fastest_reading > seconds
