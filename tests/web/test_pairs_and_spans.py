"""Answers to two protocols as a page sends them: stored where good, else refused in words."""

from typing import Any

import pytest

GOOD = {"pairwise": {"choice": "both wrong"}, "error-spans": {"spans": [], "score": 50}}
SPAN = {"start": 0, "end": 3, "severity": "minor", "category": None}
OUTSIDE = "A mark does not lie within the translation, or lies on another one."


@pytest.fixture
def judge(store: Any, texts: Any, visitor: Any) -> Any:
    """Makes a judge at the first screen of a campaign under a protocol."""
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    def sit(protocol: str) -> Any:
        made = create_campaign(protocol, texts, design_named("wmt13"), protocols=[protocol])
        return visitor(made).enter()

    return sit


def send(who: Any, answer: dict[str, Any]) -> Any:
    item = who.state["items"][0]
    keys = [one["key"] for one in item["candidates"]]
    body = {
        "assignment": item["key"],
        "key": "a-new-answer",
        "answer": {**answer, "candidates": keys},
    }
    return who.post("answer", body)


@pytest.mark.parametrize(
    ("protocol", "answer", "message"),
    [
        ("pairwise", {"choice": None}, "Nothing is chosen yet."),
        ("pairwise", {"choice": "tie"}, "This is not one of the answers."),
        ("error-spans", {"spans": [{**SPAN, "end": 10_000}], "score": 5}, OUTSIDE),
        ("error-spans", {"spans": [SPAN, SPAN], "score": 5}, OUTSIDE),
        (
            "error-spans",
            {"spans": [{**SPAN, "severity": None}], "score": 5},
            "A mark does not say how bad the error is.",
        ),
        (
            "error-spans",
            {"spans": [{**SPAN, "category": "awful"}], "score": 5},
            "A mark does not say what kind of error it is.",
        ),
        ("error-spans", {"spans": [SPAN], "score": None}, "There is no score yet."),
        (
            "error-spans",
            {"spans": [SPAN], "score": 101},
            "A score is a whole number from 0 to 100.",
        ),
    ],
)
def test_the_server_refuses_what_the_page_would(
    judge: Any, protocol: str, answer: dict[str, Any], message: str
) -> None:
    from adjudge.campaigns.models import Answer

    who = judge(protocol)
    refused = send(who, answer)
    assert refused.status_code == 422
    assert refused.json()["message"] == message
    assert not Answer.objects.exists()
    assert send(who, GOOD[protocol]).status_code == 200
    assert Answer.objects.get().payload == GOOD[protocol]


@pytest.mark.parametrize("protocol", GOOD)
def test_the_page_knows_no_system(judge: Any, protocol: str) -> None:
    page = judge(protocol).page.content.decode()
    assert "unseen" not in page  # a part of every system's name
    assert f'data-screen="{protocol}"' in page
