"""Protocols: the ways to ask people. One module each, which defines `PROTOCOL`.

A protocol says which outputs go on a screen, what the screen shows, what an answer must
satisfy, and how answers become judgements. Assignment, repeats, quality control, timing and
revisions are the same for all.
"""

from collections.abc import Mapping

from adjudge.campaigns.protocols.protocol import Protocol
from adjudge.errors import AdjudgeError
from adjudge.registry import registered

__all__ = ["Protocol", "protocol_named", "protocols"]


def protocols() -> Mapping[str, Protocol]:
    """Every protocol there is, by name."""
    return registered(__name__, "PROTOCOL")


def protocol_named(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in protocols():
        raise AdjudgeError(f"no protocol {name!r}; there are: {', '.join(protocols())}")
    return protocols()[name]
