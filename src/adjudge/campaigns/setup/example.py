"""Preview of the screens of a campaign, without assigning work."""

import secrets
from dataclasses import replace

from django.db import transaction

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.protocol_kit.protocol import Screen
from adjudge.campaigns.work.assignment import next_item
from adjudge.campaigns.work.screen import screen_of


class _Undone(Exception):
    """Signal that rolls back a trial transaction."""


def example_screens(campaign: Campaign) -> list[Screen]:
    """Screens that a new judge would get under each protocol, rolled back afterwards.

    A protocol without work is left out; raises `NoItem` if there is none at all.
    """
    screens, missing = [], []
    for protocol in campaign.protocols:
        try:
            screens.append(_example(campaign, protocol))
        except NoItem as reason:
            missing.append(reason)
    if not screens:
        raise missing[0]
    return screens


def _example(campaign: Campaign, protocol: str) -> Screen:
    screens: list[Screen] = []
    try:
        with transaction.atomic():
            name = secrets.token_hex(16)
            judge = Judge.objects.create(campaign=campaign, name=name, protocols=[protocol])
            screens.append(replace(screen_of(next_item(judge)), key=f"example-{protocol}"))
            raise _Undone
    except _Undone:
        return screens[0]
