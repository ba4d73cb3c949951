"""Practice items: what a file of them must be, who practises, and what agrees."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.setup.tutorial import Tutorial, check_tutorial, read_tutorial
from adjudge.campaigns.work.practice import owes_practice, practice_screens, practise
from adjudge.core.errors import AdjudgeError, InputError
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
RANK = {
    "protocol": "ranking",
    "source": "A cat.",
    "outputs": ["Eine Katze.", "Ein Hund.", "Katze eine."],
    "answer": {"ranks": [1, 3, 2]},
    "feedback": "A dog is **no** cat.",
}
PAIR = {"protocol": "pairwise", "outputs": ["a", "b"], "answer": {"choice": "first"}}


def create(texts: TestSet, *items: Any, protocols: Any = ("ranking",)) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    tutorial = Tutorial(tuple(items))
    return create_campaign("test", texts, Design(), protocols=protocols, tutorial=tutorial)


def invited(campaign: Any, name: str = "Ada", **told: Any) -> Any:
    from adjudge.campaigns.people.invitation import invite

    return invite(campaign, name, **told).judge


def test_a_judge_practises_once(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Answer, Assignment
    from adjudge.campaigns.results.tables import judgements_of

    judge = invited(create(made_texts(), RANK, {**RANK, "answer": {"ranks": [1, 1, 1]}}))
    assert owes_practice(judge)
    first, second = practice_screens(judge)
    assert (first.source, first.reference, first.texts) == ("A cat.", None, RANK["outputs"])
    assert first.given is None
    assert first.key != second.key
    assert (first.source_language, first.target_language) == ("en", "cs")
    verdict = practise(judge, 0, {"ranks": [1, 3, 3]})
    assert (verdict.agrees, verdict.ours) == (True, {"ranks": [1, 3, 2]})
    assert verdict.feedback == RANK["feedback"]
    assert practise(judge, 0, {"ranks": [3, 1, 2]}).agrees is False  # sent again: the same item
    assert owes_practice(judge)
    practise(judge, 1, {"ranks": [1, 2, 3]})
    judge.refresh_from_db()
    assert not owes_practice(judge)
    when = judge.practised
    practise(judge, 1, {"ranks": [1, 2, 3]})
    judge.refresh_from_db()
    assert judge.practised == when
    assert not Answer.objects.exists()
    assert not Assignment.objects.exists()
    assert not len(judgements_of(judge.campaign))


def test_a_practice_answer_is_checked_like_any_other(sqlite: str, made_texts: Texts) -> None:
    judge = invited(create(made_texts(), RANK))
    for done, answer, code in (
        (0, {"ranks": [1, 2]}, "candidate"),
        (0, {"ranks": [1, 2, 9]}, "rank"),
        (1, {"ranks": [1, 2, 3]}, "item"),
        (-1, {"ranks": [1, 2, 3]}, "item"),
    ):
        with pytest.raises(Refused) as refused:
            practise(judge, done, answer)
        assert refused.value.code == code
    judge.refresh_from_db()
    assert judge.practised is None


def test_only_what_one_will_meet_is_practised(sqlite: str, made_texts: Texts) -> None:
    campaign = create(made_texts(), RANK, PAIR, protocols=("ranking:5", "pairwise:5"))
    assert len(practice_screens(invited(campaign))) == 2
    pairs = invited(campaign, "Bob", protocols=["pairwise"])
    assert [screen.protocol for screen in practice_screens(pairs)] == ["pairwise"]
    practise(pairs, 0, {"choice": "second"})
    assert not owes_practice(pairs)


def test_a_reference_that_judges_do_not_see_is_not_practised_with(
    sqlite: str, made_texts: Texts
) -> None:
    campaign = create(made_texts(), {**RANK, "reference": "Eine Katze."})
    judge = invited(campaign)
    assert practice_screens(judge)[0].reference == "Eine Katze."
    judge.campaign.show_reference = False
    assert practice_screens(judge)[0].reference is None


def test_nobody_practises_in_vain(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.setup import campaign_state

    campaign = create(made_texts(), RANK)
    judge = invited(campaign)
    judges.pause(judge, "")
    assert not owes_practice(judge)
    judges.resume(judge)
    assert owes_practice(judge)
    campaign_state.close(campaign)
    judge.campaign.refresh_from_db()
    assert not owes_practice(judge)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ("text", "is not a JSON object"),
        ({**RANK, "hint": "x"}, "unknown key 'hint'"),
        ({**RANK, "protocol": "guessing"}, "protocol 'guessing' is none"),
        ({**RANK, "protocol": ["ranking"]}, "is none"),
        ({**RANK, "source": 5}, "source is not text"),
        ({**RANK, "feedback": []}, "feedback is not text"),
        ({**RANK, "outputs": []}, "has no outputs"),
        ({**RANK, "outputs": ["a", "", "c"]}, "one of its outputs has no text"),
        ({**RANK, "outputs": ["a", 5, "c"]}, "one of its outputs is not an object"),
        ({**RANK, "outputs": [{"text": "a", "part": "1"}]}, "part of one of its outputs"),
        ({**RANK, "parts": [{"text": "a", "words": 3}]}, "words of one of its parts"),
        ({**RANK, "parts": 5}, "its parts are no array"),
        ({**RANK, "outputs": [{"text": "a", "part": 1}]}, "an output is of part 1"),
        ({**RANK, "details": "x"}, "details are no JSON object"),
        ({**RANK, "answer": None}, "has no answer"),
        ({**RANK, "answer": {"ranks": [1, 2]}}, "its answer is refused: 2 ranks for 3"),
        ({**RANK, "answer": {"ranks": [1, 2, 7]}}, "no rank from 1 to 5"),
        (PAIR, "protocol 'pairwise' is none of this campaign; choose ranking"),
    ],
)
def test_bad_items_are_refused_by_file_and_number(tmp_path: Path, item: Any, reason: str) -> None:
    path = tmp_path / "practice.json"
    path.write_text(json.dumps([RANK, item]))
    with pytest.raises(InputError, match=r"practice\.json: item 2: ") as wrong:
        check_tutorial(read_tutorial(str(path)), ["ranking"], Design())
    assert reason in str(wrong.value)


def test_a_review_needs_the_edit_it_is_about() -> None:
    item = {"protocol": "review", "outputs": ["x"], "answer": {"verdict": "yes", "edit": None}}
    with pytest.raises(AdjudgeError, match="tutorial, item 1: its details do not fit"):
        check_tutorial(Tutorial((item,)), ["review"], Design())
    check_tutorial(Tutorial(({**item, "details": {"edit": "y"}},)), ["review"], Design())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[{]", "line 1: is not valid JSON"),
        ("{}", "not a JSON array"),
        ("[" * 100_000, "JSON|deep"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "practice.json"
    path.write_text(text)
    with pytest.raises(InputError, match=reason):
        read_tutorial(str(path))


def test_a_bad_tutorial_leaves_no_campaign(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Campaign

    with pytest.raises(AdjudgeError, match="tutorial, item 1"):
        create(made_texts(), {**RANK, "answer": {}})
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("name", "ours", "given", "agrees"),
    [
        ("ranking", {"ranks": [1, 2, 2]}, {"ranks": [1, 1, 3]}, True),
        ("ranking", {"ranks": [1, 2, 2]}, {"ranks": [2, 1, 3]}, False),
        ("pairwise", {"choice": "first"}, {"choice": "both fine"}, True),
        ("pairwise", {"choice": "first"}, {"choice": "second"}, False),
        ("pairwise", {"choice": "both fine"}, {"choice": "both wrong"}, False),
        ("direct-assessment", {"score": 70}, {"score": 85}, True),
        ("direct-assessment", {"score": 70}, {"score": 86}, False),
        ("review", {"verdict": "yes", "edit": None}, {"verdict": "yes", "edit": "x"}, True),
        ("review", {"verdict": "yes", "edit": None}, {"verdict": "no", "edit": "x"}, False),
    ],
)
def test_what_agrees(name: str, ours: Any, given: Any, agrees: bool) -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    assert PROTOCOLS.named(name).agrees(ours, given) is agrees


def test_adequacy_and_fluency_agree_within_a_point() -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    agrees = PROTOCOLS.named("adequacy-fluency").agrees
    ours = {"adequacy": [3, 5], "fluency": [1, 4]}
    assert agrees(ours, {"adequacy": [4, 4], "fluency": [2, 5]})
    assert not agrees(ours, {"adequacy": [3, 5], "fluency": [3, 4]})


@pytest.mark.parametrize(
    ("places", "score", "agrees"),
    [
        ([(4, 8)], 60, True),
        ([(0, 5), (20, 22)], 45, True),
        ([(9, 12)], 60, False),
        ([(4, 8)], 80, False),
        ([], 60, False),
    ],
)
def test_marks_agree_where_they_overlap(places: Any, score: int, agrees: bool) -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    def said(spans: Any, score: int) -> dict[str, Any]:
        kind = {"severity": "minor", "category": None}
        return {"spans": [{"start": a, "end": b, **kind} for a, b in spans], "score": score}

    compare = PROTOCOLS.named("error-spans").agrees
    assert compare(said([(3, 7)], 60), said(places, score)) is agrees
    assert compare(said([], 60), said(places, 60)) is (not places)


def test_an_edit_is_compared_only_with_giving_up() -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    agrees = PROTOCOLS.named("blind-edit").agrees
    text, none = {"edit": "a", "incomprehensible": False}, {"edit": None, "incomprehensible": True}
    assert agrees(text, {**text, "edit": "b"}) is None
    assert agrees(text, none) is False
    assert agrees(none, none) is True
