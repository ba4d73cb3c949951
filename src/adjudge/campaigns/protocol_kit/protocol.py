"""Interface of protocols, and their input."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import eq
from random import Random
from typing import Any, Literal

import polars as pl
from django.utils.functional import Promise

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Assignment
from adjudge.campaigns.protocol_kit.sampling import Candidate, Exposure

Payload = Mapping[str, Any]
# What answers become: rows of a judgement table, of a score table or of a table of edits
# (`adjudge.data`).
Kind = Literal["judgements", "scores", "edits"]


@dataclass(frozen=True)
class Finished:
    """Current answer under the protocol that another one `follows`."""

    answer: int
    output: Candidate  # that was judged
    payload: Payload


@dataclass(frozen=True)
class Passage:
    """Segment with its outputs to be judged (without the judge's own systems)."""

    segment: int
    words: int  # of the source
    outputs: tuple[Candidate, ...]  # of the whole segment
    parts: tuple[tuple[Candidate, ...], ...]  # of each of its parts, in order
    # Others' answers under the protocol that this one `follows`, of which nobody was asked yet.
    answers: tuple[Finished, ...] = ()


@dataclass(frozen=True)
class Block:
    """Content of one screen."""

    segment: int
    candidates: tuple[Candidate, ...]
    about: int | None = None  # the answer that is judged, rather than the candidates


@dataclass(frozen=True)
class ShownPart:
    """Phrase of the source that is judged by itself."""

    text: str
    words: tuple[int, ...]  # zero-based indices of its words in the source


@dataclass(frozen=True)
class ShownCandidate:
    """Output as shown to a judge."""

    key: str
    text: str
    part: int | None = None  # which of the screen's parts it translates, from 0
    sentence: str = ""  # in which a part's output stands,
    start: int | None = None  # and at which character


@dataclass(frozen=True)
class Screen:
    """Item as shown to a judge."""

    key: str  # of the assignment
    protocol: str
    scale: Mapping[str, Any]
    source: str | None
    reference: str | None
    before: str | None  # the source segment before this one in its document
    after: str | None
    parts: tuple[ShownPart, ...]
    candidates: tuple[ShownCandidate, ...]
    details: Mapping[str, Any]  # as the protocol says
    source_language: str
    target_language: str
    given: Mapping[str, Any] | None  # what the judge said before, when they come back to it

    @property
    def texts(self) -> list[str]:
        """Texts to be judged, in display order."""
        return [candidate.text for candidate in self.candidates]


def source_and_candidates(screen: Screen) -> list[str]:
    """Source and all texts to be judged."""
    return [screen.source or "", *screen.texts]


def to_the_letter(payload: Payload, screen: Screen) -> object:
    """Answer unchanged."""
    return payload


def anything(payload: Payload) -> bool:
    """Accept every answer."""
    return True


def nothing_more(assignment: Assignment) -> dict[str, Any]:
    """Return no details."""
    return {}


@dataclass(frozen=True)
class Protocol:
    """Protocol: a way to collect judgements.

    `draw(passages, design, exposure, rng)`: the screens for a run of consecutive segments, in
    order; an empty list if there is nothing to judge. Outputs are shuffled later, those of a part
    kept together.

    `scale(candidates, design)`: further data for the page, for a screen of this many candidates.

    `check(answer, screen)`: the answer as stored; raises `Refused` for anything a careful page
    would not send.

    `rows(answers)`: a frame with `ranking`, `shown` (output keys in the order shown) and `payload`
    (JSON as stored), one row an answer, becomes the rows of its `kind` with `output_key` and
    `position` beside the other columns, and
    - judgements: `rank`, `label`; where parts are ranked, `part`: which part of the screen; the
      `position` is within it
    - scores: `scale`, `score`, `spans`
    - edits: `edit`, `incomprehensible`, `verdict`

    `simulated(screen, seen, rng)`: the answer of somebody who sees these qualities in the
    candidates: larger is better, what differs by less than 1 they cannot tell apart, and a
    middling one has 0.

    `hides`: what judges must not see, of `source`, `reference`, `before` and `after`.

    `shows_reference`: do judges see the reference, unless the organiser says so?

    `details(assignment)`: what only this protocol shows. `alone`: the same where an item has
    nothing around it, as in a tutorial; what it lacks there the tutorial gives.

    `agrees(ours, given)`: does a practice answer agree with ours in what matters? None: one
    cannot tell.

    `reads(screen)`: the texts that nobody can judge without reading them. From their length follows
    the shortest time that counts as work (`campaigns.work.reading_speed`).

    `says(payload, screen)`: what an answer says apart from the texts it is about, so that
    organisers see who says the same of every text.

    `follows`: the protocol whose finished answers are judged, for those that judge answers;
    `takes(payload)`: is there anything to judge in such an answer?

    `refusals`: what the judge reads when `check` refuses with a code of this protocol; marked as
    translatable with `gettext_lazy`. Codes that every protocol may use (`form`, `candidate`) have
    their sentence already.

    `ends`: of protocols that give scores, every scale with its lowest and highest score.

    `batch`: how many screens a batch has, unless the organiser says so.
    """

    name: str
    summary: str
    paper: str
    kind: Kind
    draw: Callable[[Sequence[Passage], Design, Exposure, Random], list[Block]]
    scale: Callable[[int, Design], dict[str, Any]]
    check: Callable[[Payload, Screen], dict[str, Any]]
    rows: Callable[[pl.DataFrame], pl.DataFrame]
    simulated: Callable[[Screen, Sequence[float], Random], dict[str, Any]]
    hides: frozenset[str] = frozenset()
    shows_reference: bool = True
    details: Callable[[Assignment], dict[str, Any]] = nothing_more
    alone: Mapping[str, Any] = field(default_factory=dict)
    agrees: Callable[[Payload, Payload], bool | None] = eq
    reads: Callable[[Screen], Sequence[str]] = source_and_candidates
    says: Callable[[Payload, Screen], object] = to_the_letter
    needs_parts: bool = False
    follows: str = ""
    takes: Callable[[Payload], bool] = anything
    refusals: Mapping[str, Promise] = field(default_factory=dict)
    ends: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    batch: int = 5

    def saying(self, payload: Payload, screen: Screen) -> str:
        """Stored form of `says`: short, and equal for equal answers."""
        said = self.says(payload, screen)
        if not isinstance(said, str):
            said = blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=8).hexdigest()
        return said

    def checked(self, answer: Payload, screen: Screen) -> dict[str, Any]:
        """Validate an answer; a refusal explains itself in the protocol's own words."""
        try:
            return self.check(answer, screen)
        except Refused as refused:
            refused.sentence = self.refusals.get(refused.code)
            raise
