"""Protocols, one module each, registered by `PROTOCOL`.

A protocol defines the outputs of a screen, its content, the validation of answers, and their
conversion to judgements. Assignment, repeats, quality control, timing and revisions are the same
for all.
"""

from adjudge.campaigns.protocol_kit.protocol import Protocol
from adjudge.core.registry import Registry

__all__ = ["PROTOCOLS", "Protocol"]


PROTOCOLS = Registry(__name__, "PROTOCOL", Protocol, "protocol")
