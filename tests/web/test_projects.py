"""Projects: a folder, a table or an archive of language pairs, judged and published together."""

import csv
import json
import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from tests.web.test_organiser_creating import ARCHIVE, errors, filled

pytestmark = pytest.mark.slow

PAIRS = ("en-de", "en-cs", "de-cs")


def texts_of(pair: str) -> dict[str, str]:
    lines = {name: [f"{pair} {name} {n}" for n in range(6)] for name in ("source", "A", "B", "C")}
    files = {"source.txt": lines.pop("source")} | {f"systems/{n}.txt": t for n, t in lines.items()}
    return {name: "\n".join(text) + "\n" for name, text in files.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for pair in PAIRS:
        for name, text in texts_of(pair).items():
            file = tmp_path / "task" / pair / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return tmp_path / "task"


@pytest.mark.slow
def test_a_project_by_command(folder, tmp_path, adjudge_process):
    def run(*arguments):
        done = adjudge_process(*arguments, folder=tmp_path)
        assert done.code == 0, done.err
        return done.out

    assert "3 campaigns (de-cs, en-cs, en-de)" in run("project", "create", "WMT", folder)
    table = tmp_path / "pairs.tsv"
    rows = [f"{pair}\ttask/{pair}/source.txt\ttask/{pair}/systems" for pair in PAIRS[:2]]
    table.write_text("\n".join(["pair\tsource\tsystems", *rows]) + "\n")
    assert "2 campaigns" in run("project", "create", "Again", table)
    known = ("--language", "en", "--language", "cs", "--language", "fr")
    unknown = adjudge_process(
        "project", "invite", "WMT", "Eve", "--format", "json", folder=tmp_path
    )
    assert [row["link"] for row in json.loads(unknown.out)] == [None]
    assert "adjudge serve will print the links" in unknown.err
    known += ("--site", "https://judge.example.org")
    links = json.loads(run("project", "invite", "WMT", "Ann", *known, "--format", "json"))
    assert [(row["judge"], row["pairs"]) for row in links] == [("Ann", "en-cs")]
    (all_pairs,) = json.loads(run("project", "invite", "WMT", "Bea", "--format", "json"))
    assert all_pairs["pairs"] == "de-cs, en-cs, en-de"
    assert "en-de" in run("project", "status", "WMT")
    nothing = adjudge_process("project", "export", "WMT", "-o", "x.jsonl", folder=tmp_path)
    assert (nothing.code, "no judgements yet" in nothing.err) == (2, True)
    unknown = adjudge_process("project", "invite", "WMT", "Bob", "--pair", "x-y", folder=tmp_path)
    assert "it has: de-cs, en-cs, en-de" in unknown.err


def test_an_archive_becomes_a_project(olga, judged, tmp_path, adjudge, mailbox):
    from adjudge.campaigns.models import Campaign, Project

    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for pair in PAIRS:
            for name, text in texts_of(pair).items():
                archive.writestr(f"task/{pair}/{name}", text)

    def form():
        upload = SimpleUploadedFile("task.zip", stream.getvalue())
        return filled(archive=upload, name="WMT", source_language="", target_language="", **ARCHIVE)

    checked = olga.post("/organise/new/check/", form())
    assert errors(checked) == {}
    assert "A project of 3 campaigns: de-cs, en-cs, en-de" in checked.content.decode()
    assert not Project.objects.exists()
    made = olga.post("/organise/new/create/", form())
    project = Project.objects.get()
    page = f"/organise/projects/{project.pk}/"
    assert made.headers["HX-Redirect"] == page
    assert {c.pair for c in Campaign.objects.all()} == set(PAIRS)
    assert olga.get(f"{page}report/").status_code == 409

    keys = dict(Campaign.objects.values_list("target_language", "pk").filter(source_language="en"))
    people = "Ann <ann@example.org>\nBob"
    given = {"names": people, "pairs": [str(key) for key in keys.values()]}
    answer = olga.post(f"{page}invite/", given, follow=True)
    links, shown = answer.redirect_chain[0][0], answer.content.decode()
    assert len(re.findall("data-link", shown)) == 2, "one for all pairs of a judge"
    assert Campaign.objects.get(source_language="de").judges.count() == 0
    rows = list(csv.DictReader(olga.get(f"{links}csv/").content.decode().splitlines()))
    assert [(row["judge"], row["campaign"]) for row in rows] == [
        ("Ann", "WMT (en-cs, en-de)"),
        ("Bob", "WMT (en-cs, en-de)"),
    ]
    ann = Client(SERVER_NAME="localhost")
    own = ann.get(rows[0]["link"].removeprefix("http://localhost"), follow=True).content.decode()
    assert "WMT en-cs" in own
    assert "WMT en-de" in own
    olga.post(f"{links}send/", {"subject": "{campaign}", "text": "{link} {done}"})
    (letter,) = mailbox
    assert f"{rows[0]['link']} 0" in letter
    assert "WMT (en-cs, en-de)" in letter
    for campaign in Campaign.objects.filter(source_language="en"):
        assert campaign.judges.get(name="Ann").mailed
        assert {"invited", "mailed a link"} <= set(campaign.audit.values_list("what", flat=True))

    from adjudge.campaigns.people.simulated import simulate_judges

    for campaign in Campaign.objects.filter(source_language="en"):
        simulate_judges(campaign, lambda _, systems, __: float("A" in systems), answers=12)
    dashboard = olga.get(page).content.decode()
    for pair in PAIRS:
        assert pair in dashboard
    listed = olga.get(f"{page}downloads/").content.decode()
    address = f"{page}tables/judgements/jsonl/"
    Campaign.objects.update(state="closed")  # what organisers do shows at once
    listed = olga.get(f"{page}downloads/").content.decode()
    assert f'href="{address}"' in listed
    file = tmp_path / "wmt.jsonl"
    file.write_bytes(b"".join(olga.get(address).streaming_content))
    info = json.loads(adjudge("info", file, "--format", "json").out)
    assert {row["pair"] for row in info if "pair" in row} >= {"en-de", "en-cs"}
    report = olga.get(f"{page}report/")
    assert report.status_code == 200
    assert "en-cs" in report.content.decode()


def test_a_project_is_for_those_who_may_see_its_campaigns(olga):
    from django.contrib.auth.models import User

    from adjudge.campaigns.models import Project

    project = Project.objects.create(name="Empty")
    assert olga.get(f"/organise/projects/{project.pk}/").status_code == 404
    otto = Client(SERVER_NAME="localhost")
    otto.force_login(User.objects.create(username="otto", is_staff=True))
    for part in ("", "report/", "invite/", "downloads/", "tables/judgements/jsonl/"):
        assert otto.get(f"/organise/projects/{project.pk}/{part}").status_code == 404


def test_a_folder_of_mt_metrics_eval_becomes_a_project(store, tmp_path, adjudge):
    from adjudge.campaigns.models import Campaign

    for pair in ("en-de", "en-cs"):
        lines = {
            f"sources/{pair}.txt": "One.\nTwo.\nThree.\n",
            f"references/{pair}.refA.txt": "Eins.\nZwei.\nDrei.\n",
            f"documents/{pair}.docs": "news\td1\nnews\td1\nnews\td2\n",
            f"system-outputs/{pair}/one.txt": "A.\nB.\nC.\n",
            f"system-outputs/{pair}/two.txt": "X.\nY.\nZ.\n",
        }
        for name, text in lines.items():
            file = tmp_path / "wmt" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    done = adjudge("project", "create", "Metrics", tmp_path / "wmt", "--database", store)
    assert done.code == 0, done.err
    assert "2 campaigns (en-cs, en-de)" in done.out
    campaign = Campaign.objects.get(name="Metrics en-de")
    assert (campaign.source_language, campaign.target_language) == ("en", "de")
    assert {"one", "two"} <= set(campaign.systems.values_list("name", flat=True))
    assert campaign.segments.get(order=3).reference == "Drei."
    assert campaign.documents.count() == 2
