"""Accounts, sharing and the log by command."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.slow

Texts = Callable[..., TestSet]


@pytest.fixture
def campaign(sqlite: str, made_texts: Texts) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("test", made_texts(), Design())


def test_the_first_organiser_is_an_administrator(campaign: Any, adjudge: Any) -> None:
    from django.contrib.auth.models import User

    first = adjudge("campaign", "organiser", "anna")
    assert "an administrator, who sees every campaign" in first.out
    assert "shown this once" in first.out
    second = adjudge("campaign", "organiser", "otto")
    assert "their own campaigns and those shared with them" in second.out
    adjudge("campaign", "organiser", "otto", "--administrator")
    assert User.objects.get(username="otto").is_superuser
    refused = adjudge("campaign", "organiser", "nobody", "--remove")
    assert refused.code == 2
    assert "there are: anna, otto" in refused.err
    near = adjudge("campaign", "organiser", "otta", "--remove")
    assert "no organiser 'otta'; did you mean 'otto'?" in near.err
    near = adjudge("campaign", "status", "tset")
    assert "no campaign 'tset'; did you mean 'test'?" in near.err
    assert adjudge("campaign", "organiser", "anna", "--remove").code == 0
    last = adjudge("campaign", "organiser", "otto", "--no-administrator")
    assert last.code == 2
    assert "somebody has to be an administrator" in last.err
    assert User.objects.get(username="otto").is_superuser


def test_sharing_and_the_log(campaign: Any, adjudge: Any, tmp_path: Path) -> None:
    for name in ("anna", "otto"):
        adjudge("campaign", "organiser", name)
    assert adjudge("campaign", "share", "test", "otto").out == "otto is analyst of test.\n"
    shared = adjudge("campaign", "share", "test", "otto", "--role", "owner")
    assert shared.out == "otto is owner of test.\n"
    for arguments, said in (
        (("nobody",), "no organiser 'nobody'"),
        (("anna", "--end"), "not shared with anna"),
    ):
        refused = adjudge("campaign", "share", "test", *arguments)
        assert refused.code == 2
        assert said in refused.err
    adjudge("campaign", "invite", "test", "Ann")
    adjudge("campaign", "judge", "test", "Ann", "exclude", "--reason", "tired")
    adjudge("campaign", "close", "test")
    adjudge("campaign", "organiser", "otto", "--remove")
    file = tmp_path / "log.csv"
    assert adjudge("campaign", "log", "test", "--format", "csv", "--output", file).code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    rows = [line.split(",", 2) for line in file.read_text().splitlines()[1:]]
    assert [row[2] for row in rows] == [
        "shared the campaign,organiser: otto; role: analyst",
        "shared the campaign,organiser: otto; role: owner",
        "invited,judges: Ann",
        "excluded a judge,judge: Ann; reason: tired",
        "closed the campaign,",
        "ended the sharing of the campaign,organiser: otto",
    ]
    assert all(row[1].endswith("(command line)") for row in rows)


@pytest.mark.secret_seed
def test_a_given_seed_says_what_it_is_for(sqlite: str, adjudge: Any, tmp_path: Path) -> None:
    from adjudge.campaigns.setup.campaign_state import campaign_named

    for name in ("source", "A", "B"):
        (tmp_path / f"{name}.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "B.txt").write_text("un\ndeux\ntrois\n")
    texts = ["--source", "source.txt", "--system", "A=A.txt", "--system", "B=B.txt"]
    texts += ["--set", "reference=off"]
    adjudge("campaign", "organiser", "olga")
    secret = adjudge("campaign", "create", "one", *texts, "--owner", "olga", folder=tmp_path)
    assert (secret.code, secret.err) == (0, "")
    assert campaign_named("one").seed > 2**32
    assert campaign_named("one").access.get().organiser == "olga"
    given = adjudge("campaign", "create", "two", *texts, "--seed", "7", folder=tmp_path)
    assert "simulations only" in given.err
    assert campaign_named("two").seed == 7
    refused = adjudge("campaign", "create", "three", *texts, "--owner", "otto", folder=tmp_path)
    assert refused.code == 2
    assert "no organiser 'otto'" in refused.err


def test_a_database_that_others_can_read_is_mended(sqlite: str, adjudge: Any) -> None:
    Path(sqlite).chmod(0o644)
    said = adjudge("campaign", "status")
    assert said.code == 0
    assert stat.S_IMODE(Path(sqlite).stat().st_mode) == 0o600
