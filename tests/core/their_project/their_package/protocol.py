"""A protocol: pairs, asked for by somebody else."""

from dataclasses import replace

from adjudge.campaigns.protocols import pairwise

PROTOCOL = replace(pairwise.PROTOCOL, name="their-protocol", summary="which of two is better")
