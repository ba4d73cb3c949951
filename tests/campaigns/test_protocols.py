"""Every registered protocol, from creation to export: what all have to do, and never do."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import NoItem, Refused
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput, TestSet

pytestmark = [
    pytest.mark.usefixtures("sqlite"),
    pytest.mark.parametrize("name", sorted(PROTOCOLS)),
]
SYSTEMS = ("Zebra-unseen", "Okapi-unseen", "Tapir-unseen", "Quagga-unseen")
DESIGN = Design(run=2, block=3, long_words=None, repeats=0.2, repeat_gap=2, common=0.4)
FIRST_KEY = 7_000_000


def texts(segments: int = 8) -> TestSet:
    """Sentences with two phrases each, whose translations do not tell whose they are."""

    def phrase(segment: int, word: int) -> Part:
        outputs = tuple(
            PartOutput(f"Wort{word}{kind}", (system,), f"Das ist Wort{word}{kind} hier", 8)
            for kind, system in enumerate(SYSTEMS)
        )
        return Part((word,), f"word{word}", outputs)

    return TestSet(
        source=tuple(f"sentence {n} of words" for n in range(segments)),
        reference=tuple(f"Referenz {n}" for n in range(segments)),
        documents=tuple(f"document{n // 4}" for n in range(segments)),
        names=tuple(str(n + 1) for n in range(segments)),
        systems={
            system: tuple(f"Satz {n} nach Art {kind}" for n in range(segments))
            for kind, system in enumerate(SYSTEMS)
        },
        source_language="en",
        target_language="de",
        parts=tuple((phrase(n, 0), phrase(n, 3)) for n in range(segments)),
    )


def create(name: str, design: Design = DESIGN, **told: Any) -> Any:
    """A campaign of the protocol, and of the one it follows where it needs one."""
    from adjudge.campaigns.setup.creation import create_campaign

    follows = PROTOCOLS.named(name).follows
    asked = [f"{follows}:2", f"{name}:2"] if follows else [name]
    return create_campaign("test", texts(), design, protocols=asked, **told)


def quality(_: str, systems: tuple[str, ...], __: str) -> float:
    return 1.0 if SYSTEMS[0] in systems else -0.5


def simulate(campaign: Any, answers: int = 10_000, judges: int = 2, **told: Any) -> int:
    from adjudge.campaigns.people.simulated import simulate_judges

    return simulate_judges(campaign, quality, answers=answers, judges=judges, **told)


def asked_next(judge: Any, protocol: str) -> Any:
    """The next item under this protocol; what comes before it is answered."""
    from adjudge.campaigns.work.assignment import next_item

    while True:
        item = next_item(judge)
        if item.hit.protocol == protocol:
            return item
        answer(item)


def simulated_answer(item: Any, seen: float, seed: int = 1) -> dict[str, Any]:
    from adjudge.campaigns.work.screen import screen_of

    screen = screen_of(item)
    qualities = [seen * (1 + at) for at in range(len(screen.candidates))]
    return PROTOCOLS.named(screen.protocol).simulated(screen, qualities, Random(seed))


def answer(item: Any, seen: float = 0.5, revision: int = 1) -> dict[str, Any]:
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.screen import candidate_keys

    said = simulated_answer(item, seen)
    key = f"answer-{revision}-{item.key}"
    submit(item.judge, item.key, key, {"candidates": candidate_keys(item), **said})
    return said


def a_judge(campaign: Any, name: str) -> Any:
    """One whose turn at the protocol will come, for others have done what it judges."""
    from adjudge.campaigns.people.invitation import invite

    follows = PROTOCOLS.named(name).follows
    if follows:
        other = invite(campaign, "other", protocols=[follows]).judge
        for _ in range(4):
            answer(asked_next(other, follows))
    return invite(campaign, "Ada", protocols=[name]).judge


def exported(campaign: Any, name: str) -> pl.DataFrame:
    """The rows of this protocol in the export of its kind."""
    from adjudge.campaigns.results import tables

    of = {
        "judgements": tables.judgements_of,
        "scores": tables.scores_of,
        "edits": tables.edits_of,
    }
    table = of[PROTOCOLS.named(name).kind](campaign)
    return table.filter(pl.col("protocol") == name)


@pytest.mark.slow
def test_simulated_judges_finish_a_campaign(name: str, tmp_path: Path) -> None:
    from adjudge.campaigns.models import Answer, Hit
    from adjudge.campaigns.work.assignment import next_item

    campaign = create(name)
    judges = 3 if PROTOCOLS.named(name).follows else 2  # nobody reviews their own
    number = simulate(campaign, judges=judges)
    assert number == Answer.objects.count()
    for judge in campaign.judges.all():
        with pytest.raises(NoItem, match=r"every part|come back"):
            next_item(judge)
    kinds = Hit.objects.filter(protocol=name)
    assert kinds.filter(kind=Hit.Kind.COMMON, given__gt=1).exists()
    assert kinds.filter(kind=Hit.Kind.REPEAT).exists()
    table = exported(campaign, name)
    assert table["judge"].n_unique() == judges
    assert set(table["pair"]) == {"en-de"}
    assert table["seconds"].null_count() == 0
    assert set(table["output"].unique()) <= set(SYSTEMS)
    if PROTOCOLS.named(name).follows:  # with what its answers are about
        table = exported(campaign, PROTOCOLS.named(name).follows).vstack(table)
    _comes_back(table, name, tmp_path)


@pytest.mark.slow
def test_scores_lie_between_the_ends_of_their_scales(name: str) -> None:
    from adjudge.data.score_table import ENDS

    ends = PROTOCOLS.named(name).ends
    assert (PROTOCOLS.named(name).kind == "scores") == bool(ends)
    campaign = create(name)
    simulate(campaign, answers=30, noise=5.0)
    for row in exported(campaign, name).to_dicts() if ends else ():
        low, high = ends[row["scale"]]
        assert low <= row["score"] <= high
    # Where the readers of files know the scale too, they say the same.
    assert {scale: ENDS.get(scale, found) for scale, found in ends.items()} == dict(ends)


def _comes_back(table: pl.DataFrame, name: str, folder: Path) -> None:
    """Through files of its kind, as it was."""
    from adjudge.data.table_files import read_any, write

    for ending in ("jsonl", "parquet"):
        path = str(folder / f"table.{ending}")
        write(table, path)
        loaded = read_any(path)
        assert loaded.kind == PROTOCOLS.named(name).kind
        assert loaded.frame.equals(table)


def test_a_second_answer_counts_instead_of_the_first(name: str) -> None:
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.work.answers import last_answered
    from adjudge.campaigns.work.screen import screen_of

    campaign = create(name)
    judge = a_judge(campaign, name)
    item = asked_next(judge, name)
    first = answer(item, seen=2.5)
    once = exported(campaign, name)
    last = last_answered(judge)
    assert last is not None
    screen = screen_of(last)
    assert PROTOCOLS.named(name).check(screen.given or {}, screen) == screen.given
    second = answer(last, seen=-6.0, revision=2)
    assert first != second
    stored = Answer.objects.filter(assignment=item).order_by("revision")
    assert [one.revision for one in stored] == [1, 2]
    table = exported(campaign, name)
    assert len(table) == len(once)
    said = ["output", *(set(table.columns) & {"rank", "score", "edit", "verdict"})]
    assert not table.select(said).equals(once.select(said))


def test_a_skipped_item_is_a_row_without_an_output(name: str) -> None:
    from adjudge.campaigns.work.answers import skip

    campaign = create(name)
    judge = a_judge(campaign, name)
    item = asked_next(judge, name)
    skip(judge, item.key, "skipping-it", "text damaged")
    skipped = exported(campaign, name)
    assert skipped["output"].to_list() == [None]
    assert asked_next(judge, name) != item
    answer(item)  # it may be answered after all
    assert exported(campaign, name)["output"].null_count() == 0


@pytest.mark.slow
def test_a_backup_holds_all_of_it(
    name: str, tmp_path: Path, sqlite_store: Callable[[], str], switch: Callable[[str], None]
) -> None:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.store.backup import backup, restore

    campaign = create(name)
    simulate(campaign, answers=20)
    before = exported(campaign, name)
    assert len(before)
    backup(str(tmp_path / "all.jsonl"))
    switch(sqlite_store())
    restore(str(tmp_path / "all.jsonl"))
    assert exported(Campaign.objects.get(), name).equals(before)


@pytest.mark.slow
def test_controls_are_found_and_met_where_they_can_be(name: str) -> None:
    from adjudge.campaigns.models import Assignment
    from adjudge.campaigns.results.controls import agreed_pairs, control_records, mark_controls

    campaign = create(name, Design(run=2, block=4, common=1.0, repeats=0.0, control_margin=1))
    simulate(campaign, answers=36, judges=3, noise=0.0, group="researchers")
    found = mark_controls(campaign)
    assert found == sum(map(len, agreed_pairs(campaign).values()))
    shown = Assignment.objects.filter(hit__protocol=name).values_list("shown", flat=True)
    compared = any(len(outputs) > 1 for outputs in shown)  # on one screen
    assert (found > 0) == compared
    simulate(campaign, answers=10, judges=1, noise=0.0, group="crowd")
    records = control_records(campaign)
    assert all(0 <= one.failed <= one.met for one in records.values())


def test_a_screen_tells_no_system_and_no_key_of_the_database(name: str) -> None:
    from django.apps import apps
    from django.db import connection

    from adjudge.campaigns.work.screen import screen_of

    with connection.cursor() as cursor:  # keys that are told from all other numbers
        cursor.execute("DELETE FROM sqlite_sequence")
        for model in apps.get_app_config("campaigns").get_models(include_auto_created=True):
            values = [model._meta.db_table, FIRST_KEY]
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", values)
    campaign = create(name)
    assert campaign.pk > FIRST_KEY
    item = asked_next(a_judge(campaign, name), name)
    shown = json.dumps(asdict(screen_of(item)))
    assert "unseen" not in shown
    assert str(FIRST_KEY)[:4] not in shown
    answer(item)
    assert str(FIRST_KEY)[:4] not in json.dumps(asdict(screen_of(item)))


def test_our_own_answer_is_practised_and_agrees(name: str) -> None:
    from adjudge.campaigns.setup.tutorial import Tutorial, check_tutorial
    from adjudge.campaigns.work.practice import practise
    from adjudge.campaigns.work.screen import screen_of

    campaign = create(name)
    judge = a_judge(campaign, name)
    item = asked_next(judge, name)
    screen, said = screen_of(item), simulated_answer(item, 2.5)
    practice = {
        "protocol": name,
        "source": screen.source,
        "reference": screen.reference,
        "outputs": [
            {"text": one.text, "sentence": one.sentence}
            | ({} if one.part is None else {"part": one.part})
            | ({} if one.start is None else {"start": one.start})
            for one in screen.candidates
        ],
        "parts": [{"text": part.text, "words": list(part.words)} for part in screen.parts],
        "details": dict(screen.details),
        "answer": said,
        "feedback": "Because.",
    }
    check_tutorial(Tutorial((practice,)), [name], DESIGN)
    campaign.tutorial = [practice]
    judge.campaign = campaign
    verdict = practise(judge, 0, said)
    assert verdict.agrees is not False
    assert verdict.ours == PROTOCOLS.named(name).check(said, screen)
    opposite = PROTOCOLS.named(name).check(simulated_answer(item, -9.0), screen)
    assert PROTOCOLS.named(name).agrees(verdict.ours, opposite) is False


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=5)
)
anything = st.recursive(
    leaves,
    lambda some: (
        st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=5), some, max_size=3)
    ),
    max_leaves=8,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to everything within an answer."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, one in inner for place in _places(one, (*path, key)))]


@st.composite
def spoilt(draw: st.DrawFn, good: dict[str, Any]) -> Any:
    """A good answer with something else in one or two places."""
    answer: Any = deepcopy(good)
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from([p for p in _places(answer) if p] or [("other",)]))
        inner = answer
        for key in way:
            inner = inner[key]
        inner[last] = draw(anything)
    return answer


@pytest.mark.slow
def test_garbage_is_refused_and_never_an_error(name: str) -> None:
    from adjudge.campaigns.work.screen import screen_of
    from adjudge.web.judging.words import refusal

    campaign = create(name)
    item = asked_next(a_judge(campaign, name), name)
    screen, good = screen_of(item), simulated_answer(item, 0.0)
    protocol = PROTOCOLS.named(name)
    known = protocol.check(good, screen)

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.dictionaries(st.sampled_from([*good, "x"]), anything) | spoilt(good))
    def refuse(answer: dict[str, Any]) -> None:
        refused = None
        try:
            kept = protocol.checked(answer, screen)
        except Refused as error:
            refused = error
        if refused is not None:
            # The judge reads a sentence that can be translated, never the reason itself.
            assert refusal(refused) != str(refused)
            return
        # What is taken can be stored, shown again and exported.
        assert protocol.check(kept, screen) == kept
        assert set(kept) == set(known)
        stored = json.dumps(kept, allow_nan=False)
        assert "\\u0000" not in stored
        stored.encode("ascii")
        rows = protocol.rows(
            pl.DataFrame({"ranking": [1], "shown": [item.shown], "payload": [stored]})
        )
        assert len(rows) >= 1

    refuse()
