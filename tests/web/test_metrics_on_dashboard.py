"""Metrics beside people on the dashboard: for organisers, worked out beside requests."""

from dataclasses import replace
from threading import enumerate as threads

import pytest
from django.test import Client


def _wait() -> None:
    for thread in threads():
        if thread.name.startswith("later-"):
            thread.join(120)


@pytest.fixture
def part(campaign, olga):
    """Gets the part of the dashboard."""
    return lambda: olga.get(f"/organise/{campaign.pk}/metrics/").content.decode()


def test_metrics_come_in_later_and_then_beside_people(campaign, olga, judged, part):
    assert (
        f'hx-get="/organise/{campaign.pk}/metrics/"'
        in olga.get(f"/organise/{campaign.pk}/").content.decode()
    )
    assert "Working it out" in part()
    _wait()
    first = part()
    assert "3 metrics, in brackets the rank range" in first
    judged(campaign, "Ada", 8)
    judged(campaign, "Bob", 8)
    olga.get(f"/organise/{campaign.pk}/analysis/")
    beside = part()
    assert "en-de: metrics beside people" in beside
    assert "bleu agrees with people on" in beside or "no two systems differ significantly" in beside
    assert not [thread for thread in threads() if thread.name.startswith("later-")]


def test_texts_that_are_added_are_scored_too(campaign, part):
    from adjudge.campaigns.setup.changes import add_systems

    part()
    _wait()
    assert "Gnu" not in part()
    add_systems(campaign, "olga", {"Gnu": [f"Referenz {n}" for n in range(30)]})
    assert "Working it out" in part()
    _wait()
    assert "<td>Gnu</td>" in part()


def test_only_organisers_of_the_campaign_see_them(campaign, judged):
    ada = judged(campaign, "Ada", 1)
    for client in (ada.client, Client(SERVER_NAME="localhost")):
        for address in ("metrics/", "texts.zip"):
            answer = client.get(f"/organise/{campaign.pk}/{address}")
            assert answer.status_code == 302
            assert "/organise/sign-in/" in answer.headers["Location"]


def test_a_campaign_without_references_has_no_metrics(store, texts, olga):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    design = design_named("wmt13", block=4, reference="off")
    campaign = create_campaign("Bare", replace(texts, reference=None), design)
    address = f"/organise/{campaign.pk}/"
    assert "/metrics/" not in olga.get(address).content.decode()
    assert "texts.zip" not in olga.get(f"{address}downloads/").content.decode()
    olga.get(f"{address}metrics/")
    _wait()
    assert "no segment has a reference" in olga.get(f"{address}metrics/").content.decode()
    assert olga.get(f"{address}texts.zip").status_code == 409
