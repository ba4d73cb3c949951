"""The dashboard: its numbers are those of the campaign, and heavy ones are worked out rarely."""

import re
import threading
from datetime import timedelta

import pytest
from django.test import Client


def test_an_empty_campaign_has_a_dashboard(campaign, olga):
    page = olga.get(f"/organise/{campaign.pk}/").content.decode()
    assert "Nobody is invited yet" in page
    part = olga.get(f"/organise/{campaign.pk}/analysis/").content.decode()
    assert "nothing is ranked yet" in part
    assert "Animals" in olga.get("/organise/").content.decode()


def test_pages_are_in_english_and_say_so(campaign, olga, judged):
    judged(campaign, "Ada", 1)
    page = olga.get(f"/organise/{campaign.pk}/", headers={"Accept-Language": "de"})
    assert page.headers["Content-Language"] == "en"
    assert b'<html lang="en"' in page.content
    assert b"Skip to the content" in page.content


def test_numbers_are_those_of_the_campaign(campaign, olga, judged):
    from adjudge.campaigns.progress import judges_of, progress_of

    campaign.design["target"] = 40
    campaign.save()
    judged(campaign, "Ada", 6, group="researchers", quota=9)
    bob = judged(campaign, "Bob", 3)
    bob.post("skip", {"assignment": bob.state["items"][0]["key"], "key": "k" * 16, "reason": "odd"})
    page = olga.get(f"/organise/{campaign.pk}/").content.decode()
    progress = progress_of(campaign)
    assert (progress.rankings, progress.skipped, progress.active_judges) == (9, 1, 2)
    assert '<progress max="40" value="9"' in page
    assert '<progress max="9" value="6"' in page
    assert f"{progress.open} open" in page
    assert "researchers" in page
    ada, _ = judges_of(campaign)
    assert ada.rankings_per_hour == pytest.approx(6 * 60, rel=0.1)  # of the first minute


def test_the_ranking_is_that_of_the_export(campaign, olga, judged):
    from adjudge.campaigns.export import judgements_of
    from adjudge.judgements.comparisons import compare
    from adjudge.ranking import Resampling, method_named, rank

    judged(campaign, "Ada", 8)
    judged(campaign, "Bob", 8)
    part = olga.get(f"/organise/{campaign.pk}/analysis/").content.decode()
    expected = rank(compare(judgements_of(campaign)), method_named("expected-wins"), Resampling())
    places = [part.index(f"<td>{system}</td>") for system in expected.systems]
    assert places == sorted(places)
    for low, high in zip(expected.rank_low, expected.rank_high, strict=True):
        assert (f"{low}–{high}" if low != high else f">{low}<") in part
    assert part.count('class="line"') == len(set(expected.cluster)) - 1
    assert "at most once a minute" in part
    assert "inter" in part


def test_the_report_has_every_part(campaign, olga, judged):
    address = f"/organise/{campaign.pk}/report/"
    assert olga.get(address).status_code == 409
    judged(campaign, "Ada", 8)
    judged(campaign, "Bob", 8)
    answer = olga.get(address)
    assert "report.md" in answer.headers["Content-Disposition"]
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith(f"# {campaign.name}\n")
    for part in ("expected-wins", "Agreement on pairs", "by every method", "findings"):
        assert part in text


def test_excluding_a_judge_shows_at_once(campaign, olga, judged):
    judged(campaign, "Ada", 4)
    bob = judged(campaign, "Bob", 4).judge

    def tables():
        part = olga.get(f"/organise/{campaign.pk}/analysis/").content.decode()
        return re.findall(r"<td.*?</td>", part)

    before = tables()
    assert before
    assert tables() == before
    olga.post(f"/organise/{campaign.pk}/judges/{bob.pk}/exclude/", {"reason": "too hasty"})
    assert tables() != before
    live = olga.get(f"/organise/{campaign.pk}/live/").content.decode()
    assert 'class="state excluded" title="too hasty"' in live


def test_parts_say_where_to_sign_in_again(campaign):
    answer = Client(SERVER_NAME="localhost").get(
        f"/organise/{campaign.pk}/live/", headers={"HX-Request": "true"}
    )
    assert answer.headers["HX-Redirect"] == "/organise/sign-in/"


def test_values_are_worked_out_once_while_they_last(store):
    from adjudge.web.organiser.cached import cached

    calls = []

    def compute():
        calls.append(1)
        return len(calls)

    minute = timedelta(minutes=1)
    assert cached("a", minute, compute).value == 1
    assert cached("a", minute, compute).value == 1
    assert cached("a", minute, compute, version="changed").value == 2
    assert cached("a", timedelta(0), compute, version="changed").value == 3
    assert cached("b", minute, compute).value == 4


def test_others_get_the_last_value_while_one_works_out_the_next(store):
    from adjudge.web.organiser.cached import cached

    begun, go_on = threading.Event(), threading.Event()

    def slowly():
        begun.set()
        assert go_on.wait(10)
        return "new"

    now = timedelta(0)
    cached("slow", now, lambda: "old")
    worker = threading.Thread(target=lambda: cached("slow", now, slowly))
    worker.start()
    assert begun.wait(10)
    assert cached("slow", now, lambda: "never").value == "old"
    go_on.set()
    worker.join(10)
    assert cached("slow", timedelta(minutes=1), lambda: "never").value == "new"


def test_a_failed_computation_lets_the_next_one_try(store):
    from adjudge.web.organiser.cached import cached

    def fails():
        raise KeyError

    with pytest.raises(KeyError):
        cached("failing", timedelta(0), fails)
    assert cached("failing", timedelta(0), lambda: "well").value == "well"
