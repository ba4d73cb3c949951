"""What is not accepted, and that nothing of it is stored."""

import pytest

pytestmark = pytest.mark.slow

RANKS = [1, 2, 2, 4]


@pytest.fixture
def ada(campaign, visitor):
    return visitor(campaign).enter()


def _nothing_stored() -> bool:
    from adjudge.campaigns.models import Answer

    return not Answer.objects.exists()


@pytest.mark.parametrize(
    ("ranks", "code"),
    [
        ([1, 2, 3], "candidate"),
        ([1, 2, 3, 4, 5], "candidate"),
        ([1, 2, 3, None], "missing"),
        ([0, 1, 2, 3], "rank"),
        ([1, 2, 3, 6], "rank"),
        ([1, 2, 3, -1], "rank"),
        ([1, 2, 3, 2.5], "rank"),
        ([1, 2, 3, "4"], "rank"),
        ([1, 2, 3, True], "rank"),
        ("1234", "form"),
        (None, "form"),
    ],
)
def test_a_foreign_rank(ada, ranks, code):
    refused = ada.answer(ada.state["items"][0], ranks)
    assert refused.status_code in (400, 422)
    assert refused.json()["code"] == code
    assert refused.json()["message"]
    assert _nothing_stored()


def test_a_foreign_item(ada, campaign, visitor):
    bob = visitor(campaign, "Bob").enter()
    theirs = bob.state["items"][0]
    for item in (theirs, {**theirs, "key": "made-up"}):
        refused = ada.answer(item, RANKS)
        assert refused.status_code == 422
        assert refused.json()["code"] == "item"
        assert "not given to you" in refused.json()["message"]
    assert (
        ada.post(
            "skip", {"assignment": theirs["key"], "key": "12345678", "reason": "no"}
        ).status_code
        == 422
    )
    assert _nothing_stored()


def test_a_foreign_candidate_and_a_foreign_order(ada):
    item, other = ada.state["items"][:2]
    mixed = {**item, "candidates": [*item["candidates"][:3], other["candidates"][3]]}
    assert ada.answer(mixed, RANKS).json()["code"] == "candidate"
    turned = {**item, "candidates": item["candidates"][::-1]}
    refused = ada.answer(turned, RANKS)
    assert refused.status_code == 422
    assert refused.json()["code"] == "order"
    assert _nothing_stored()


@pytest.mark.parametrize(
    "changes",
    [
        {"assignment": None},
        {"assignment": ["x"]},
        {"assignment": "nul\0"},
        {"key": 5},
        {"key": "nul\0nul\0nul\0"},
        {"answer": None},
        {"answer": [1, 2]},
        {"answer": {"ranks": RANKS, "candidates": {"a": 1}}},
        {"seconds": "soon"},
        {"seconds": True},
        {"active_seconds": [1]},
        {"at": 5},
        {"at": "yesterday"},
        {"at": "2026-13-45T99:00:00Z"},
        {"at": "2026-01-02T03:04:05"},
        {"at": "0001-01-01T00:00:00+14:00"},
        {"at": "9999-12-31T23:59:59-14:00"},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
    ],
)
def test_a_damaged_request(ada, changes):
    refused = ada.answer(ada.state["items"][0], RANKS, **changes)
    assert refused.status_code in (400, 422)
    assert refused.json()["message"]
    assert _nothing_stored()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"key": "short"}, "key"),
        ({"key": "x" * 65}, "key"),
        ({"seconds": -1}, "time"),
        ({"active_seconds": 1e12}, "time"),
    ],
)
def test_values_out_of_range(ada, changes, code):
    import json

    refused = ada.answer(ada.state["items"][0], RANKS, **changes)
    assert refused.status_code == 422, json.dumps(changes)
    assert refused.json()["code"] == code
    assert _nothing_stored()


@pytest.mark.parametrize("text", ["half a letter \ud800", "\udfff", "nul \0", 10**30, 1e999])
@pytest.mark.parametrize("place", ["key", "assignment", "reason", "answer"])
def test_what_cannot_be_stored_is_refused_and_told_to_organisers(ada, campaign, text, place):
    """Every database takes it or none: PostgreSQL has no NUL, none has half of a letter."""
    item = ada.state["items"][0]
    keys = [candidate["key"] for candidate in item["candidates"]]
    body = {"assignment": item["key"], "key": "12345678", "reason": "why"}
    body["answer"] = {"ranks": RANKS, "candidates": keys, "more": {"deep": ["fine"]}}
    if place == "answer":
        body["answer"]["more"] = {"deep": [text]}
    else:
        body[place] = text
    for action in ("answer", "skip"):
        refused = ada.post(action, body)
        assert refused.status_code == 400
        assert refused.json()["code"] == "form"
    assert _nothing_stored()
    told = list(campaign.audit.values_list("who", "what"))
    assert told == [("judge Ada", "sent an answer that was refused")] * 2
    request = campaign.audit.first().details["request"]
    assert item["key"] in request or place == "assignment"


def test_only_so_many_refused_answers_are_kept(ada, campaign, monkeypatch):
    monkeypatch.setattr("adjudge.campaigns.work.answers.MOST", 3)
    for _ in range(5):
        assert ada.post("answer", {}).status_code == 400
    assert ada.post("undo", {}).status_code == 422  # no answer, nothing to keep
    assert campaign.audit.count() == 3


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "1", "[" * 100_000, "\ufffe"])
def test_no_json_object(ada, body):
    refused = ada.post("answer", body)
    assert refused.status_code == 400
    assert refused.json()["code"] == "form"


@pytest.mark.parametrize("action", ["answer", "skip", "undo", "practice", "remark"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "text/plain"])
def test_forms_are_refused(ada, action, kind):
    """Django reads a form for its token, and then nobody else can."""
    form = "--b\r\nContent-Disposition: form-data; name=key\r\n\r\nx\r\n--b--\r\n"
    headers = {name: str(value) for name, value in ada.state["headers"].items()}
    url = ada.state["urls"][action]
    refused = ada.client.post(url, form, content_type=kind, headers=headers)
    assert refused.status_code == 415
    assert "application/json" in refused.json()["message"]
    assert _nothing_stored()


def test_the_same_answer_twice_is_stored_once(ada):
    from adjudge.campaigns.models import Answer

    item = ada.state["items"][0]
    first = ada.answer(item, RANKS, key="the-same-key")
    second = ada.answer(item, RANKS, key="the-same-key")
    assert first.status_code == second.status_code == 200
    assert first.json()["revision"] == second.json()["revision"] == 1
    assert Answer.objects.count() == 1


def test_a_key_of_another_answer_is_refused(ada, campaign, visitor):
    bob = visitor(campaign, "Bob").enter()
    ada.answer(ada.state["items"][0], RANKS, key="the-same-key")
    assert ada.answer(ada.state["items"][1], RANKS, key="the-same-key").json()["code"] == "key"
    assert bob.answer(bob.state["items"][0], RANKS, key="the-same-key").json()["code"] == "key"


@pytest.mark.parametrize("action", ["answer", "skip", "undo"])
def test_every_action_needs_the_csrf_token(ada, action):
    ada.state["headers"] = {}
    refused = ada.post(action, {"assignment": ada.state["items"][0]["key"], "key": "12345678"})
    assert refused.status_code == 403
    assert refused.json()["code"] == "csrf"
    assert _nothing_stored()
    assert ada.client.get(ada.state["urls"][action]).status_code in (403, 405)
