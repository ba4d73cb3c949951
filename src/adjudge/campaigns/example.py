"""A screen to look at: what judges of a campaign will see, with nothing given to anybody."""

import secrets
from random import Random

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.protocols import protocol_named
from adjudge.campaigns.screen import Screen, ShownCandidate


def example_screen(campaign: Campaign) -> Screen:
    """The test set's second segment (it has context) and some of its outputs, in no order."""
    first = list(campaign.segments.order_by("order").select_related("document")[:3])
    segment = first[min(1, len(first) - 1)]
    same = {one.order: one.source for one in first if one.document_id == segment.document_id}
    texts = sorted(segment.outputs.values_list("text", flat=True))
    chosen = Random(f"{campaign.seed}/example").sample(
        texts, min(len(texts), campaign.plan.outputs_for(segment.words))
    )
    return Screen(
        key="example",
        protocol=campaign.protocol,
        scale=protocol_named(campaign.protocol).scale(len(chosen)),
        source=segment.source,
        reference=segment.reference if campaign.show_reference else None,
        before=same.get(segment.order - 1),
        after=same.get(segment.order + 1),
        candidates=tuple(ShownCandidate(secrets.token_hex(6), text) for text in chosen),
        source_language=campaign.source_language,
        target_language=campaign.target_language,
        given=None,
    )
