"""Comments on items, messages to the organisers and reasons for skipping: stored once, shown to
organisers, exported, and nobody else's business."""

import csv
import io
import os
import re

import pytest

pytestmark = pytest.mark.slow


def _write(who, text, **body):
    return who.post("remark", {"key": os.urandom(8).hex(), "text": text, **body})


@pytest.fixture
def ada(campaign, visitor):
    """A judge who commented, wrote, and skipped."""
    who = visitor(campaign).enter()
    first, second = who.state["items"][:2]
    assert _write(who, "An <i>odd</i> sentence.", about=first["key"]).status_code == 200
    assert _write(who, "When is the end?").status_code == 200
    assert who.answer(first, [1, 2, 3, 4]).status_code == 200
    skip = {"assignment": second["key"], "key": "skipped-one", "reason": "text damaged"}
    assert who.post("skip", skip).status_code == 200
    return who


def test_a_remark_is_stored_once(ada):
    from adjudge.campaigns.models import Remark

    again = {"key": "the-same-key", "text": "Twice."}
    assert [ada.post("remark", again).status_code for _ in range(2)] == [200, 200]
    assert Remark.objects.filter(text="Twice.").count() == 1


def test_what_is_no_remark_is_refused(ada, campaign, visitor):
    bob = visitor(campaign, "Bob").enter()
    assert _write(ada, "  ").status_code == 422
    assert _write(ada, "x" * 2001).status_code == 422
    assert _write(ada, 5).status_code == 400
    assert _write(ada, "On what?", about=bob.state["items"][0]["key"]).status_code == 422
    bob.post("remark", {"key": "the-key-of-bob", "text": "Mine."})
    assert ada.post("remark", {"key": "the-key-of-bob", "text": "Mine."}).status_code == 422


def test_organisers_read_it_on_the_dashboard_and_on_the_judges_page(ada, campaign, olga):
    part = f"/organise/{campaign.pk}/said/"
    assert part in olga.get(f"/organise/{campaign.pk}/").content.decode()
    judge_page = olga.get(f"/organise/{campaign.pk}/judges/{ada.judge.pk}/").content.decode()
    assert f"{part}?judge={ada.judge.pk}" in judge_page
    for address in (part, f"{part}?judge={ada.judge.pk}"):
        text = olga.get(address).content.decode()
        for words in ("An &lt;i&gt;odd&lt;/i&gt; sentence.", "When is the end?", "text damaged"):
            assert words in text
    assert "× 1" in olga.get(part).content.decode()


def test_a_judge_sees_nothing_of_what_others_write(ada, campaign, visitor):
    bob = visitor(campaign, "Bob").enter()
    assert "odd" not in bob.page.content.decode()
    stranger = ada.client.get(f"/organise/{campaign.pk}/said/")
    assert stranger.status_code == 302


def test_it_comes_as_csv_and_with_the_judgements(ada, campaign, olga):
    from adjudge.campaigns.results.tables import judgements_of

    file = b"".join(olga.get(f"/organise/{campaign.pk}/said.csv").streaming_content).decode()
    rows = {row["kind"]: row for row in csv.DictReader(io.StringIO(file))}
    assert rows["comment"]["text"] == "An <i>odd</i> sentence."
    assert rows["comment"]["segment"]
    assert (rows["message"]["text"], rows["message"]["segment"]) == ("When is the end?", "")
    assert rows["skipped"]["text"] == "text damaged"
    table = judgements_of(campaign).cast({"comment": str})
    comments = table.group_by("ranking", maintain_order=True).agg("comment", "rank").rows()
    assert [sorted(set(comment)) for _, comment, _ in comments] == [
        ["An <i>odd</i> sentence."],
        ["text damaged"],
    ]


@pytest.mark.parametrize("format_name", ["jsonl", "parquet"])
def test_comments_survive_a_file(ada, campaign, tmp_path, format_name):
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.table_files import read, write

    table = judgements_of(campaign)
    path = str(tmp_path / f"table.{format_name}")
    write(table, path, format_name)
    assert read(path)["comment"].cast(str).to_list() == table["comment"].cast(str).to_list()


def test_one_can_write_before_the_work_begins(campaign, visitor):
    from adjudge.campaigns.models import Remark

    bob = visitor(campaign, "Bob")
    bob.client.get(f"/j/{bob.invitation.token}/")
    welcome = bob.client.get(f"{bob.address}welcome/").content.decode()
    assert f"{bob.address}message/" in welcome
    page = bob.client.get(f"{bob.address}message/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    send = {"text": "May I start later?", "csrfmiddlewaretoken": token}
    assert "Thank you" in bob.client.post(f"{bob.address}message/", send).content.decode()
    assert Remark.objects.get().text == "May I start later?"
    assert bob.client.post(f"{bob.address}message/", send | {"text": ""}).status_code == 400


def test_whom_to_ask_stands_on_every_page(campaign, visitor, client, olga, settings_with_contact):
    campaign.contact = "ada@example.org"
    campaign.save()
    ada = visitor(campaign).enter()
    for address in (ada.address, f"{ada.address}welcome/", f"{ada.address}message/"):
        assert "mailto:ada@example.org" in ada.client.get(address).content.decode()
    for browser, address in ((client, "/"), (client, "/nowhere/"), (client, "/organise/sign-in/"),
                             (client, "/account/"), (olga, "/organise/")):  # fmt: skip
        assert "help@example.org" in browser.get(address).content.decode()


@pytest.fixture
def settings_with_contact():
    """A server that says whom to ask."""
    from django.test import override_settings

    with override_settings(CONTACT="help@example.org"):
        yield
