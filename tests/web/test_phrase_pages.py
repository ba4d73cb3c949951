"""Campaigns of phrases on the web: an organiser uploads them, the server refuses bad answers."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

if TYPE_CHECKING:
    from django.test import Client

SIX = [
    "1\tthe old mill\tdie alte Mühle\tthe old\tdie alte\t0 1",
    "1\tthe old mill\tdie alte Mühle\tthe old\tdie älteste\t0 1",
    "2\ttwo dogs bark\tzwei Hunde bellen\ttwo dogs\tzwei Hunde\t0 1",
    "2\ttwo dogs bark\tzwei Hunde bellen\ttwo dogs\t2 Hunde\t0 1",
    "2\ttwo dogs bark\tzwei Hunde bellen\tbark\tbellen\t2",
]


def uploaded(name: str, *lines: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, ("\n".join(lines) + "\n").encode())


def filled(*lines: str, **changes: Any) -> dict[str, Any]:
    """The form as a browser sends it."""
    from adjudge.web.organiser.design_fields import preset_values

    return {
        **preset_values()["recommended"],
        "name": "Phrases",
        "texts_from": "phrases",
        "source_language": "en",
        "target_language": "de",
        "protocol": "segments",
        "preset": "recommended",
        "segments": uploaded("six.tsv", *lines),
        **changes,
    }


def outputs() -> list[SimpleUploadedFile]:
    return [
        uploaded("alpha.txt", "die alte Mühle", "zwei Hunde bellen"),
        uploaded("beta.txt", "die älteste Mühle", "2 Hunde bellen"),
    ]


def errors(answer: Any) -> dict[str, str]:
    found = re.findall(r'id="error-(\w+)"[^>]*>([^<]*)</p>', answer.content.decode())
    return {name: words for name, words in found if words}


def test_phrases_are_previewed_then_created(olga: "Client") -> None:
    from adjudge.campaigns.models import Campaign, Output, Part

    checked = olga.post("/organise/new/check/", filled(*SIX, systems=outputs()))
    assert errors(checked) == {}
    assert "data-phrases" in checked.content.decode()
    assert not Campaign.objects.exists()
    olga.post("/organise/new/create/", filled(*SIX, systems=outputs()))
    assert Campaign.objects.get().protocols == ("segments",)
    assert list(Part.objects.values_list("text", flat=True)) == ["the old", "two dogs", "bark"]
    credited = Output.objects.filter(text="bellen").values_list("systems__name", flat=True)
    assert sorted(credited) == ["alpha", "beta"]


@pytest.mark.parametrize(
    ("lines", "changes", "field", "words"),
    [
        ([*SIX, "3\tx"], {}, "segments", "line 6: has 2 fields instead of 6"),
        (SIX, {"protocol": "ranking"}, "form", "give at least two"),
        (SIX, {"systems": [uploaded("x.txt", "one")]}, "systems", "has 1 lines for the 2 sent"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    olga: "Client", lines: list[str], changes: dict[str, Any], field: str, words: str
) -> None:
    from adjudge.campaigns.models import Campaign

    said = errors(olga.post("/organise/new/check/", filled(*lines, **changes)))
    assert words in said[field], said
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("ranks", "code"),
    [
        ([[1, 4], [1]], "rank"),
        ([[1, 2]], "phrase"),
        ([[1], [1]], "phrase"),
        ([[1, None], [1]], "missing"),
        ("1", "form"),
    ],
)
def test_the_server_refuses_what_the_page_would_not_send(
    store: Any, visitor: Any, tmp_path: Any, ranks: Any, code: str
) -> None:
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.text.segments import read_phrases

    (tmp_path / "six.tsv").write_text("\n".join(SIX[2:]) + "\n")
    texts = read_phrases(str(tmp_path / "six.tsv"))
    campaign = create_campaign("Phrases", texts, design_named("wmt13"), protocols=["segments"])
    ada = visitor(campaign).enter()
    (item,) = ada.state["items"]
    refused = ada.answer(item, ranks)
    assert (refused.status_code, refused.json()["code"]) == (400 if code == "form" else 422, code)
    assert refused.json()["message"]
    assert not Answer.objects.exists()
    assert ada.answer(item, [[3, 1], [2]]).status_code == 200


def test_phrases_are_added_on_the_page(olga: "Client") -> None:
    from adjudge.campaigns.models import Campaign, Part

    made = olga.post("/organise/new/create/", filled(*SIX))
    assert errors(made) == {}
    campaign = Campaign.objects.get()
    address = f"/organise/{campaign.pk}/texts/"
    more = [line.replace("old", "new").replace("alt", "neu") for line in SIX[:2]]
    wrong = olga.post(address, {"archive": uploaded("more.tsv", "1\tthe old mill")}, follow=True)
    assert "more.tsv" in wrong.content.decode()
    assert campaign.segments.count() == 2
    answer = olga.post(address, {"archive": uploaded("more.tsv", *more)}, follow=True)
    assert "Added." in answer.content.decode()
    assert campaign.segments.count() == 3
    assert Part.objects.filter(segment__campaign=campaign, text="the new").count() == 1
    campaign.refresh_from_db()
    assert campaign.version == 2
