"""What a protocol is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import polars as pl

from adjudge.campaigns.design import Design
from adjudge.campaigns.sampling import Candidate, Exposure

Payload = Mapping[str, Any]


@dataclass(frozen=True)
class Protocol:
    """One way to ask people.

    `draw(candidates, words, design, exposure, rng)`: the outputs of a segment of so many words
    that go on one screen; an empty list where there is nothing to judge.

    `scale(candidates)`: what the page needs to know beyond texts, for a screen of so many.

    `check(answer, texts)`: the answer as stored, for a screen that shows these texts in this
    order; raises `Refused` for anything a careful page would not send.

    `judgements(answers)`: a frame with `shown` (output keys in the order shown) and `payload`
    (JSON as stored), one row an answer, becomes one row per judged output with `output_key`,
    `position`, `rank` and `label` beside the other columns.
    """

    name: str
    summary: str
    paper: str
    draw: Callable[[Sequence[Candidate], int, Design, Exposure, Random], list[Candidate]]
    scale: Callable[[int], dict[str, Any]]
    check: Callable[[Payload, Sequence[str]], dict[str, Any]]
    judgements: Callable[[pl.DataFrame], pl.DataFrame]
