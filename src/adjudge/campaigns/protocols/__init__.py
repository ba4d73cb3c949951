"""Protocols: the ways to ask people. One module each, which defines `PROTOCOL`.

A protocol says which outputs go on a screen, what the screen shows, what an answer must
satisfy, and how answers become judgements. Assignment, repeats, quality control, timing and
revisions are the same for all.
"""

from adjudge.campaigns.protocol_kit.protocol import Protocol
from adjudge.core.registry import Registry

__all__ = ["PROTOCOLS", "Protocol"]


PROTOCOLS = Registry(__name__, "PROTOCOL", Protocol, "protocol")
