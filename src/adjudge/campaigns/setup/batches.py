"""Batches of several protocols in one campaign, in random order (WMT07 §3).

WMT07's judges got five screens of adequacy and fluency, five of sentence ranking and ten of
constituent ranking, in random order, repeatedly. A batch ends with the HIT that fills it. Where a
protocol has nothing left for a judge, the others go on.
"""

from collections.abc import Sequence

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.core.errors import AdjudgeError

MOST_SCREENS = 1000
Batches = list[tuple[str, int | None]]  # protocol and screens


def batches_from(asked: Sequence[str]) -> Batches:
    """Parse batches: `["ranking"]`, or several with their screens: `["ranking:5",
    "constituent:10"]`.
    """
    batches: Batches = []
    names = [given.partition(":")[0] for given in asked]
    for given in asked:
        name, colon, screens = given.partition(":")
        follows = PROTOCOLS.named(name).follows
        if follows and follows not in names:
            raise AdjudgeError(f"protocol {name} judges answers of {follows}; add {follows}")
        if name in dict(batches):
            raise AdjudgeError(f"protocol {name} is given twice; leave one out")
        if len(asked) == 1 and not colon:
            return [(name, None)]
        if not screens.isdecimal() or not 1 <= int(screens) <= MOST_SCREENS:
            raise AdjudgeError(
                f"protocol {given!r}: say how many screens a batch has, from 1 to {MOST_SCREENS}, "
                f"such as {name}:5"
            )
        batches.append((name, int(screens)))
    if not batches:
        raise AdjudgeError("a campaign needs a protocol; give one")
    return batches
