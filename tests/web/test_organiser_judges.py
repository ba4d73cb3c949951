"""Inviting judges, what may be done about them, and downloads."""

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client

pytestmark = pytest.mark.slow


def test_links_let_in(campaign, olga):
    own = campaign.systems.order_by("pk")[0].name
    given = {"names": "Ada\n Bob \n", "group": "researchers", "own_systems": [own]}
    page = olga.post(f"/organise/{campaign.pk}/invite/", given, follow=True)
    links = re.findall(r"<code data-link>http://localhost(/j/[\w-]+/)", page.content.decode())
    assert len(links) == 2
    again = olga.get(page.redirect_chain[0][0])
    assert all(link in again.content.decode() for link in links), "nothing is lost on reload"
    assert page.headers["Cache-Control"] == "no-store"
    ada = campaign.judges.get(name="Ada")
    assert (ada.group, ada.quota) == ("researchers", 300)
    assert ada.own_systems.get().name == own
    assert Client(SERVER_NAME="localhost").get(links[0]).status_code == 302
    assert links[0] not in olga.get(f"/organise/{campaign.pk}/").content.decode()
    for names, words in (("Ada\nEve", "already"), ("Eve\nEve", "twice"), ("  ", "nobody is named")):
        answer = olga.post(f"/organise/{campaign.pk}/invite/", {"names": names})
        assert words in answer.content.decode()
    assert campaign.judges.count() == 2  # all or none


def test_a_link_is_replaced_and_revoked(campaign, olga, visitor):
    ada = visitor(campaign).enter()
    base = f"/organise/{campaign.pk}/judges/{ada.judge.pk}"
    page = olga.post(f"{base}/link/", follow=True).content.decode()
    link = re.search(r"/j/[\w-]+/", page)[0]
    stranger = Client(SERVER_NAME="localhost")
    assert stranger.get(f"/j/{ada.invitation.token}/").status_code == 404
    assert stranger.get(link).status_code == 302
    olga.post(f"{base}/revoke/")
    assert stranger.get(link).status_code == 404
    assert "nobody gets in" in olga.get(f"{base}/").content.decode()


def test_actions_on_a_judge(campaign, olga, visitor):
    ada = visitor(campaign, quota=6)
    base = f"/organise/{campaign.pk}/judges/{ada.judge.pk}"

    def act(action, **said):
        page = olga.post(f"{base}/{action}/", said, follow=True).content.decode()
        ada.judge.refresh_from_db()
        return page

    act("pause", reason="holiday")
    assert (ada.judge.state, ada.judge.reason) == ("paused", "holiday")
    act("resume")
    assert ada.judge.state == "active"
    assert "needs a reason" in act("exclude", reason=" ")
    assert ada.judge.state == "active"
    assert "too hasty" in act("exclude", reason="too hasty")
    assert ada.judge.state == "excluded"
    assert "is excluded" in act("pause")
    assert ada.judge.state == "excluded"
    assert "Include again" in olga.get(f"{base}/").content.decode()
    act("resume")
    act("extend", items="5")
    assert ada.judge.quota == 11
    assert "how many" in act("extend", items="-3")
    assert ada.judge.quota == 11
    assert olga.post(f"{base}/promote/").status_code == 404
    other = f"/organise/{campaign.pk + 1}/judges/{ada.judge.pk}/"
    assert olga.get(other).status_code == 404


def test_names_are_shown_as_text(campaign, olga):
    nasty = "<script>alert(1)</script>"
    olga.post(f"/organise/{campaign.pk}/invite/", {"names": nasty, "group": nasty})
    judge = campaign.judges.get()
    for address in ("", "live/", "invite/", f"judges/{judge.pk}/"):
        page = olga.get(f"/organise/{campaign.pk}/{address}").content.decode()
        assert nasty not in page
        assert "&lt;script&gt;" in page


# Downloads


def saved(answer, folder, suffix):
    file = Path(folder, f"judgements{suffix}")
    file.write_bytes(b"".join(answer.streaming_content))
    return str(file)


@pytest.mark.slow
def test_judgements_come_in_every_format_that_can_be_written(campaign, olga, judged, tmp_path):
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.comparisons import compare
    from adjudge.data.formats import FORMATS
    from adjudge.data.table_files import read

    judged(campaign, "Ada")
    page = olga.get(f"/organise/{campaign.pk}/downloads/").content.decode()
    for chosen in FORMATS.values():
        address = f"/organise/{campaign.pk}/tables/judgements/{chosen.name}/"
        if chosen.write is None or chosen.kind != "judgements":
            assert olga.get(address).status_code == 404
            continue
        answer = olga.get(address)
        assert (address in page) == (answer.status_code == 200)
        if answer.status_code == 409:  # the format cannot hold such judgements, and says so
            assert chosen.name.startswith(("arena", "segranks"))
            assert b"Nothing to download" in answer.content
            continue
        assert f'filename="Animals{chosen.suffix}"' in answer.headers["Content-Disposition"]
        file = saved(answer, tmp_path, chosen.suffix)
        if chosen.name in ("jsonl", "parquet"):
            assert read(file).equals(judgements_of(campaign))
        elif chosen.name == "wmt-csv":
            assert len(compare(read(file))) == len(compare(judgements_of(campaign)))


def test_excluded_judges_are_left_out_unless_asked_for(campaign, olga, judged, tmp_path):
    from adjudge.campaigns.people.judges import exclude
    from adjudge.data.table_files import read

    judged(campaign, "Ada")
    address = f"/organise/{campaign.pk}/tables/judgements/jsonl/"
    exclude(judged(campaign, "Bob").judge, "too hasty")
    assert set(read(saved(olga.get(address), tmp_path, ".jsonl"))["judge"]) == {"Ada"}
    everybody = olga.get(address, {"excluded": "1"})
    assert set(read(saved(everybody, tmp_path, ".jsonl"))["judge"]) == {"Ada", "Bob"}


def test_nothing_to_download_is_said(campaign, olga):
    answer = olga.get(f"/organise/{campaign.pk}/tables/judgements/jsonl/")
    assert answer.status_code == 409
    assert b"no judgements yet" in answer.content


def test_the_backup_is_whole(campaign, olga, judged):
    judged(campaign, "Ada")
    answer = olga.get("/organise/backup/")
    lines = gzip.decompress(b"".join(answer.streaming_content)).splitlines()
    assert b"adjudge campaigns" in lines[0]
    assert lines[-1] == b'{"rows":%d}' % sum(line.startswith(b"[") for line in lines)
    assert any(b'"Ada"' in line for line in lines)


def test_a_campaign_is_closed_and_opened_again(campaign, olga):
    for state in ("closed", "open"):
        olga.post(f"/organise/{campaign.pk}/state/", {"state": state})
        campaign.refresh_from_db()
        assert campaign.state == state


def test_judges_of_a_mixed_campaign_may_be_asked_in_some_ways_only(olga, texts, judged):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    asked = ["ranking:5", "pairwise:10"]
    mixed = create_campaign("Mixed", texts, design_named("wmt13", block=4), protocols=asked)
    page = olga.get(f"/organise/{mixed.pk}/invite/").content.decode()
    assert "Ask them only in these ways" in page
    sent = {"names": "Ann", "protocols": ["pairwise"]}
    assert olga.post(f"/organise/{mixed.pk}/invite/", sent).status_code == 302
    ann = mixed.judges.get()
    assert ann.protocols == ["pairwise"]
    assert "pairwise" in olga.get(f"/organise/{mixed.pk}/judges/{ann.pk}/").content.decode()
    olga.post(f"/organise/{mixed.pk}/invite/", {"names": "Bob", "protocols": ["guessing"]})
    assert mixed.judges.count() == 1

    judged(mixed, "Cyd", 2, protocols=["ranking"])
    live = olga.get(f"/organise/{mixed.pk}/live/").content.decode()
    row = re.search(r"<tr><td>ranking</td>(.*?)</tr>", live, re.DOTALL)
    assert row is not None
    assert re.findall(r">(\d+|–)<", row[1])[:4] == ["5", "2", "0", "1"]


def test_one_protocol_is_no_choice(olga, campaign):
    page = olga.get(f"/organise/{campaign.pk}/invite/").content.decode()
    assert "Ask them only" not in page
    assert "Screens a batch" not in olga.get(f"/organise/{campaign.pk}/live/").content.decode()
