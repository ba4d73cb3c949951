"""Whose turn it is, where a campaign has several protocols: batches in random order (WMT07 §3)."""

from collections.abc import Iterable, Mapping
from random import Random

from adjudge.campaigns.models import Campaign, Judge


def in_turn(campaign: Campaign, judge: Judge, hits: Iterable[tuple[str, int]]) -> list[str]:
    """The protocols this judge may be asked for, the one whose turn it is first.

    `hits`: the protocol and the screens of every HIT they were given, in order. Every round
    through the batches has an order of its own. A protocol that had nothing when its turn came
    is tried again at the next HIT, and then gets one batch, not all that it missed.
    """
    sizes = {
        name: screens
        for name, screens in campaign.batches
        if not judge.protocols or name in judge.protocols
    }
    round_, over, current, screens = 0, set[str](), "", 0  # over: protocols whose batch has been
    for protocol, more in hits:
        if protocol != current or _full(sizes, current, screens):
            over.add(current)
            if protocol in over:
                round_, over = round_ + 1, set()
            current, screens = protocol, 0
        screens += more
    if _full(sizes, current, screens):
        over.add(current)
        if over.issuperset(sizes):
            round_, over = round_ + 1, set()
        current = ""
    order = sorted(sizes)
    Random(f"{campaign.seed}/{judge.pk}/batches/{round_}").shuffle(order)
    return sorted(order, key=lambda name: (name != current, name in over))


def _full(sizes: Mapping[str, int | None], protocol: str, screens: int) -> bool:
    size = sizes.get(protocol)
    return size is not None and screens >= size
