"""Practice over HTTP: nobody gets past it, and it gives nothing away."""

import pytest

from adjudge.campaigns.design import design_named

ITEMS = (
    {
        "protocol": "ranking",
        "source": "One <b>cat</b>.",
        "outputs": ["Eine Katze.", "Ein Hund."],
        "answer": {"ranks": [1, 2]},
        "feedback": "A *dog* is no <b>cat</b>. hidden-so-far",
    },
    {
        "protocol": "ranking",
        "source": "Two cats.",
        "outputs": ["Zwei Hunde.", "Zwei Katzen."],
        "answer": {"ranks": [2, 1]},
    },
)


@pytest.fixture
def taught(store, texts):
    """A campaign with two practice items."""
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.setup.tutorial import Tutorial

    design = design_named("wmt13", block=4)
    return create_campaign("Taught", texts, design, tutorial=Tutorial(ITEMS))


def practise(who, practised, ranks):
    return who.post("practice", {"practised": practised, "answer": {"ranks": ranks}})


def test_practice_comes_before_work_item_by_item(taught, visitor):
    from adjudge.campaigns.models import Answer, Assignment

    ada = visitor(taught).enter()
    assert [item["source"] for item in ada.state["items"]] == ["One <b>cat</b>.", "Two cats."]
    assert "hidden-so-far" not in ada.page.content.decode()
    assert not Assignment.objects.exists()
    start = ada.state["practice"]["practised"]
    reply = practise(ada, start, [1, 1]).json()
    assert reply["agrees"] is True
    assert reply["ours"] == {"ranks": [1, 2]}
    assert (
        reply["feedback"] == "<p>A <em>dog</em> is no &lt;b&gt;cat&lt;/b&gt;. hidden-so-far</p>\n"
    )
    assert practise(ada, start, [1, 1]).json()["agrees"] is True  # sent twice
    assert "practice" in ada.reload().state
    last = practise(ada, reply["practised"], [1, 2]).json()
    assert last["agrees"] is False
    assert practise(ada, last["practised"], [1, 2]).status_code == 422  # there is no third
    ada.reload()
    assert "practice" not in ada.state
    assert "Source sentence" in ada.state["items"][0]["source"]
    assert not Answer.objects.exists()


def test_nobody_gets_past_it(taught, visitor):
    from django.core import signing

    ada, bob = visitor(taught).enter(), visitor(taught, "Bob").enter()
    start = bob.state["practice"]["practised"]
    further = practise(bob, start, [1, 2]).json()["practised"]
    forged = signing.dumps([ada.judge.pk, 1], key="guessed")
    for practised in (further, "", "nonsense", forged, None, 1):
        assert practise(ada, practised, [1, 2]).status_code == 400
    ada.judge.refresh_from_db()
    assert ada.judge.practised is None
    for action in ("answer", "skip"):
        body = {"assignment": "practice-1", "key": "12345678", "reason": "x", "answer": {}}
        assert ada.post(action, body).json()["code"] == "item"
    assert ada.post("undo", {}).json()["code"] == "undo"


@pytest.mark.parametrize("answer", [None, [], "x", {"ranks": [1]}, {"ranks": [1, 9]}, {"x": 1}])
def test_bad_answers_are_refused_with_a_reason(taught, visitor, answer):
    ada = visitor(taught).enter()
    start = ada.state["practice"]["practised"]
    refused = ada.post("practice", {"practised": start, "answer": answer})
    assert refused.status_code in (400, 422)
    assert refused.json()["message"]


def test_practising_again_is_a_matter_of_the_address(taught, visitor):
    ada = visitor(taught).enter()
    ada.judge.practised = "2026-01-01T00:00:00Z"
    ada.judge.save()
    page = ada.client.get(ada.address).content.decode()
    assert f'href="{ada.address}?practice=1"' in page
    again = ada.client.get(f"{ada.address}?practice=1&other=2").content.decode()
    assert f'"next": "{ada.address}?other=2"' in again


def test_without_a_tutorial_there_is_no_practice(campaign, visitor):
    ada = visitor(campaign).enter()
    assert "practice" not in ada.state
    assert "Practise again" not in ada.page.content.decode()
    body = {"practised": "x", "answer": {"ranks": [1]}}
    assert ada.post("practice", body).status_code == 400
    page = ada.client.get(f"{ada.address}?practice=1").content.decode()
    assert "Source sentence" in page


def test_the_welcome_page_says_what_comes(taught, visitor):
    ada = visitor(taught)
    page = ada.client.get(f"/j/{ada.invitation.token}/", follow=True).content.decode()
    assert "A few practice items with feedback come first." in page
