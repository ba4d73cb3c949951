"""Invitations: names, e-mails or a table in; links to copy, a table and mail out; reminders."""

import csv
import email
import re
from datetime import timedelta
from email.policy import default

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from adjudge.core.errors import AdjudgeError
from adjudge.web.organiser.pasted_invitations import Invited, read_people

ANN = Invited("Ann", "ann@example.org")


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ann\n\n Bob ", [Invited("Ann"), Invited("Bob")]),
        ("ann@example.org", [Invited("ann@example.org", "ann@example.org")]),
        ("Ann <ann@example.org>", [ANN]),
        ("Ann, ann@example.org\nBob", [ANN, Invited("Bob")]),
        ("Smith, John", [Invited("Smith, John")]),
        ("email,name\nann@example.org,Ann\n,Bob", [ANN, Invited("Bob")]),
        ("Name;E-Mail\nAnn;ann@example.org", [ANN]),
    ],
)
def test_people_as_organisers_have_them(text, people):
    assert read_people(text) == people


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nobody"),
        ("name,email", "names nobody"),
        ("Ann\nAnn", "twice"),
        ("Ann <ann@>", "not an e-mail"),
        ("x" * 201, "is not a name"),
        ("\n".join(map(str, range(1001))), "at most 1000"),
    ],
)
def test_what_is_wrong_with_people_is_said(text, said):
    with pytest.raises(AdjudgeError, match=said):
        read_people(text)


def invited(olga, campaign, **given):
    page = olga.post(f"/organise/{campaign.pk}/invite/", given, follow=True)
    return page.redirect_chain[0][0], page.content.decode()


def test_a_table_in_and_a_table_out(campaign, olga):
    table = SimpleUploadedFile("judges.csv", b"name,email\nAnn,ann@example.org\nBob,\n")
    address, page = invited(olga, campaign, names="", table=table)
    assert "sends no mail" in page
    rows = list(csv.DictReader(olga.get(f"{address}csv/").content.decode().splitlines()))
    assert [(row["judge"], row["email"]) for row in rows] == [
        ("Ann", "ann@example.org"),
        ("Bob", ""),
    ]
    for row in rows:
        link = row["link"].removeprefix("http://localhost")
        assert row["link"] in page
        assert Client(SERVER_NAME="localhost").get(link).status_code == 302
        assert link.split("/")[2] not in str(olga.session.items()), "no secret in the session"
    assert rows[1]["link"] in olga.get(address).content.decode(), "nothing lost on reload"
    cookie = olga.cookies["adjudge-links"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (address, True, "Strict")
    del olga.cookies["adjudge-links"]
    assert olga.get(address).status_code == 404, "only the browser can read them"
    olga.logout()
    assert olga.get(address).status_code == 302


def test_links_are_mailed_and_those_who_stopped_reminded(campaign, olga, mailbox, judged):
    address, page = invited(olga, campaign, names="Ann <ann@example.org>\nBob")
    assert "Send to 1 judge" in page
    refused = olga.post(f"{address}send/", {"subject": "x", "text": "no link"}, follow=True)
    assert "needs {link}" in refused.content.decode()
    sent = {"subject": "For {name}\n", "text": "{name}: {link} {other}"}
    assert "1 mail is on" in olga.post(f"{address}send/", sent, follow=True).content.decode()
    (letter,) = mailbox
    mail = email.message_from_string(letter, policy=default)
    assert (mail["To"], mail["Subject"]) == ("ann@example.org", "For Ann")
    link = re.search(r"Ann: (\S+) \{other\}", mail.get_content())[1]
    assert link in page
    ann = campaign.judges.get(name="Ann")
    assert ann.mailed is not None
    assert campaign.audit.filter(what="mailed a link").exists()

    remind = f"/organise/{campaign.pk}/remind/"
    assert "Nobody" in olga.post(remind, follow=True).content.decode()
    long_ago = timezone.now() - timedelta(days=3)
    campaign.judges.update(created=long_ago, mailed=long_ago)
    page = olga.post(remind, follow=True).content.decode()
    assert "Ann" in page
    assert "Bob" not in page, "who has no e-mail is not reminded"
    assert "not complete yet" in page
    stranger = Client(SERVER_NAME="localhost")
    assert stranger.get(link.removeprefix("http://localhost")).status_code == 404, "replaced"
