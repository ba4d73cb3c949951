"""What was submitted is what is exported."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import polars as pl
import pytest

from adjudge.campaigns.design import Design
from adjudge.core.errors import AdjudgeError
from adjudge.data.judgement_table import SCHEMA
from adjudge.data.outputs import systems_of
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
NOW = datetime(2026, 5, 17, 9, tzinfo=UTC)


def test_the_export_equals_what_was_submitted(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.answers import Times, submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    texts = made_texts(segments=12)
    outputs = dict(texts.systems)
    outputs["systemB"] = outputs["systemA"]  # one output, two systems
    texts = replace(texts, systems=outputs)
    made = create_campaign("test", texts, Design(block=4))
    rng = Random(5)
    expected = []
    for name, group in (("Ann", "researchers"), ("Bob", "")):
        judge = invite(made, name, group=group).judge
        for number in range(10):
            item = next_item(judge, NOW)
            screen = screen_of(item)
            ranks = [rng.randint(1, 5) for _ in screen.candidates]
            keys = [one.key for one in screen.candidates]
            now = NOW + timedelta(minutes=number)
            times = Times(active=float(number))
            sent = {"candidates": keys, "ranks": ranks}
            submit(judge, item.key, f"{name}-number-{number}", sent, times, now)
            order = texts.source.index(screen.source)
            expected += [
                (
                    *(name, group or None, texts.documents[order], texts.names[order], position),
                    *(rank, one.text, screen.source, screen.reference, float(number), now),
                )
                for position, (one, rank) in enumerate(
                    zip(screen.candidates, ranks, strict=True), 1
                )
            ]
    table = judgements_of(made)
    assert dict(table.schema) == SCHEMA
    columns = ["judge", "group", "document", "segment", "position", "rank", "text"]
    columns += ["source", "reference", "seconds", "time"]
    assert sorted(table.select(columns).rows(), key=str) == sorted(expected, key=str)
    assert table["pair"].unique().to_list() == ["en-cs"]
    for output, text, segment in table.select("output", "text", "segment").rows():
        producers = {s for s, lines in outputs.items() if lines[int(segment) - 1] == text}
        assert set(systems_of(output)) == producers


def test_excluded_judges_stay_in_the_store_but_not_in_the_export(
    sqlite: str, made_texts: Texts
) -> None:
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign

    made = create_campaign("test", made_texts(), Design())
    simulate_judges(made, lambda *_: 0.0, answers=12, judges=2)
    judges.exclude(judges.judge_named(made, "simulated-01"), "always answers 1")
    assert judgements_of(made)["judge"].unique().to_list() == ["simulated-02"]
    assert judgements_of(made, include_excluded=True)["ranking"].n_unique() == 12


def test_an_empty_campaign_exports_an_empty_table(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign

    table = judgements_of(create_campaign("test", made_texts(), Design()))
    assert table.shape == (0, len(SCHEMA))


@pytest.mark.slow
def test_simulated_judges_find_the_better_systems(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.data.comparisons import compare
    from adjudge.data.win_counts import count

    made = create_campaign("test", made_texts(), Design(reference="system"))
    order = ["ref", "systemF", "systemE", "systemD", "systemC", "systemB", "systemA"]
    given = simulate_judges(
        made, lambda _, systems, text: -0.8 * min(map(order.index, systems)), answers=120
    )
    assert given == 120
    table = judgements_of(made)
    assert set(table["judge"].unique()) == {f"simulated-{n:02d}" for n in range(1, 9)}
    assert table["ranking"].n_unique() == 120
    counts = count(compare(table))
    wins = counts.wins.sum(axis=1) / (counts.wins + counts.wins.T).sum(axis=1)
    found = sorted(counts.systems, key=lambda system: -wins[counts.systems.index(system)])
    assert found == order


@pytest.mark.slow
def test_the_same_seed_simulates_the_same(
    sqlite_store: Callable[[], str], switch: Callable[[str], None], made_texts: Texts
) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign

    tables = []
    for _ in range(2):
        switch(sqlite_store())
        made = create_campaign("test", made_texts(), Design())
        simulate_judges(made, lambda *_: 0.0, answers=20, judges=2, seed=3)
        tables.append(judgements_of(made).drop("time"))
    assert tables[0].equals(tables[1])


def test_bad_test_sets_leave_nothing(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.setup.creation import create_campaign

    texts = made_texts()
    one = {"systemA": texts.systems["systemA"]}
    with pytest.raises(AdjudgeError, match="at least two"):
        create_campaign("test", replace(texts, systems=one), Design())
    with pytest.raises(AdjudgeError, match="taken for the reference"):
        create_campaign("test", replace(texts, systems=one | {"REF": texts.source}), Design())
    with pytest.raises(AdjudgeError, match="`protocol` cannot be"):
        create_campaign("test", texts, Design(), protocols=["guessing"])
    assert not Campaign.objects.exists()
    create_campaign("test", texts, Design())
    with pytest.raises(AdjudgeError, match="already"):
        create_campaign("test", texts, Design())


def test_identical_outputs_leave_nothing_to_rank(sqlite: str, made_texts: Texts) -> None:
    """A segment on which all systems agree is not shown."""
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign

    texts = made_texts(segments=9, documents=1, systems=3)
    same = {name: (*lines[:4], "the same", *lines[5:]) for name, lines in texts.systems.items()}
    made = create_campaign("test", replace(texts, systems=same), Design(repeats=0.0))
    assert simulate_judges(made, lambda *_: 0.0, answers=99, judges=1) == 8
    assert "5" not in judgements_of(made)["segment"].cast(pl.String).to_list()
