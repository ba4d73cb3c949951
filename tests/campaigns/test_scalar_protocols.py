"""Adequacy and fluency, and direct assessment: what is drawn, shown, refused and exported."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudge.campaigns.errors import Refused
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.usefixtures("sqlite")
Texts = Callable[..., TestSet]


def campaign(texts: TestSet, protocol: str, **design: Any) -> Any:
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign(
        f"a campaign of {protocol}",
        texts,
        design_named("wmt07", **design),
        protocols=[protocol],
    )


def given(found: Any, name: str = "Ada", number: int = 1) -> list[Any]:
    """So many items for a new judge, each answered by a simulated answer in the middle."""
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.protocols import PROTOCOLS
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import candidate_keys, screen_of

    judge = invite(found, name).judge
    items = []
    for turn in range(number):
        items.append(next_item(judge))
        screen = screen_of(items[-1])
        seen = [0.0] * len(screen.candidates)
        said = PROTOCOLS.named(screen.protocol).simulated(screen, seen, Random(turn))
        keys = candidate_keys(items[-1])
        submit(judge, items[-1].key, f"key-{name}-{turn:04d}", {**said, "candidates": keys})
    return items


def screen_and_check(item: Any) -> tuple[Any, Callable[[dict], dict]]:
    from adjudge.campaigns.protocols import PROTOCOLS
    from adjudge.campaigns.work.screen import screen_of

    screen = screen_of(item)
    return screen, lambda answer: PROTOCOLS.named(screen.protocol).check(answer, screen)


def test_five_outputs_of_a_segment_on_two_scales(made_texts: Texts) -> None:
    from adjudge.campaigns.results.tables import scores_of

    found = campaign(made_texts(), "adequacy-fluency")
    screen, _ = screen_and_check(given(found)[0])
    assert len(screen.candidates) == 5
    assert screen.scale == {"scales": ["adequacy", "fluency"], "points": [1, 2, 3, 4, 5]}
    assert screen.source
    assert screen.reference
    table = scores_of(found)
    assert len(table) == 10
    assert table.group_by("scale").len().sort("scale").rows() == [("adequacy", 5), ("fluency", 5)]
    assert table["protocol"].unique().to_list() == ["adequacy-fluency"]
    assert sorted(table["position"].to_list()) == sorted([1, 2, 3, 4, 5] * 2)
    by_position = {(row["position"], row["text"]) for row in table.to_dicts()}
    assert by_position == {(at, text) for at, text in enumerate(screen.texts, 1)}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"adequacy": [3] * 5}, "form"),
        ({"adequacy": [3] * 5, "fluency": 3}, "form"),
        ({"adequacy": [3] * 5, "fluency": [3] * 5, "rank": 1}, "form"),
        ({"adequacy": [3] * 4, "fluency": [3] * 5}, "candidate"),
        ({"adequacy": [3] * 5, "fluency": [3] * 4 + [None]}, "no_point"),
        ({"adequacy": [3] * 4 + [6], "fluency": [3] * 5}, "point"),
        ({"adequacy": [3] * 4 + [0], "fluency": [3] * 5}, "point"),
        ({"adequacy": [3] * 5, "fluency": [3] * 4 + [2.5]}, "point"),
        ({"adequacy": [3] * 5, "fluency": [3] * 4 + [True]}, "point"),
        ({"adequacy": [3] * 5, "fluency": [3] * 4 + ["3"]}, "point"),
    ],
)
def test_bad_points_are_refused(made_texts: Texts, answer: dict, code: str) -> None:
    _, check = screen_and_check(given(campaign(made_texts(), "adequacy-fluency"))[0])
    good = {"adequacy": [1, 2, 3, 4, 5], "fluency": [5, 4, 3, 2, 1]}
    assert check(good) == good
    with pytest.raises(Refused) as refused:
        check(answer)
    assert refused.value.code == code


def test_one_output_alone_can_be_scored(made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item

    found = campaign(made_texts(systems=2), "adequacy-fluency")
    judge = invite(found, "Ada", own_systems=["systemA"]).judge
    screen, check = screen_and_check(next_item(judge))
    assert len(screen.candidates) == 1
    assert check({"adequacy": [2], "fluency": [4]})


def test_a_run_is_of_one_system_with_the_document_so_far(made_texts: Texts) -> None:
    texts = made_texts(segments=12, documents=2)
    items = given(campaign(texts, "direct-assessment", run=3, repeats=0.0), number=12)
    seen = defaultdict(list)
    for item in items:
        seen[item.hit_id].append(item)
    assert len(seen) == 4
    for hit in seen.values():
        (system,) = {system for one in hit for system in one.item.outputs.get().systems.all()}
        for one in hit:
            screen, _ = screen_and_check(one)
            order = one.item.segment.order - 1
            first = order - order % 6  # of its document
            expected = [
                {"source": texts.source[at], "text": texts.systems[system.name][at]}
                for at in range(max(first, order - 5), order)
            ]
            assert screen.details == {"so_far": expected}
            assert screen.texts == [texts.systems[system.name][order]]
            assert screen.before is None
            assert screen.source == texts.source[order]


@pytest.mark.slow
def test_every_system_gets_its_share_of_runs(made_texts: Texts) -> None:
    from adjudge.campaigns.results.tables import scores_of

    found = campaign(
        made_texts(segments=24, systems=4), "direct-assessment", run=3, balance="balanced",
        repeats=0.0, common=0.0,
    )  # fmt: skip
    for name in "ABCD":
        given(found, name, 24)
    counts = scores_of(found).group_by("output").len()["len"].to_list()
    assert sum(counts) == 96
    assert max(counts) - min(counts) <= 6


def test_a_judge_never_scores_their_own_system(made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item

    found = campaign(made_texts(systems=2), "direct-assessment", repeats=0.0)
    judge = invite(found, "Ada", own_systems=["systemA"]).judge
    item = next_item(judge)
    assert [one.name for one in item.item.outputs.get().systems.all()] == ["systemB"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({}, "form"),
        ({"score": 50, "more": 1}, "form"),
        ({"score": None}, "no_score"),
        ({"score": 101}, "score"),
        ({"score": -1}, "score"),
        ({"score": 50.5}, "score"),
        ({"score": "50"}, "score"),
        ({"score": True}, "score"),
    ],
)
def test_bad_scores_are_refused(made_texts: Texts, answer: dict, code: str) -> None:
    _, check = screen_and_check(given(campaign(made_texts(), "direct-assessment"))[0])
    assert check({"score": 0}) == {"score": 0}
    assert check({"score": 100}) == {"score": 100}
    with pytest.raises(Refused) as refused:
        check(answer)
    assert refused.value.code == code


def test_a_skipped_item_is_one_row_without_score(made_texts: Texts) -> None:
    from adjudge.campaigns.results.tables import scores_of
    from adjudge.campaigns.work.answers import skip
    from adjudge.campaigns.work.assignment import next_item

    found = campaign(made_texts(), "direct-assessment")
    judge = given(found)[0].judge
    skip(judge, next_item(judge).key, "key-skipped", "text damaged")
    table = scores_of(found)
    assert len(table) == 2
    assert table["output"].null_count() == table["score"].null_count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["adequacy-fluency", "direct-assessment"])
def test_simulated_judges_find_the_better_systems(made_texts: Texts, protocol: str) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import scores_of
    from adjudge.scoring.score_matrix import by_scale, code
    from adjudge.scoring.system_scores import system_scores

    found = campaign(made_texts(segments=40, systems=4), protocol, common=0.5)
    quality = {
        f"system{letter}": value
        for letter, value in zip("ABCD", (1.2, 0.4, -0.4, -1.2), strict=True)
    }
    simulate_judges(found, lambda _, systems, __: quality[systems[0]], answers=200, judges=5)
    parts = list(by_scale(scores_of(found)))
    assert [scale for _, scale, _ in parts] == (
        ["adequacy", "fluency"] if protocol == "adequacy-fluency" else ["direct-assessment"]
    )
    for part in parts:
        result = system_scores(code(*part), "z")
        assert result.systems == tuple(sorted(quality))
        assert result.cluster[-1] > result.cluster[0]


def test_export_asks_which_kind_where_there_are_several(
    made_texts: Texts, tmp_path: Path, sqlite: str, adjudge
) -> None:
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.data.table_files import read, read_scores

    protocols = ["ranking:2", "direct-assessment:2"]
    found = create_campaign("mixed", made_texts(), design_named("wmt07"), protocols=protocols)
    given(found, number=8)

    def export(file: str, *options: str) -> str:
        told = ["campaign", "export", "mixed", "-o", tmp_path / file, "--database", sqlite]
        return adjudge(*told, *options).err

    assert "judgements and scores; choose with --kind" in export("any.jsonl")
    said = export("scores.jsonl", "--kind", "scores", "--to", "jsonl")
    assert "did you mean 'scores-jsonl'" in said
    assert "written to" in export("ranks.jsonl", "--kind", "judgements")
    assert "written to" in export("scores.parquet", "--kind", "scores")
    assert read(str(tmp_path / "ranks.jsonl"))["protocol"].unique().to_list() == ["ranking"]
    assert len(read_scores(str(tmp_path / "scores.parquet"))) == 4
