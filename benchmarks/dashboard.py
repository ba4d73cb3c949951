"""How long the dashboard takes for a campaign of 30,000 rankings by 100 judges (SQLite).

    python -m benchmarks dashboard

The answers are put into the tables directly. There is no peer to compare with.
"""

import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

RANKINGS, JUDGES, SEGMENTS, SYSTEMS, BLOCK = 30_000, 100, 3_000, 15, 5


def fill(rng: Random) -> int:
    """A campaign with its rankings; its key."""
    from django.db import transaction
    from django.utils import timezone

    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.models import Answer, Assignment, Hit, Item, Output
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.text.testset import TestSet

    texts = TestSet(
        source=tuple(f"source {n}" for n in range(SEGMENTS)),
        reference=tuple(f"reference {n}" for n in range(SEGMENTS)),
        documents=tuple(f"document {n // 30}" for n in range(SEGMENTS)),
        names=tuple(map(str, range(SEGMENTS))),
        systems={f"system {s}": tuple(f"{n} {s}" for n in range(SEGMENTS)) for s in range(SYSTEMS)},
        source_language="en",
        target_language="de",
    )
    with transaction.atomic():
        campaign = create_campaign("Large", texts, design_named("wmt13", target=2 * RANKINGS))
        judges = [invite(campaign, f"judge {n}").judge for n in range(JUDGES)]
        outputs: dict[int, list[int]] = {}
        for segment, output in Output.objects.values_list("segment", "pk"):
            outputs.setdefault(segment, []).append(output)
        segments = list(campaign.segments.all())
        hits = Hit.objects.bulk_create(
            Hit(campaign=campaign, run_id=rng.choice(segments).run_id, kind="common")
            for _ in range(RANKINGS // 3)
        )
        items = Item.objects.bulk_create(
            Item(hit=hit, segment=rng.choice(segments), place=place)
            for hit in hits
            for place in (1, 2, 3)
        )
        end = timezone.now()
        times = [end - timedelta(seconds=3 * (RANKINGS - n)) for n in range(RANKINGS)]
        assignments = Assignment.objects.bulk_create(
            Assignment(
                judge=judges[n % JUDGES],
                item=item,
                hit=item.hit,
                place=item.place,
                key=f"{n:032d}",
                shown=rng.sample(outputs[item.segment_id], BLOCK),
                state="answered",
                assigned=times[n],
                finished=times[n],
            )
            for n, item in enumerate(items)
        )
        Answer.objects.bulk_create(
            Answer(
                assignment=one,
                revision=1,
                key=one.key,
                payload={"ranks": rng.choices(range(1, 6), k=BLOCK)},
                received=one.assigned,
                seconds=rng.expovariate(1 / 20),
            )
            for one in assignments
        )
    return int(campaign.pk)


def timed(name: str, function: Callable[[], object]) -> None:
    """Run it and print how long it took."""
    started = time.perf_counter()
    function()
    print(f"  {name}: {time.perf_counter() - started:.2f} s", flush=True)


def main() -> None:
    """Measure every part, first anew and then as the next viewer gets it."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"
    with tempfile.TemporaryDirectory() as folder:
        from adjudge.campaigns.store.opening import open_store

        open_store(str(Path(folder, "large.sqlite3")), create=True)
        from django.contrib.auth.models import User
        from django.test import Client

        client = Client(SERVER_NAME="localhost")
        key = fill(Random(1))
        client.force_login(User.objects.create(username="olga", is_staff=True))
        print(
            f"{RANKINGS:,} rankings, {JUDGES} judges, {SYSTEMS} systems; "
            f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )
        for part in ("", "analysis/", "live/", "judgements/jsonl/", "judgements/parquet/"):
            address = f"/organise/{key}/{part}"
            timed(f"{part or 'page'}, worked out", lambda: client.get(address))  # noqa: B023
            if "judgements" not in part:
                timed(f"{part or 'page'}, again", lambda: client.get(address))  # noqa: B023
