"""Backup while judges work, restore on either engine; migrations on data."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import polars as pl
import pytest

from adjudge.campaigns.design import Design
from adjudge.core.errors import AdjudgeError, InputError
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
STORED = Path(__file__).parent / "data" / "store-0001.jsonl"
RANKS = [[2, 2, 1, 1], [1, 2, 1, 2], [1, 2], [2, 1, 1, 1]]
RANKS += [[1, 2, 1, 3], [1, 1, 1, 2], [3, 2, 1, 3], [1, 3, 2, 1]]


def simulated(texts: TestSet, answers: int = 15) -> Any:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    made = create_campaign("test", texts, Design(reference="rarer"))
    simulate_judges(made, lambda *_: 0.0, answers=answers, judges=3)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "target", "ending"),
    [
        ("sqlite", "sqlite", "jsonl"),
        ("sqlite", "postgresql", "jsonl.gz"),
        ("postgresql", "sqlite", "jsonl.zst"),
        ("postgresql", "postgresql", "jsonl.gz"),
    ],
)
def test_a_backup_comes_back_on_either_engine(
    request: pytest.FixtureRequest,
    switch: Callable[[str], None],
    made_texts: Texts,
    tmp_path: Path,
    source: str,
    target: str,
    ending: str,
) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.store.backup import backup, restore
    from adjudge.campaigns.work.assignment import next_item

    first, second = str(tmp_path / f"one.{ending}"), str(tmp_path / "two.jsonl")
    switch(request.getfixturevalue(f"{source}_store")())
    before = judgements_of(simulated(made_texts(segments=9)))
    rows = backup(first)
    switch(request.getfixturevalue(f"{target}_store")())
    assert restore(first) == rows
    campaign = campaign_named("test")
    assert judgements_of(campaign).equals(before)
    backup(second)
    # Every row of every table is the same; only the heading's time differs.
    assert read(first)[1:] == read(second)[1:]
    # The store goes on: new rows get keys of their own.
    next_item(invite(campaign, "another").judge)


def read(path: str) -> list[Any]:
    from adjudge.core.files.input_file import InputFile

    return [json.loads(line) for line in InputFile(path).text.splitlines()]


def test_a_backup_is_of_one_moment_and_holds_nobody_up(
    store: str, made_texts: Texts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge answers while the backup is half written; the answer is not in it."""
    from django.db import connections

    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.store import backup as module

    made = simulated(made_texts(segments=9))
    answers = Answer.objects.count()
    begun, answered = Event(), Event()

    def work() -> None:
        from adjudge.campaigns.people.simulated import simulate_judges

        begun.wait(20)
        simulate_judges(made, lambda *_: 0.0, answers=3, judges=1)
        answered.set()
        connections.close_all()

    write = module._write

    def slow(stream: Any, line: Any) -> None:
        write(stream, line)
        if isinstance(line, list) and not begun.is_set():  # the first row
            begun.set()
            assert answered.wait(20), "the judge had to wait for the backup"

    monkeypatch.setattr(module, "_write", slow)
    judge = Thread(target=work)
    judge.start()
    path = str(tmp_path / "backup.jsonl")
    module.backup(path)
    judge.join()
    assert Answer.objects.count() == answers + 3
    lines = read(path)
    start = next(i for i, line in enumerate(lines) if line_of(line) == "campaigns_answer")
    rows = [line for line in lines[start + 1 :] if isinstance(line, list)]
    assert len(rows) == answers


@pytest.mark.slow
def test_a_backup_of_an_earlier_version_comes_back(store: str, tmp_path: Path) -> None:
    """The first version's tables had neither batches nor a name `design_values`."""
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.store.backup import restore

    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(STORED.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(InputError, match="cut short"):
        restore(str(cut))
    rows = json.loads(STORED.read_text().splitlines()[-1])["rows"]
    assert restore(str(STORED)) == rows  # the tables are as they were before the failure
    campaign = campaign_named("stored")
    assert campaign.design.reference == "system"
    assert campaign.protocols == ("ranking",)
    assert judgements_of(campaign)["ranking"].n_unique() == 8
    last = Answer.objects.order_by("pk").last()
    assert last is not None
    copy = Answer.objects.create(
        assignment=last.assignment,
        revision=last.revision + 1,
        key="another-key",
        payload=last.payload,
        received=last.received,
    )
    assert copy.pk > last.pk  # keys go on after the restored ones


@pytest.mark.slow
def test_one_campaign_comes_back_out_of_a_backup(
    store: str, made_texts: Texts, tmp_path: Path
) -> None:
    """It was deleted; the others went on meanwhile."""
    from adjudge.campaigns.models import Answer, Assignment, Campaign, Item, Output
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.store.audit import record
    from adjudge.campaigns.store.backup import backup, restore
    from adjudge.campaigns.work.assignment import next_item

    lost = simulated(made_texts(segments=9))
    record(lost, "olga", "closed the campaign")
    other = create_campaign("other", made_texts(segments=6), Design())
    simulate_judges(other, lambda *_: 0.0, answers=9, judges=2)
    before = judgements_of(lost)
    tables = (Answer, Assignment, Item, Output)
    counts = [model._default_manager.count() for model in tables]
    path = str(tmp_path / "backup.jsonl.gz")
    rows = backup(path)
    with pytest.raises(AdjudgeError, match="already"):
        restore(path, only="test")
    Campaign.objects.get(name="test").delete()
    untouched = judgements_of(other)
    with pytest.raises(InputError, match="no campaign 'tset'"):
        restore(path, only="tset")
    assert 0 < restore(path, only="test") < rows
    again = campaign_named("test")
    assert judgements_of(again).equals(before)
    assert judgements_of(other).equals(untouched)
    assert [model._default_manager.count() for model in tables] == counts
    assert again.audit.get().what == "closed the campaign"
    judge = again.judges.first()
    assert judge is not None
    next_item(judge)  # and it goes on
    again.name = "renamed"
    again.save()
    with pytest.raises(AdjudgeError, match="empty database"):  # its rows are there under that name
        restore(path, only="test")
    assert judgements_of(campaign_named("renamed")).equals(before)
    assert [model._default_manager.count() for model in tables] == counts


def test_accounts_of_organisers_are_in_the_backup(
    sqlite_store: Any, switch: Any, made_texts: Texts, tmp_path: Path
) -> None:
    from django.contrib.auth.models import User

    from adjudge.campaigns.people.access import Organiser, share, visible_campaigns
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.store.backup import backup, restore

    switch(sqlite_store())
    campaign = create_campaign("test", made_texts(), Design())
    for name in ("anna", "otto"):
        User.objects.create_user(name, password=f"password of {name}", is_staff=True)
    share(campaign, "otto", "owner", "anna")
    path = str(tmp_path / "backup.jsonl")
    backup(path)
    switch(sqlite_store())
    User.objects.create_user("anna", password="another", is_staff=True)
    restore(path)
    accounts = {user.username: user for user in User.objects.all()}
    assert accounts["otto"].check_password("password of otto")
    assert accounts["anna"].check_password("another")  # who is there already stays
    assert visible_campaigns(Organiser("otto")).get().name == "test"


def line_of(line: Any) -> str | None:
    return line.get("table") if isinstance(line, dict) else None


def test_bad_backups_are_refused_and_leave_nothing(
    sqlite: str, made_texts: Texts, tmp_path: Path, switch: Any, sqlite_store: Any
) -> None:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.store.backup import backup, restore

    path = tmp_path / "backup.jsonl"
    simulated(made_texts(segments=9))
    backup(str(path))
    with pytest.raises(AdjudgeError, match="already"):
        restore(str(path))
    lines = path.read_text().splitlines(keepends=True)
    schema = json.loads(lines[0])["schema"]
    row = next(i for i, line in enumerate(lines) if line.startswith("["))
    switch(sqlite_store())
    for name, bad, message in (
        ("cut", lines[:-1], "cut short"),
        ("middle", [*lines[:20], lines[20][: len(lines[20]) // 2]], "line 21"),
        ("missing", [*lines[:row], *lines[row + 1 :]], "cut short"),
        ("other", ['{"something": "else"}\n'], "not a backup"),
        ("older", [lines[0].replace(schema, "0000"), *lines[1:]], "0000"),
        ("rows", [lines[0], "[1, 2, 3]\n"], "line 2"),
        ("table", [lines[0], '{"table": "x", "columns": []}\n'], "no table 'x'"),
    ):
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(bad))
        with pytest.raises(InputError, match=message):
            restore(str(file))
        assert not Campaign.objects.exists()
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(gzip.compress("".join(lines).encode())[:-20])
    with pytest.raises(InputError, match="gzip"):
        restore(str(broken))


def test_a_backup_names_tables_only(sqlite: str, tmp_path: Path) -> None:
    """Names of a file are compared with those of this version; none is looked up as code."""
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.store.backup import KIND, _schema, restore

    table = Campaign._meta.db_table
    for number, lines in enumerate(
        (
            [{"table": "os.system", "columns": ["true"]}],
            [{"table": ["os"], "columns": []}],
            [{"table": table, "columns": ["name", "__class__"]}],
            [{"table": table, "columns": ["save"]}],
            [{"table": table, "columns": "delete"}],
            [{"table": table}],
            ["os.system"],
            [3],
            [{"table": table, "columns": ["id"]}, ["os.system"]],
            [{"table": table, "columns": ["id"]}, [{"__reduce__": ["os.system"]}]],
        )
    ):
        file = tmp_path / f"{number}.jsonl"
        heading = {"backup": KIND, "schema": _schema()}
        file.write_text("".join(f"{json.dumps(line)}\n" for line in [heading, *lines]))
        with pytest.raises(InputError, match=r"line [23]: "):
            restore(str(file))
        assert not Campaign.objects.exists()


def test_the_migrations_are_all_there(sqlite: str) -> None:
    from django.core.management import call_command

    call_command("makemigrations", "campaigns", check=True, dry_run=True, verbosity=0)


@pytest.mark.slow
def test_a_store_of_the_first_version_with_data_in_it_is_brought_up_to_date(store: str) -> None:
    """tests/campaigns/data holds rows as the first version's tables had them."""
    from django.core.management import call_command
    from django.db import connection, transaction

    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.campaign_state import campaign_named

    call_command("migrate", "campaigns", "zero", verbosity=0, interactive=False)
    call_command("migrate", "campaigns", "0001", verbosity=0, interactive=False)
    lines = [json.loads(line) for line in STORED.read_text().splitlines()]
    table, columns = "", [""]
    with transaction.atomic(), connection.cursor() as cursor:
        for line in lines[1:-1]:
            if isinstance(line, dict):
                table, columns = line["table"], line["columns"]
                continue
            values = [json.dumps(v) if isinstance(v, dict | list) else v for v in line]
            marks = ", ".join(["%s"] * len(columns))
            named = ", ".join(f'"{column}"' for column in columns)
            cursor.execute(f'INSERT INTO "{table}" ({named}) VALUES ({marks})', values)
    call_command("migrate", "campaigns", verbosity=0, interactive=False)
    table_now = judgements_of(campaign_named("stored"))
    assert table_now["ranking"].n_unique() == 8
    assert sorted(table_now["judge"].unique().to_list()) == ["simulated-01", "simulated-02"]
    ranks = table_now.group_by("ranking").agg(pl.col("rank")).sort("ranking")["rank"].to_list()
    assert ranks == RANKS
