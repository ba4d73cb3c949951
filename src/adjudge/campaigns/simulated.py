"""Simulated judges who go the way of real ones: next item, answer, submit.

A judge sees the quality of an output through noise of their own, and ranks what differs by
less than their threshold as equal. They are called simulated wherever they appear.
"""

from collections.abc import Callable
from datetime import timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from adjudge.campaigns.answers import Times, submit
from adjudge.campaigns.assignment import next_item
from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.invitation import invite
from adjudge.campaigns.models import Campaign, Output
from adjudge.campaigns.screen import candidate_keys

# Of an output: the segment's name, the systems that produced it, its text.
Quality = Callable[[str, tuple[str, ...], str], float]

_SECONDS_A_CHARACTER = 0.04  # ordinary reading


@transaction.atomic
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
    """Let `judges` new judges give up to `answers` rankings; how many they gave.

    The clock ends now and began as long ago as the slowest of them needed.
    """
    rng = Random(f"{seed}/judges")
    start = campaign.judges.filter(name__startswith="simulated-").count()
    people = [
        invite(campaign, f"simulated-{start + number:02d}", group=group).judge
        for number in range(1, judges + 1)
    ]
    noises = {judge.pk: noise * rng.uniform(0.6, 1.4) for judge in people}
    clock = {judge.pk: timezone.now() - timedelta(hours=8) for judge in people}
    systems = _systems_of_outputs(campaign)
    outputs = Output.objects.filter(segment__campaign=campaign)
    texts = dict(outputs.values_list("pk", "text"))
    given = 0
    while people and given < answers:
        judge = people[given % len(people)]
        try:
            item = next_item(judge, clock[judge.pk])
        except NoItem:
            people.remove(judge)
            continue
        segment = item.item.segment
        seen = [
            quality(segment.name, systems[output], texts[output]) + rng.gauss(0, noises[judge.pk])
            for output in item.shown
        ]
        read = len(segment.source) + sum(len(texts[output]) for output in item.shown)
        seconds = round(read * _SECONDS_A_CHARACTER * rng.lognormvariate(0, 0.4), 1)
        clock[judge.pk] = min(clock[judge.pk] + timedelta(seconds=seconds), timezone.now())
        answer = {"candidates": candidate_keys(item), "ranks": ranks(seen, threshold)}
        key = f"simulated-{item.key}"
        submit(judge, item.key, key, answer, Times(seconds, seconds), clock[judge.pk])
        given += 1
    return given


def ranks(seen: list[float], threshold: float) -> list[int]:
    """Ranks from 1: the next best opens a new rank when it is clearly below the rank's first."""
    rank, first = 0, float("inf")
    found = [0] * len(seen)
    for position in sorted(range(len(seen)), key=lambda at: -seen[at]):
        if first - seen[position] > threshold:
            rank, first = rank + 1, seen[position]
        found[position] = rank
    return found


def _systems_of_outputs(campaign: Campaign) -> dict[int, tuple[str, ...]]:
    systems: dict[int, tuple[str, ...]] = {}
    rows = Output.objects.filter(segment__campaign=campaign).order_by("pk", "systems__name")
    for output, system in rows.values_list("pk", "systems__name"):
        systems[output] = (*systems.get(output, ()), system)
    return systems
