"""The dashboard: its numbers are those of the campaign, and heavy ones are worked out rarely."""

import re
import shlex
import threading
from datetime import timedelta
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client

import adjudge as door
from adjudge.core.errors import in_plain_words
from adjudge.web.organiser.result_tables import shown

pytestmark = pytest.mark.slow


def test_an_empty_campaign_has_a_dashboard(campaign, olga):
    page = olga.get(f"/organise/{campaign.pk}/").content.decode()
    assert "Nobody is invited yet" in page
    part = olga.get(f"/organise/{campaign.pk}/analysis/").content.decode()
    assert "nothing is judged yet" in part
    assert "Animals" in olga.get("/organise/").content.decode()


def test_pages_are_in_english_and_say_so(campaign, olga, judged):
    judged(campaign, "Ada", 1)
    page = olga.get(f"/organise/{campaign.pk}/", headers={"Accept-Language": "de"})
    assert page.headers["Content-Language"] == "en"
    assert b'<html lang="en"' in page.content
    assert b"Skip to the content" in page.content


def test_numbers_are_those_of_the_campaign(campaign, olga, judged):
    from adjudge.campaigns.results.progress import judges_of, progress_of

    campaign.design_values["target"] = 4000
    campaign.save()
    judged(campaign, "Ada", 6, group="researchers", quota=9)
    bob = judged(campaign, "Bob", 3)
    bob.post("skip", {"assignment": bob.state["items"][0]["key"], "key": "k" * 16, "reason": "odd"})
    page = olga.get(f"/organise/{campaign.pk}/").content.decode()
    progress = progress_of(campaign)
    assert (progress.rankings, progress.skipped, progress.active_judges) == (9, 1, 2)
    assert '<progress max="4000" value="9"' in page
    assert "/ 4,000</span>" in page
    assert "4,000</td>" in olga.get("/organise/").content.decode()
    assert '<progress max="9" value="6"' in page
    assert f"{progress.open} open" in page
    assert "researchers" in page
    ada, _ = judges_of(campaign)
    assert ada.rankings_per_hour == pytest.approx(6 * 60, rel=0.1)  # of the first minute


def test_the_ranking_is_that_of_the_export(campaign, olga, judged):
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.comparisons import compare
    from adjudge.ranking.method import METHODS
    from adjudge.ranking.ranking_result import rank
    from adjudge.stats.resampling import Resampling

    judged(campaign, "Ada", 8)
    judged(campaign, "Bob", 8)
    part = olga.get(f"/organise/{campaign.pk}/analysis/").content.decode()
    expected = rank(compare(judgements_of(campaign)), METHODS.named("expected-wins"), Resampling())
    places = [part.index(f"<td>{system}</td>") for system in expected.systems]
    assert places == sorted(places)
    for low, high in zip(expected.rank_low, expected.rank_high, strict=True):
        assert (f"{low}–{high}" if low != high else f">{low}<") in part
    assert part.count('class="line"') == len(set(expected.cluster)) - 1
    assert "at most once a minute" in part
    assert "inter" in part


@pytest.mark.slow
def test_the_report_is_that_of_the_download(campaign, olga, judged, tmp_path, adjudge):
    address = f"/organise/{campaign.pk}/report/"
    assert olga.get(address).status_code == 409
    judged(campaign, "Ada", 8)
    judged(campaign, "Bob", 8)
    answer = olga.get(address)
    page = answer.content.decode()
    assert f"<h1>{campaign.name}</h1>" in page
    assert "script-src 'sha256-" in answer.headers["Content-Security-Policy"]
    assert "Report so far" in olga.get(f"/organise/{campaign.pk}/").content.decode()

    command = shlex.split(unescape(re.search(r'id="command">(.*?)</code>', page)[1]))
    download = olga.get(f"/organise/{campaign.pk}/tables/judgements/jsonl/")
    assert command[2] in download.headers["Content-Disposition"]
    (tmp_path / command[2]).write_bytes(b"".join(download.streaming_content))
    archive = olga.get(f"/organise/{campaign.pk}/texts.zip")
    with ZipFile(BytesIO(b"".join(archive.streaming_content))) as packed:
        packed.extractall(tmp_path)
    assert "Metrics beside people" in page
    assert command[0] == "adjudge"
    assert adjudge(*command[1:], folder=tmp_path).code == 0
    assert (tmp_path / command[-1]).read_text() == page
    same_tables(
        olga.get(f"/organise/{campaign.pk}/analysis/").content.decode(),
        door.read(str(tmp_path / command[2])),
    )


def same_tables(part, judgements):
    """The dashboard's tables are those of the ranking and the agreement, cell by cell."""
    captions, cells = [], []
    for table in (*judgements.rank().tables, *judgements.agreement().tables):
        captions.append(in_plain_words(table.title))
        cells += [cell.text for row, _ in shown("", table).rows for cell in row]
    assert [unescape(text) for text in re.findall("<caption>(.*?)</caption>", part)] == captions
    assert [unescape(text) for text in re.findall("<td[^>]*>(.*?)</td>", part)] == cells


@pytest.mark.slow
def test_the_report_can_be_taken_along(campaign, olga, judged):
    address = f"/organise/{campaign.pk}/report/"
    assert olga.get(f"{address}markdown/").status_code == 409
    assert olga.get(f"{address}pdf/").status_code == 404
    judged(campaign, "Ada", 8)
    judged(campaign, "Bob", 8)
    answer = olga.get(f"{address}markdown/")
    assert "report-markdown.zip" in answer.headers["Content-Disposition"]
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as archive:
        text = archive.read("report.md").decode()
        figures = re.findall(r"\]\(<(.*?)>\)", text)
        assert len(figures) > 4
        assert {"report.md", *figures} == {n for n in archive.namelist() if not n.endswith("/")}
    assert text.startswith(f"# {campaign.name}\n")


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
    from adjudge.web.organiser.cache import cached

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
    from adjudge.web.organiser.cache import cached

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
    from adjudge.web.organiser.cache import cached

    def fails():
        raise KeyError

    with pytest.raises(KeyError):
        cached("failing", timedelta(0), fails)
    assert cached("failing", timedelta(0), lambda: "well").value == "well"


@pytest.mark.slow
def test_a_mixed_campaign_is_analysed_protocol_by_protocol(olga, texts):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    asked = ["ranking:2", "pairwise:2", "adequacy-fluency:2", "blind-edit:2", "review:2"]
    mixed = create_campaign("Mixed", texts, design_named("wmt07", block=4), protocols=asked)
    page = f"/organise/{mixed.pk}/"
    nothing = olga.get(f"{page}analysis/").content.decode()
    assert "nothing is" in nothing
    simulate_judges(mixed, lambda _, systems, __: float("Zebra" in systems[0]), answers=120)
    mixed.refresh_from_db()
    cached_for_a_minute = olga.get(f"{page}analysis/")
    assert cached_for_a_minute.status_code == 200

    from adjudge.web.organiser.analyses import analysed

    found = analysed(mixed)
    headings = [heading for heading, _ in found.tables]
    for heading in ("Ranking so far: ranking", "Ranking so far: pairwise", "Scores so far"):
        assert heading in headings
    assert "Understandability so far" in headings
    assert set(found.kappa) >= {"simulated-01"}

    dashboard = olga.get(page).content.decode()
    for address in ("report/?protocol=ranking", "report/?protocol=pairwise"):
        assert f'href="{page}{address}"' in dashboard
    assert "report/?protocol=review" not in dashboard
    told = olga.get(f"{page}report/")
    assert told.status_code == 409
    assert "which do not mix" in told.content.decode()
    assert olga.get(f"{page}report/?protocol=guessing").status_code == 404
    scores = b"".join(olga.get(f"{page}tables/scores/scores-jsonl/").streaming_content)
    assert b"adequacy" in scores
    assert olga.get(f"{page}tables/scores/jsonl/").status_code == 404


def test_one_protocol_has_one_report(campaign, olga):
    dashboard = olga.get(f"/organise/{campaign.pk}/").content.decode()
    assert f'href="/organise/{campaign.pk}/report/"' in dashboard
    assert "protocol=" not in dashboard
