"""Screens to look at: what judges of a campaign will see, with nothing given to anybody."""

import secrets
from dataclasses import replace

from django.db import transaction

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.protocol_kit.protocol import Screen
from adjudge.campaigns.work.assignment import next_item
from adjudge.campaigns.work.screen import screen_of


class _Undone(Exception):
    """Takes back what was only tried."""


def example_screens(campaign: Campaign) -> list[Screen]:
    """What a new judge would get under each protocol; they are forgotten again.

    A protocol that has nothing yet is left out; raises `NoItem` where none has anything.
    """
    found, missing = [], []
    for protocol in campaign.protocols:
        try:
            found.append(_example(campaign, protocol))
        except NoItem as reason:
            missing.append(reason)
    if not found:
        raise missing[0]
    return found


def _example(campaign: Campaign, protocol: str) -> Screen:
    found: list[Screen] = []
    try:
        with transaction.atomic():
            name = secrets.token_hex(16)
            judge = Judge.objects.create(campaign=campaign, name=name, protocols=[protocol])
            found.append(replace(screen_of(next_item(judge)), key=f"example-{protocol}"))
            raise _Undone
    except _Undone:
        return found[0]
