"""Changes to a campaign, each with a new version and an audit log entry.

A version records what judges were asked from a moment on.

An assignment keeps its version, which exports contain (`design`). The first version is stored when
it ends: a campaign that was never changed has none.

Where a change touches what is shown together, HITs that were drawn before are given to nobody
else: a new system would never meet the others in them.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import combinations_with_replacement, count
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import (
    Answer,
    Assignment,
    Campaign,
    DesignVersion,
    Document,
    Exposure,
    Hit,
    Output,
    Run,
    Segment,
    System,
)
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.setup.creation import (
    REFERENCE,
    ROWS,
    check_name,
    judged_outputs,
    store_outputs,
    store_rows,
    store_texts,
)
from adjudge.campaigns.setup.empty_outputs import refuse_empty
from adjudge.campaigns.store.audit import record
from adjudge.campaigns.store.queries import lock_campaign
from adjudge.campaigns.store.unfinished import hide, making, remove
from adjudge.core.errors import AdjudgeError
from adjudge.data.judgement_table import is_reference
from adjudge.text.testset import UNNAMED, TestSet

# Values of the design that decide what a HIT shows.
_SHOWN_TOGETHER = ("block", "long_words", "long_block", "reference_rate", "balance")


def asked_now(campaign: Campaign) -> dict[str, Any]:
    """Everything that determines what judges are given and told."""
    return {
        "values": campaign.design_values,
        "protocols": campaign.batches,
        "instructions": campaign.instructions,
        "show_reference": campaign.show_reference,
        "systems": sorted(campaign.systems.values_list("name", flat=True)),
        "documents": campaign.documents.count(),
        "segments": campaign.segments.count(),
    }


@contextmanager
def changing(campaign: Campaign, who: str, what: str, **details: Any) -> Iterator[Campaign]:
    """Lock the campaign for a change, then log it, and store a new version if judges are
    affected.
    """
    with transaction.atomic():
        locked = lock_campaign(campaign.pk)
        before = asked_now(locked)
        yield locked
        after = asked_now(locked)
        if after != before:
            if locked.version == 1:
                _store(locked, locked.created, before)
            locked.version += 1
            locked.save(update_fields=["version"])
            _store(locked, timezone.now(), after)
            if _draws(after) != _draws(before):
                _retire_hits(locked)
            details |= {"version": locked.version}
        record(locked, who, what, details)
    campaign.refresh_from_db()


def _draws(asked: Mapping[str, Any]) -> list[object]:
    """Settings that determine what is shown together."""
    values = Design.from_json(asked["values"]).to_json()
    return [asked["systems"], *(values[name] for name in _SHOWN_TOGETHER)]


def _retire_hits(campaign: Campaign) -> None:
    """Keep drawn HITs for the judges who have them; others get newly drawn ones.

    Runs whose draw nobody has judged count as not drawn.
    """
    hits = campaign.hits.filter(retired=False, kind__in=(Hit.Kind.EXCLUSIVE, Hit.Kind.COMMON))
    kept = Assignment.objects.exclude(state=Assignment.State.RETURNED)
    for run in hits.exclude(assignments__in=kept).values_list("run", flat=True):
        Run.objects.filter(pk=run, drawn__gt=0).update(drawn=F("drawn") - 1)
    hits.update(retired=True)


def _store(campaign: Campaign, since: Any, asked: Mapping[str, Any]) -> None:
    DesignVersion.objects.create(
        campaign=campaign, number=campaign.version, since=since, said=dict(asked)
    )


def versions_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Versions of the campaign, in serialisable form."""
    stored = [
        {"design": str(version.number), "since": version.since, **version.said}
        for version in campaign.versions.order_by("number")
    ]
    return stored or [{"design": "1", "since": campaign.created, **asked_now(campaign)}]


# Segments are divided into runs, and the reference made a system, when a campaign is created.
FIXED = ("run", "reference")


def change(campaign: Campaign, who: str, **values: Any) -> list[str]:
    """Change `name`, `instructions`, `opens`, `ends` and values of the design; return the changed
    ones.
    """
    own = {name: values.pop(name) for name in _OWN if name in values}
    design = {**campaign.design_values, **values}
    for name in FIXED:
        if design.get(name) != campaign.design_values.get(name):
            raise AdjudgeError(f"{name} cannot be changed once a campaign is there; make a new one")
    wanted = Design.from_json(design).to_json()
    if own.get("name", campaign.name) != campaign.name:
        check_name(own["name"])
    opens, ends = (own.get(name, getattr(campaign, name)) for name in ("opens", "ends"))
    if opens and ends and ends <= opens:
        raise AdjudgeError("the campaign would end before it begins; change `opens` or `ends`")
    changed = {name: value for name, value in own.items() if getattr(campaign, name) != value}
    stored = campaign.design.to_json()
    values = {name: value for name, value in wanted.items() if stored[name] != value}
    if not changed and not values:
        return []
    told = {name: _told(value) for name, value in {**changed, **values}.items()}
    with changing(campaign, who, "changed the campaign", **told) as locked:
        for name, value in changed.items():
            setattr(locked, name, value)
        locked.design_values = wanted
        locked.save(update_fields=[*changed, "design_values"])
    return sorted(told)


_OWN = ("name", "instructions", "opens", "ends")


def _told(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def add_systems(
    campaign: Campaign,
    who: str,
    systems: Mapping[str, Sequence[str]],
    allow_empty: bool = False,
) -> None:
    """Add systems, with a text for each segment in order; balanced drawing lets them catch up.

    Empty outputs are refused unless `allow_empty`.
    """
    if all(PROTOCOLS.named(name).needs_parts for name in campaign.protocols):
        raise AdjudgeError("this campaign asks about phrases only; make a new one for more systems")
    if not systems:
        raise AdjudgeError("no system is given; name at least one")
    asked = asked_now(Campaign.objects.get(pk=campaign.pk))
    known = set(campaign.systems.values_list("name", flat=True))
    segments = list(campaign.segments.order_by("order"))
    for name, texts in systems.items():
        if name in known or is_reference(name):
            raise AdjudgeError(f"there is a system {name!r} already; rename the new one")
        if len(texts) != len(segments):
            raise AdjudgeError(
                f"system {name} has {len(texts):,} segments, the campaign {len(segments):,}; "
                "they must be parallel"
            )
    if not allow_empty:
        refuse_empty(systems)
    with making() as made:
        staged = made.new()
        system_rows = [System(campaign=staged, name=name) for name in systems]
        again: list[Any] = []
        made.in_steps(_store_systems(staged, segments, system_rows, systems, again))
        with changing(campaign, who, "added systems", systems=sorted(systems)) as locked:
            _refuse_changed(locked, asked)
            _move_systems(staged, locked, system_rows, again)


def _store_systems(
    staged: Campaign,
    segments: Sequence[Segment],
    rows: Sequence[System],
    texts: Mapping[str, Sequence[str]],
    again: list[Any],
) -> Iterator[None]:
    """Store systems and outputs on staged copies of segments; existing outputs are credited at the
    end (`again`).
    """
    document = Document.objects.create(campaign=staged, name=UNNAMED, order=1)
    run = Run.objects.create(campaign=staged)
    System.objects.bulk_create(rows)
    copies = [
        Segment(campaign=staged, document=document, run=run, name=one.name, order=one.order)
        for one in segments
    ]
    yield from store_rows(Segment, copies)
    of_campaign = Output.objects.filter(segment__campaign=segments[0].campaign_id, part=None)
    there = {
        (segment, text): output
        for output, segment, text in of_campaign.values_list("pk", "segment", "text")
    }
    new: dict[tuple[int, str], list[str]] = {}
    for row in rows:
        for segment, copy, text in zip(segments, copies, texts[row.name], strict=True):
            output = there.get((segment.pk, text))
            if output is None:
                new.setdefault((copy.pk, text), []).append(row.name)
            else:
                again.append(Output.systems.through(output_id=output, system_id=row.pk))
    credited = ((Output(segment_id=key, text=text), names) for (key, text), names in new.items())
    yield from store_outputs(credited, {row.name: row for row in rows})


def _refuse_changed(campaign: Campaign, asked: Mapping[str, Any]) -> None:
    """Refuse data prepared for an earlier state of the campaign."""
    if asked_now(campaign) != asked:
        raise AdjudgeError(f"{campaign.name} was changed meanwhile; look at it and try again")


def _move_systems(
    staged: Campaign, campaign: Campaign, rows: Sequence[System], again: Sequence[Any]
) -> None:
    place = Segment.objects.filter(pk=OuterRef(OuterRef("segment_id"))).values("order")
    own = Segment.objects.filter(campaign=campaign, order=Subquery(place)).values("pk")
    Output.objects.filter(segment__campaign=staged).update(segment_id=Subquery(own))
    staged.systems.update(campaign=campaign)
    Output.systems.through.objects.bulk_create(again, ROWS)
    systems = list(campaign.systems.order_by("pk"))
    new = {row.pk for row in rows}
    Exposure.objects.bulk_create(
        Exposure(campaign=campaign, system=a, other=b)
        for a, b in combinations_with_replacement(systems, 2)
        if b.pk in new
    )


def add_segments(campaign: Campaign, who: str, texts: TestSet, allow_empty: bool = False) -> None:
    """Add segments in new documents, translated by all systems of the campaign.

    Segments without document names form one new document. Empty outputs are refused unless
    `allow_empty`.
    """
    asked = asked_now(Campaign.objects.get(pk=campaign.pk))
    systems = set(asked["systems"])
    given = set(texts.systems) | ({REFERENCE} if texts.reference is not None else set())
    if missing := sorted(systems - given):
        raise AdjudgeError(f"the new segments have no text of {', '.join(missing)}; add it")
    if unknown := sorted(set(texts.systems) - systems):
        raise AdjudgeError(f"{campaign.name} has no system {unknown[0]!r}; add it first")
    there = set(campaign.documents.values_list("name", flat=True))
    if set(texts.documents) == {UNNAMED}:
        free = (name for number in count(2) if (name := f"{UNNAMED} {number}") not in there)
        texts = replace(texts, documents=(next(free),) * len(texts.documents))
    if twice := sorted(there.intersection(texts.documents)):
        raise AdjudgeError(f"there is a document {twice[0]!r} already; name the new one otherwise")
    if not allow_empty:
        asks = [PROTOCOLS.named(name) for name in campaign.protocols]
        refuse_empty(judged_outputs(texts, campaign.design, asks), texts)
    number = len(set(texts.documents))
    said = {"documents": number, "segments": len(texts.source)}
    with making() as made:
        staged = made.new(batches=campaign.batches, design_values=campaign.design_values)
        made.in_steps(store_texts(staged, texts, list(campaign.systems.all())))
        with changing(campaign, who, "added segments", **said) as locked:
            _refuse_changed(locked, asked)
            before = {"documents": asked["documents"], "segments": asked["segments"]}
            for kind, place in before.items():
                rows = getattr(staged, kind)
                rows.update(campaign=locked, order=F("order") + place)
            staged.runs.update(campaign=locked)


def archive(campaign: Campaign, who: str) -> None:
    """Hide the closed campaign from lists, keeping all data."""
    with changing(campaign, who, "archived the campaign") as locked:
        now = timezone.now()
        locked.archived = now
        if locked.state == Campaign.State.OPEN:
            locked.state, locked.closed = Campaign.State.CLOSED, now
        locked.save(update_fields=["archived", "state", "closed"])


def bring_back(campaign: Campaign, who: str) -> None:
    """List an archived campaign again; it stays closed."""
    with changing(campaign, who, "brought the campaign back from the archive") as locked:
        locked.archived = None
        locked.save(update_fields=["archived"])


def what_goes(campaign: Campaign) -> dict[str, int]:
    """Numbers of rows that deletion would remove."""
    return {
        "systems": campaign.systems.filter(is_reference=False).count(),
        "segments": campaign.segments.count(),
        "judges": campaign.judges.count(),
        "answers": Answer.objects.filter(assignment__judge__campaign=campaign).count(),
    }


def delete(campaign: Campaign, who: str, confirmed: str) -> None:
    """Delete the campaign except its log, if its name is given as confirmation.

    It disappears at once; its rows are deleted in steps.
    """
    if confirmed.strip() != campaign.name:
        raise AdjudgeError(
            f"write the campaign's name, {campaign.name}, to confirm; nothing is gone"
        )
    with transaction.atomic():
        record(campaign, who, "deleted the campaign", what_goes(campaign))
        hide(campaign)
    remove([campaign])
