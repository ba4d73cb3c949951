"""Screens to look at: what judges of a campaign will see, with nothing given to anybody."""

import secrets
from dataclasses import replace

from django.db import transaction

from adjudge.campaigns.assignment import next_item
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.protocols.protocol import Screen
from adjudge.campaigns.screen import screen_of


class _Undone(Exception):
    """Takes back what was only tried."""


def example_screen(campaign: Campaign) -> Screen:
    """What a new judge would get; they are forgotten again. Raises `NoItem` as for them."""
    found: list[Screen] = []
    try:
        with transaction.atomic():
            judge = Judge.objects.create(campaign=campaign, name=secrets.token_hex(16))
            found.append(replace(screen_of(next_item(judge)), key="example"))
            raise _Undone
    except _Undone:
        return found[0]
