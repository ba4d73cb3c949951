"""Changing a campaign on its page: what is asked, more texts, archive, delete."""

import json
import re
from io import BytesIO
from zipfile import ZipFile

from django.core.files.uploadedfile import SimpleUploadedFile


def fields(page):
    """The form as a browser would send it back unchanged."""
    form = page[page.index('<form method="post" class="create"') :]
    form = form[: form.index("</form>")]
    values = dict(
        re.findall(
            r'<input type="(?:text|number|datetime-local)" name="(\w+)" value="([^"]*)"', form
        )
    )
    for name, options in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', form, re.DOTALL):
        values[name] = re.search(r'value="([^"]*)" selected', options)[1]
    texts = re.findall(r'<textarea name="(\w+)".*?>\n?(.*?)</textarea>', form, re.DOTALL)
    return values | dict(texts)


def test_what_is_asked_is_changed_logged_and_exported(campaign, olga, judged):
    address = f"/organise/{campaign.pk}/settings/"
    judged(campaign, "Ada", 1)
    page = olga.get(address).content.decode()
    same = fields(page)
    assert same["instructions"] == "Be **fair**."
    assert olga.post(address, same).status_code == 302
    campaign.refresh_from_db()
    assert campaign.version == 1, "saving what is so changes nothing"
    changed = same | {"name": "Beasts", "target": "50", "opens": "2020-01-02T03:04"}
    said = olga.post(address, changed, follow=True).content.decode()
    assert "Changed: name, opens, target." in said
    campaign.refresh_from_db()
    assert (campaign.name, campaign.design.target, campaign.version) == ("Beasts", 50, 2)
    assert "changed the campaign" in olga.get(f"/organise/{campaign.pk}/log/").content.decode()
    judged(campaign, "Bob", 1)
    table = b"".join(
        olga.get(f"/organise/{campaign.pk}/tables/judgements/jsonl/").streaming_content
    )
    designs = {row["judge"]: row["design"] for row in map(json.loads, table.splitlines())}
    assert designs == {"Ada": "1", "Bob": "2"}
    listed = b"".join(olga.get(f"/organise/{campaign.pk}/designs/").streaming_content)
    assert [json.loads(line)["values"]["target"] for line in listed.splitlines()] == [None, 50]
    wrong = olga.post(address, same | {"block": "9"}).content.decode()
    assert "block is 9; choose from 2 to 6" in wrong


def test_systems_and_documents_are_added(campaign, olga):
    address = f"/organise/{campaign.pk}/texts/"
    lines = "".join(f"neu {n}\n" for n in range(30))
    late = SimpleUploadedFile("late.txt", lines.encode())
    assert "Added." in olga.post(address, {"systems": [late]}, follow=True).content.decode()
    names = list(campaign.systems.values_list("name", flat=True))
    assert "late" in names
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.writestr("source.txt", "One more.\n")
        archive.writestr("documents.tsv", "extra\n")
        for name in names:
            archive.writestr(f"systems/{name}.txt", f"Noch eins von {name}.\n")
    more = SimpleUploadedFile("more.zip", stream.getvalue())
    assert "Added." in olga.post(address, {"archive": more}, follow=True).content.decode()
    assert campaign.segments.count() == 31
    short = SimpleUploadedFile("short.txt", b"one\n")
    said = olga.post(address, {"systems": [short]}, follow=True).content.decode()
    assert "system short has 1 segments, the campaign 31" in said
    assert "Choose files" in olga.post(address, {}, follow=True).content.decode()
    assert "Choose files" in olga.post(address, {"allow_empty": "on"}, follow=True).content.decode()


def test_empty_outputs_are_added_only_if_allowed(campaign, olga):
    address = f"/organise/{campaign.pk}/texts/"

    def post(**more):
        late = SimpleUploadedFile("late.txt", b"neu\n\n" + b"neu\n" * 28)
        return olga.post(address, {"systems": [late], **more}, follow=True).content.decode()

    assert "empty outputs: late 1 (line 2); fill them in, or allow them: allow empty" in post()
    assert campaign.systems.count() == 4
    assert "Added." in post(allow_empty="on")
    assert campaign.systems.count() == 5


def test_archive_and_delete(campaign, olga, judged):
    judged(campaign, "Ada", 1)
    page = f"/organise/{campaign.pk}/"
    olga.post(f"{page}archive/")
    listed = olga.get("/organise/").content.decode()
    assert f'href="{page}"' not in listed
    assert "1 in the archive" in listed
    assert f'href="{page}"' in olga.get("/organise/?archived").content.decode()
    assert (
        "4 systems, 30 segments, 1 judges and 1 answers"
        in olga.get(f"{page}settings/").content.decode()
    )
    refused = olga.post(f"{page}delete/", {"confirm": "animals"}, follow=True).content.decode()
    assert "to confirm" in refused
    assert olga.post(f"{page}delete/", {"confirm": "Animals"}).headers["Location"] == "/organise/"
    assert olga.get(page).status_code == 404
