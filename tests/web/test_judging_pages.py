"""A judge's way, page by page."""

import pytest
from django.test import Client

RANKS = [1, 2, 2, 4]


def test_a_link_lets_in_and_its_token_is_in_no_later_address(campaign, visitor):
    ada = visitor(campaign)
    token = ada.invitation.token
    entered = ada.client.get(f"/j/{token}/")
    assert entered.status_code == 302
    assert token not in entered.headers["Location"]
    assert entered.headers["Referrer-Policy"] == "same-origin"
    page = ada.client.get(entered.headers["Location"])
    assert b"Be <strong>fair</strong>." in page.content
    work = ada.reload().page
    assert work.status_code == 200
    assert token.encode() not in page.content + work.content
    assert work.headers["Cache-Control"] == "no-store"


def test_a_link_that_was_replaced_or_revoked_ends_open_sessions_too(campaign, visitor):
    from adjudge.campaigns.people.invitation import replace_link, revoke_link

    ada = visitor(campaign).enter()
    item = ada.state["items"][0]
    old = ada.invitation.token
    ada.invitation = replace_link(ada.judge)
    assert Client(SERVER_NAME="localhost").get(f"/j/{old}/").status_code == 404
    refused = ada.answer(item, RANKS)
    assert refused.status_code == 401
    assert refused.json()["code"] == "session"
    ada.enter()
    assert ada.answer(item, RANKS).status_code == 200
    revoke_link(ada.judge)
    assert ada.client.get(ada.address).status_code == 401
    assert "personal link" in ada.client.get(ada.address).content.decode()


def test_nobody_gets_in_with_an_address_alone(campaign, visitor):
    ada = visitor(campaign).enter()
    stranger = Client(SERVER_NAME="localhost")
    assert stranger.get(ada.address).status_code == 401
    bob = visitor(campaign, "Bob").enter()
    bob.state["urls"] = ada.state["urls"]
    assert bob.answer(ada.state["items"][0], RANKS).status_code == 401


def test_one_browser_can_judge_as_two(campaign, visitor):
    ada, bob = visitor(campaign).enter(), visitor(campaign, "Bob")
    bob.client = ada.client
    bob.enter()
    ada.reload()
    assert ada.answer(ada.state["items"][0], RANKS).status_code == 200
    assert bob.answer(bob.state["items"][0], RANKS).status_code == 200


def test_saved_means_that_the_database_has_it(campaign, visitor):
    from adjudge.campaigns.models import Answer

    ada = visitor(campaign).enter()
    item = ada.state["items"][0]
    reply = ada.answer(item, RANKS)
    assert reply.status_code == 200
    stored = Answer.objects.get()
    assert stored.assignment.key == item["key"]
    assert stored.payload == {"ranks": RANKS}
    assert (stored.browser_seconds, stored.active_seconds) == (12.5, 10)
    assert stored.browser_time.isoformat() == "2026-01-02T03:04:05.678000+00:00"
    assert stored.seconds is not None
    news = reply.json()
    assert news["revision"] == 1
    assert news["progress"]["done"] == 1
    assert news["items"][0]["key"] == ada.state["items"][1]["key"]


def test_another_device_goes_on_with_the_same_item(campaign, visitor):
    ada = visitor(campaign).enter()
    ada.answer(ada.state["items"][0], RANKS)
    before = ada.reload().state["items"]
    ada.client = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
    assert ada.enter().state["items"] == before


def test_undo_brings_the_last_answer_back_and_keeps_both(campaign, visitor):
    from adjudge.campaigns.models import Answer

    ada = visitor(campaign).enter()
    assert ada.post("undo", {}).json()["code"] == "undo"
    item = ada.state["items"][0]
    ada.answer(item, RANKS)
    again = ada.post("undo", {}).json()["item"]
    assert again["key"] == item["key"]
    assert again["given"] == {"ranks": RANKS}
    assert ada.answer(again, [4, 3, 2, 1]).json()["revision"] == 2
    kept = Answer.objects.order_by("revision").values_list("payload", flat=True)
    assert list(kept) == [{"ranks": RANKS}, {"ranks": [4, 3, 2, 1]}]


def test_skipping_needs_a_reason(campaign, visitor):
    from adjudge.campaigns.models import Answer

    ada = visitor(campaign).enter()
    body = {"assignment": ada.state["items"][0]["key"], "key": "0123456789"}
    assert ada.post("skip", {**body, "reason": " "}).status_code == 422
    assert ada.post("skip", {**body, "reason": "text damaged"}).status_code == 200
    assert Answer.objects.get().skipped == "text damaged"
    assert ada.reload().state["progress"]["done"] == 1


@pytest.mark.parametrize("code", ["closed", "paused", "excluded", "quota"])
def test_the_end_is_told_kindly(campaign, visitor, code):
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.setup import campaign_state

    ada = visitor(campaign, quota=1).enter()
    if code == "closed":
        campaign_state.close(campaign)
    elif code == "paused":
        judges.pause(ada.judge, "secret reason")
    elif code == "excluded":
        judges.exclude(ada.judge, "secret reason")
    else:
        for item in ada.state["items"]:
            assert ada.answer(item, RANKS).status_code == 200
    page = ada.reload().page
    assert page.status_code == 200
    assert ada.state["end"] == code
    assert ada.state["items"] == []
    text = page.content.decode()
    said = {"closed": "is closed", "paused": "paused your work", "quota": "all that was asked"}
    assert said.get(code, "ended your work") in text
    assert "secret reason" not in text


def test_a_campaign_without_a_shown_reference_sends_none(campaign, visitor):
    campaign.show_reference = False
    campaign.save()
    ada = visitor(campaign).enter()
    assert ada.state["items"][0]["reference"] is None
    assert b"Referenz" not in ada.page.content


def test_wrong_links_and_pages_are_told_kindly(campaign, client):
    for address in ("/j/nonsense/", "/nowhere/", "/crowd/nonsense/"):
        page = client.get(address)
        assert page.status_code == 404
        assert b"<h1>" in page.content
    assert client.get("/").status_code == 200


def test_an_answer_is_stored_where_what_comes_next_is_broken(campaign, visitor, monkeypatch):
    """A fault in giving out work must not cost answers: they are stored, and the page is told."""
    from adjudge.campaigns.models import Answer

    ada = visitor(campaign).enter()
    ada.client.raise_request_exception = False

    def broken(*_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("adjudge.web.judging.views.upcoming", broken)
    assert ada.answer(ada.state["items"][0], [1, 2, 2, 4]).status_code == 500
    assert Answer.objects.count() == 1
