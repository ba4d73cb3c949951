"""A tuned system beside its baseline: people see only what differs, and not which is which.

Macháček 2014 §3.3.2: of the sentences that two systems translate differently 100 are sampled; is
the tuned one better, worse, or of the same quality? (Table 3.8)
"""

import json
from pathlib import Path
from random import Random

import pytest

from adjudge.core.errors import BadParameter
from adjudge.text.sampling import differing, sample_different
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.slow

SEGMENTS = 150


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """150 sentences, of which the two systems translate 120 differently."""
    columns: dict[str, list[str]] = {"source": [], "reference": [], "baseline": [], "tuned": []}
    for n in range(SEGMENTS):
        columns["source"].append(f"sentence {n}")
        columns["reference"].append(f"Satz {n}")
        columns["baseline"].append(f"Satz {n} so")
        columns["tuned"].append(f"Satz {n} so" if n % 5 == 0 else f"Satz {n} anders")
    for name, lines in columns.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


CREATE = ["campaign", "create", "blind", "--source", "source", "--reference", "reference"]
CREATE += ["--system", "baseline=baseline", "--system", "tuned=tuned", "--pair", "en-de"]
CREATE += ["--protocol", "pairwise", "--sample-different", "100", "--seed", "1"]
CREATE += ["--set", "reference=off", "--set", "plain_tie=true", "--set", "run=1"]
CREATE += ["--set", "common=0", "--set", "repeats=0", "--set", "target=100"]


def tuned_is_better(segment: str, systems: tuple[str, ...], text: str) -> float:
    return 0.3 if "tuned" in systems else 0.0


def test_from_two_outputs_to_better_and_worse(sqlite: str, files: Path, adjudge) -> None:
    from adjudge.campaigns.models import Campaign, Output
    from adjudge.campaigns.people.simulated import simulate_judges

    made = adjudge(*CREATE, folder=files)
    assert made.code == 0, made.err
    assert "2 systems, 100 segments" in made.out
    campaign = Campaign.objects.get(name="blind")
    # Every sampled sentence has two translations; none is one on which both agree.
    sampled = {segment.source for segment in campaign.segments.all()}
    assert len(sampled) == 100
    assert not any(int(source.split()[1]) % 5 == 0 for source in sampled)
    assert Output.objects.filter(segment__campaign=campaign).count() == 200

    given = simulate_judges(
        campaign, tuned_is_better, answers=120, judges=2, noise=0.5, threshold=0.2
    )
    assert given == 100  # and then there is nothing left to do
    judged = files / "judged.jsonl"
    assert adjudge("campaign", "export", "blind", "-o", judged, folder=files).code == 0

    answer = adjudge("compare", judged, "--test", "sign", "-f", "json")
    (row,) = json.loads(answer.out)
    assert len({json.loads(line)["segment"] for line in judged.open()}) == 100  # each once
    assert (row["system_a"], row["system_b"]) == ("tuned", "baseline")
    assert row["wins_a"] + row["wins_b"] + row["ties"] == 100
    assert row["wins_a"] > row["wins_b"] > 0
    assert row["ties"] > 0
    assert row["p"] < 0.01
    said = adjudge("compare", judged, "--test", "sign").out
    assert "tuned was better" in said
    assert "the test takes comparisons as independent" in said
    ranked = json.loads(adjudge("rank", judged, "-f", "json").out)
    best = next(each for each in ranked if each["system"] == "tuned")
    assert best["rank"] == 1
    assert 0.5 < best["low"] < best["score"] == row["share"] < best["high"]


def test_judges_cannot_tell_which_is_which(sqlite: str, files: Path, adjudge) -> None:
    """Each of the two stands first about as often, and no screen names a system."""
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import candidate_keys, screen_of

    assert adjudge(*CREATE, folder=files).code == 0
    judge = invite(Campaign.objects.get(name="blind"), "Ada").judge
    first = 0
    for number in range(30):
        item = next_item(judge)
        screen = screen_of(item)
        assert not any("tuned" in text or "baseline" in text for text in screen.texts)
        first += screen.texts[0].endswith("anders")
        said = {"choice": "tie", "candidates": candidate_keys(item)}
        submit(judge, item.key, f"answer-{number}", said)
    assert 5 <= first <= 25


def test_more_than_there_are_is_refused(sqlite: str, files: Path, adjudge) -> None:
    from adjudge.campaigns.models import Campaign

    asked = ["121" if word == "100" else word for word in CREATE]
    told = adjudge(*asked, folder=files)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "--sample-different is 121, but the systems differ on 120 of 150 segments" in told.err
    assert not Campaign.objects.exists()


def test_a_sample_keeps_all_that_a_segment_has() -> None:
    texts = TestSet(
        ("a", "b", "c"),
        ("A", "B", "C"),
        ("d1", "d1", "d2"),
        ("1", "2", "1"),
        {"x": ("p", "q", "r"), "y": ("p", "Q", "R")},
        more_references=(("aa", "bb", "cc"),),
    )
    assert differing(texts) == [1, 2]
    both = sample_different(texts, 2, Random(1))
    assert both.source == ("b", "c")
    assert both.reference == ("B", "C")
    assert (both.documents, both.names) == (("d1", "d2"), ("2", "1"))
    assert both.systems == {"x": ("q", "r"), "y": ("Q", "R")}
    assert both.more_references == (("bb", "cc"),)
    with pytest.raises(BadParameter, match="ask for fewer"):
        sample_different(texts, 3, Random(1))
