"""Several protocols in one campaign: in batches, in random order (WMT07 §3).

WMT07's judges got five screens of adequacy and fluency, five of sentence ranking and ten of
constituent ranking, whichever came first, and then anew. A batch ends with the HIT that fills
it. Where a protocol has nothing left for a judge, the others go on.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.errors import AdjudgeError

MOST_SCREENS = 1000
Batches = list[tuple[str, int | None]]  # protocol and screens


def batches_from(asked: Sequence[str]) -> Batches:
    """`["ranking"]`, or several with their screens: `["ranking:5", "constituent:10"]`."""
    found: Batches = []
    names = [one.partition(":")[0] for one in asked]
    for one in asked:
        name, colon, screens = one.partition(":")
        follows = PROTOCOLS.named(name).follows
        if follows and follows not in names:
            raise AdjudgeError(f"protocol {name} judges answers of {follows}; add {follows}")
        if name in dict(found):
            raise AdjudgeError(f"protocol {name} is given twice; leave one out")
        if len(asked) == 1 and not colon:
            return [(name, None)]
        if not screens.isdecimal() or not 1 <= int(screens) <= MOST_SCREENS:
            raise AdjudgeError(
                f"protocol {one!r}: say how many screens a batch has, from 1 to {MOST_SCREENS}, "
                f"such as {name}:5"
            )
        found.append((name, int(screens)))
    if not found:
        raise AdjudgeError("a campaign needs a protocol; give one")
    return found


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
