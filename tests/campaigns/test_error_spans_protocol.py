"""Marked errors: what is shown, refused and exported."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudge.campaigns.errors import Refused
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.usefixtures("sqlite")
Texts = Callable[..., TestSet]
MARK = {"start": 0, "end": 3, "severity": "minor", "category": None}
MISSING = {"start": None, "end": None, "severity": "major", "category": "omission"}


def screen(texts: TestSet, categories: str = "none") -> Any:
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    design = design_named("recommended", reference="off", error_categories=categories)
    found = create_campaign("errors", texts, design, protocols=["error-spans"])
    return screen_of(next_item(invite(found, "Ada").judge))


def check(answer: dict[str, Any], shown: Any) -> dict[str, Any]:
    from adjudge.campaigns.protocols import PROTOCOLS

    return PROTOCOLS.named("error-spans").check(answer, shown)


def test_one_output_a_screen_and_no_categories_unless_asked_for(made_texts: Texts) -> None:
    shown = screen(made_texts())
    assert len(shown.texts) == 1
    assert shown.scale["severities"] == ["minor", "major"]
    assert shown.scale["categories"] == []


def test_categories_are_those_of_mqm(made_texts: Texts) -> None:
    shown = screen(made_texts(), "mqm")
    assert "mistranslation" in shown.scale["categories"]
    assert "omission" not in shown.scale["categories"]  # it has no place in the text
    marked = {**MARK, "category": "grammar"}
    answer = {"spans": [marked, MISSING], "score": 20}
    assert check(answer, shown) == answer
    with pytest.raises(Refused, match="not a category"):
        check({"spans": [MARK], "score": 20}, shown)
    with pytest.raises(Refused, match="not a category"):
        check({"spans": [{**MARK, "category": "omission"}], "score": 20}, shown)


def test_an_answer_is_stored_in_the_order_of_the_text(made_texts: Texts) -> None:
    shown = screen(made_texts())
    later = {**MARK, "start": 3, "end": 5}
    stored = check({"spans": [MISSING, later, MARK], "score": 0}, shown)
    assert stored == {"spans": [MARK, later, MISSING], "score": 0}
    assert check({"spans": [], "score": 100}, shown) == {"spans": [], "score": 100}


@pytest.mark.parametrize(
    ("span", "code"),
    [
        ({"start": 3, "end": 3}, "span"),
        ({"start": 4, "end": 3}, "span"),
        ({"start": -1, "end": 3}, "span"),
        ({"start": 0, "end": 9}, "span"),  # of eight characters
        ({"start": 8, "end": 9}, "span"),
        ({"start": 0.0, "end": 3}, "span"),
        ({"start": "0", "end": 3}, "span"),
        ({"start": False, "end": True}, "span"),
        ({"start": None}, "span"),
        ({"end": None}, "span"),
        ({"severity": "critical"}, "severity"),
        ({"severity": None}, "severity"),
        ({"severity": ["minor"]}, "severity"),
        ({"category": "grammar"}, "category"),  # this campaign has none
        ({"category": "omission"}, "category"),
        ({"start": None, "end": None}, "category"),
        ({"note": "!"}, "form"),
    ],
)
def test_bad_spans_are_refused(made_texts: Texts, span: dict[str, Any], code: str) -> None:
    shown = screen(made_texts())
    # Eight characters for us and for the judge; ten units of UTF-16.
    candidate = replace(shown.candidates[0], text="a 😀 😀 bc")
    shown = replace(shown, candidates=(candidate,))
    assert check({"spans": [{**MARK, "end": 8}], "score": 1}, shown)
    with pytest.raises(Refused) as refused:
        check({"spans": [{**MARK, **span}], "score": 1}, shown)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"score": 1}, "form"),
        ({"spans": [], "score": 1, "more": 1}, "form"),
        ({"spans": {}, "score": 1}, "form"),
        ({"spans": ["start"], "score": 1}, "form"),
        ({"spans": [MARK, {**MARK, "start": 2, "end": 4}], "score": 1}, "span"),
        ({"spans": [MARK, MARK], "score": 1}, "span"),
        ({"spans": [MISSING] * 51, "score": 1}, "many_spans"),
        ({"spans": [], "score": None}, "no_score"),
        ({"spans": [], "score": 101}, "score"),
        ({"spans": [], "score": 7.5}, "score"),
    ],
)
def test_bad_answers_are_refused(made_texts: Texts, answer: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        check(answer, screen(made_texts()))
    assert refused.value.code == code


@pytest.fixture
def export(adjudge_process):
    """Writes the answers of a campaign to a file, by command."""

    def export(store: str, path: Path) -> None:
        words = ["campaign", "export", "errors", "-o", path, "--database", store]
        answer = adjudge_process(*words)
        assert answer.code == 0, answer.err

    return export


@pytest.mark.parametrize("categories", ["none", "mqm"])
def test_simulated_answers_are_good_ones(made_texts: Texts, categories: str) -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    shown, rng = screen(made_texts(), categories), Random(1)
    answers = [
        PROTOCOLS.named("error-spans").simulated(shown, [quality], rng)
        for quality in (-9.0, -1.0, 0.0, 1.0, 9.0)
        for _ in range(20)
    ]
    assert all(check(answer, shown) == answer for answer in answers)
    errors = [len(answer["spans"]) for answer in answers]
    assert sum(errors[:20]) > sum(errors[40:60]) > sum(errors[80:]) == 0


def test_a_finished_campaign_is_scored_by_judges_and_by_mqm(
    made_texts: Texts,
    tmp_path: Path,
    sqlite: str,
    export,
) -> None:
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import scores_of
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.data.mqm import with_mqm
    from adjudge.data.table_files import read_scores
    from adjudge.scoring.span_agreement import span_agreement

    texts = made_texts(segments=24, systems=3)
    design = design_named("recommended", reference="off", error_categories="mqm", common=0.6)
    found = create_campaign("errors", texts, design, protocols=["error-spans"])

    def quality(segment: str, systems: tuple[str, ...], text: str) -> float:
        return 1.5 * (ord(systems[0][-1]) - ord("B"))

    simulate_judges(found, quality, answers=90, judges=3)
    table = scores_of(found)
    assert set(table["scale"]) == {"error-spans"}
    assert table["spans"].null_count() == 0
    scored = with_mqm(table).cast({"scale": str, "output": str})
    for scale in ("error-spans", "mqm"):
        part = scored.filter(scale=scale).select("output", "score")
        means = part.group_by("output").mean().sort("score")
        assert means["output"].to_list() == ["systemA", "systemB", "systemC"]
    path = tmp_path / "scores.jsonl"
    export(sqlite, path)
    same = ["item", "score", "spans"]
    assert read_scores(str(path)).select(same).equals(table.select(same))
    export(sqlite, tmp_path / "en-cs.mqm.tsv")
    met_once = table.unique(["judge", "segment", "output"])
    assert len(read_scores(str(tmp_path / "en-cs.mqm.tsv"))) == len(met_once)
    inter, intra = span_agreement(table)
    assert (inter.between, intra.between) == ("inter", "intra")
    assert inter.f1 is not None
    assert inter.f1_with_severity is not None
    assert inter.f1 >= inter.f1_with_severity
