"""Simulated judges that use the same interface as real ones: next item, answer, submit.

A judge sees the quality of an output with an error: half of its variance is their taste, the same
whenever they meet that output, half is new each time, so that they agree with themselves more than
with others. They cannot distinguish outputs that differ by less than a threshold. The protocol
determines their answers. They are called simulated wherever they appear.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Assignment, Campaign, Judge, Output
from adjudge.campaigns.people.invitation import invite
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.work.adaptive import refresh_needs
from adjudge.campaigns.work.answers import Times, submit
from adjudge.campaigns.work.assignment import next_item
from adjudge.campaigns.work.screen import candidate_keys, screen_of

# Of an output: the segment's name, the systems that produced it, its text.
Quality = Callable[[str, tuple[str, ...], str], float]

_SECONDS_A_CHARACTER = 0.04  # ordinary reading
_PORTION = 10  # answers


@dataclass
class _Person:
    judge: Judge
    noise: float
    clock: datetime


def simulate_judges(
    campaign: Campaign,
    quality: Quality,
    *,
    seed: int = 1,
    answers: int = 300,
    judges: int = 8,
    noise: float = 0.5,
    threshold: float = 0.4,
    group: str = "simulated",
) -> int:
    """Let `judges` new judges give up to `answers` answers; return the number given.

    Their clocks begin in the past, so that they end about now. A batch of answers is one
    transaction.
    """
    rng = Random(f"{seed}/judges")
    texts, systems = _outputs(campaign)
    before = campaign.judges.filter(name__startswith="simulated-").count()
    start = timezone.now() - _expected_time(campaign, texts) * (answers / judges)
    people = [
        _Person(
            invite(campaign, f"simulated-{before + number:02d}", group=group).judge,
            noise * rng.uniform(0.6, 1.4),
            start,
        )
        for number in range(1, judges + 1)
    ]

    def see(person: _Person, item: Assignment) -> list[float]:
        """Perceived qualities of the outputs shown, in units of the threshold."""
        segment, seen = item.item.segment, []
        for output in item.shown:
            taste = Random(f"{seed}/{person.judge.name}/{segment.order}/{texts[output]}")
            error = (taste.gauss(0, person.noise) + rng.gauss(0, person.noise)) / sqrt(2)
            seen.append((quality(segment.name, systems[output], texts[output]) + error) / threshold)
        return seen

    given = 0
    while people and given < answers:
        with transaction.atomic():
            for _ in range(min(_PORTION, answers - given)):
                given += _judge_one(people, given, see, rng)
        refresh_needs(campaign.pk)
    return given


def _judge_one(
    people: list[_Person],
    given: int,
    see: Callable[[_Person, Assignment], list[float]],
    rng: Random,
) -> int:
    """Let the next judge answer; remove judges without work."""
    while people:
        person = people[given % len(people)]
        try:
            item = next_item(person.judge, person.clock)
        except NoItem:
            people.remove(person)
            continue
        screen = screen_of(item)
        said = PROTOCOLS.named(screen.protocol).simulated(screen, see(person, item), rng)
        read = len(item.item.segment.source) + sum(map(len, screen.texts))
        _answer(person, item, said, read * rng.lognormvariate(0, 0.4))
        return 1
    return 0


def _answer(person: _Person, item: Assignment, said: Mapping[str, Any], characters: float) -> None:
    """Submit after the time it takes to read this many characters."""
    seconds = round(characters * _SECONDS_A_CHARACTER, 1)
    person.clock = min(person.clock + timedelta(seconds=seconds), timezone.now())
    answer = {"candidates": candidate_keys(item), **said}
    times = Times(seconds, seconds)
    submit(person.judge, item.key, f"simulated-{item.key}", answer, times, person.clock)


def _outputs(campaign: Campaign) -> tuple[dict[int, str], dict[int, tuple[str, ...]]]:
    """Text of every output, and the systems that produced it."""
    texts: dict[int, str] = {}
    systems: dict[int, tuple[str, ...]] = {}
    rows = Output.objects.filter(segment__campaign=campaign).order_by("pk", "systems__name")
    for output, text, system in rows.values_list("pk", "text", "systems__name"):
        texts[output] = text
        systems[output] = (*systems.get(output, ()), *([system] if system else []))
    return texts, systems


def _expected_time(campaign: Campaign, texts: dict[int, str]) -> timedelta:
    """Expected time per screen."""
    shown = 1 + campaign.design.block  # the source is about as long as an output
    return timedelta(seconds=shown * fmean(map(len, texts.values())) * _SECONDS_A_CHARACTER)
