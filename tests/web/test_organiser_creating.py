"""Creating a campaign on a page: checked, previewed, then made whole or not at all."""

import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

pytestmark = pytest.mark.slow


def uploaded(name, *lines):
    return SimpleUploadedFile(name, ("\n".join(lines) + "\n").encode())


def filled(**changes):
    """The form as a browser sends it, with the recommended design."""
    from adjudge.web.organiser.design_fields import preset_values

    segments = range(1, 5)
    form = {
        **preset_values()["recommended"],
        "name": "Spring",
        "texts_from": "files",
        "source_language": "en",
        "target_language": "de",
        "protocol": "ranking",
        "preset": "recommended",
        "instructions": "Be **fair**.",
        "source": uploaded("source.txt", *(f"Sentence <i>{n}</i>" for n in segments)),
        "reference_text": uploaded("ref.txt", *(f"Referenz {n}" for n in segments)),
        "systems": [
            uploaded("alpha.txt", *(f"Alpha {n}" for n in segments)),
            uploaded("beta.de", *(f"Beta {n}" for n in segments)),
        ],
    }
    return {name: value for name, value in {**form, **changes}.items() if value is not None}


def zipped(files):
    """A ZIP archive of these texts."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return SimpleUploadedFile("texts.zip", stream.getvalue())


ARCHIVE = {"texts_from": "archive"}


def errors(answer):
    """What is said beside which field."""
    found = re.findall(r'id="error-(\w+)"[^>]*>([^<]*)</p>', answer.content.decode())
    return {name: words for name, words in found if words}


def test_a_campaign_is_previewed_then_created_whole(olga):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.models import Campaign, System

    page = olga.get("/organise/new/").content.decode()
    assert 'name="fastest_reading"' in page
    checked = olga.post("/organise/new/check/", filled())
    assert errors(checked) == {}
    text = checked.content.decode()
    assert "2 systems, 4 segments in 1 documents" in text
    assert "data-answer" in text  # the real judging page …
    assert "Be &lt;strong&gt;fair&lt;/strong&gt;." in text
    assert re.search(r"Alpha \d", text)
    assert not Campaign.objects.exists()  # … of nothing that exists
    assert not System.objects.exists()

    created = olga.post("/organise/new/create/", filled())
    campaign = Campaign.objects.get()
    assert created.headers["HX-Redirect"] == f"/organise/{campaign.pk}/"
    assert campaign.pair == "en-de"
    assert campaign.design == design_named("recommended")
    assert campaign.show_reference is None  # as each protocol has it
    assert campaign.segments.count() == 4
    names = campaign.systems.order_by("name").values_list("name", flat=True)
    assert list(names) == ["alpha", "beta.de", "ref"]
    again = olga.post("/organise/new/check/", filled())
    assert "already" in errors(again)["name"]


def test_empty_outputs_are_refused_beside_their_box_unless_allowed(olga):
    from adjudge.campaigns.models import Campaign

    alpha = "Alpha", "Alpha", "Alpha", " "  # the last, which the example does not show
    beta = "Beta", "Beta", "Beta", "Beta"

    def form(**more):
        systems = [uploaded("alpha.txt", *alpha), uploaded("beta.txt", *beta)]
        return filled(systems=systems, **more)

    def archive(**more):
        lines = {"source": "One\nTwo\n", "systems/a": "Eins\n\n", "systems/b": "Eins\nZwei\n"}
        pairs = ("en-de", "en-cs")
        files = {f"{pair}/{name}.txt": text for pair in pairs for name, text in lines.items()}
        empty = dict.fromkeys(("source", "reference_text", "systems"))
        return filled(**ARCHIVE, archive=zipped(files), **empty, **more)

    for page in ("check", "create"):
        said = errors(olga.post(f"/organise/new/{page}/", form()))
        assert "alpha 1 (line 4); fill them in" in said["allow_empty"]
        said = errors(olga.post(f"/organise/new/{page}/", archive()))
        for pair in ("en-de", "en-cs"):
            empty = f"{pair}: judges would have to score empty outputs: a 1 (line 2)"
            assert empty in said["allow_empty"]
    assert not Campaign.objects.exists()
    for made in (form, archive):
        assert errors(olga.post("/organise/new/check/", made(allow_empty="on"))) == {}
    assert olga.post("/organise/new/create/", form(allow_empty="on")).status_code == 204


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": ""}, "name", "required"),
        ({"block": "7"}, "block", "block is 7; choose from 2 to 6"),
        ({"block": "many"}, "block", "whole number"),
        ({"repeats": "0.7"}, "repeats", "lower one of them"),
        ({"target": "0"}, "target", "target is 0"),
        ({"reference": "never"}, "reference", "valid choice"),
        ({"source": None}, "source", "Choose the file with the source"),
        ({"systems": []}, "systems", "Choose a file for each system"),
        ({"texts_from": "guesses"}, "texts_from", "valid choice"),
        ({"reference_text": uploaded("r.txt", "one")}, "reference_text", "r.txt: has 1 segments"),
        ({"systems": [uploaded("a.txt", "one")]}, "systems", "a.txt: has 1 segments, source.txt"),
        ({"source": uploaded("s.txt", "a", "", "c", "d")}, "source", "s.txt: line 2: an empty"),
        ({"source": SimpleUploadedFile("s.gz", b"\x1f\x8b\x08")}, "source", "s.gz: is not text"),
        ({"source": SimpleUploadedFile("s.png", b"\x89PNG\0")}, "source", "is not text"),
        ({"source": SimpleUploadedFile("s.txt", b"caf\xe9\n")}, "source", "is not UTF-8"),
        ({"texts_from": "archive"}, "archive", "Choose the file with all texts"),
        (ARCHIVE | {"archive": uploaded("t.xml", "<dataset>")}, "archive", "well-formed"),
        (ARCHIVE | {"archive": zipped({"a.txt": "x"})}, "archive", "holds no test set"),
        (ARCHIVE | {"archive": zipped({"../a.txt": "x"})}, "archive", "has no place of its own"),
        ({"texts_from": "phrases"}, "segments", "Choose the file with the phrases"),
        ({"documents": uploaded("d.tsv", "x", "y", "x", "y")}, "documents", "line 3"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_made(olga, changes, field, words):
    from adjudge.campaigns.models import Campaign

    for address in ("check", "create"):
        for value in changes.values():
            for file in value if isinstance(value, list) else [value]:
                if isinstance(file, SimpleUploadedFile):
                    file.seek(0)
        answer = olga.post(f"/organise/new/{address}/", filled(**changes))
        assert answer.status_code == 200
        assert words in errors(answer)[field].replace("&#x27;", "'")
        assert "`" not in errors(answer)[field], "an organiser sees neither Python nor options"
        assert "--" not in errors(answer)[field]
        assert "adjudge-upload" not in answer.content.decode()
        assert "iframe" not in answer.content.decode()
    assert not Campaign.objects.exists()


def test_what_only_the_database_notices_is_said_too(olga):
    from adjudge.campaigns.models import Campaign

    documents = "".join(
        f'<doc docid="{name}"><seg id="1">A sentence.</seg></doc>' for name in ("x", "y", "z", "x")
    )
    source = SimpleUploadedFile("s.xml", f"<srcset>{documents}</srcset>".encode())
    answer = olga.post("/organise/new/create/", filled(source=source))
    assert "there twice" in errors(answer)["form"]
    assert not Campaign.objects.exists()


def test_uploads_have_a_limit(olga, monkeypatch):
    from adjudge.web.organiser import uploads

    monkeypatch.setattr(uploads, "LARGEST_FILE", 10)
    answer = olga.post("/organise/new/check/", filled())
    assert "source.txt: has more than" in errors(answer)["source"]
    monkeypatch.setattr(uploads, "LARGEST_UPLOAD", 1000)
    assert olga.post("/organise/new/check/", filled()).status_code == 413


def test_nobody_uploads_elsewhere(campaign, monkeypatch):
    from adjudge.web import middleware

    monkeypatch.setattr(middleware, "LARGEST", 1000)
    for address in ("/organise/sign-in/", "/", "/task/answer"):
        large = SimpleUploadedFile("large", b"x" * 2000)
        answer = Client(SERVER_NAME="localhost").post(address, {"file": large})
        assert answer.status_code == 413


def test_all_in_one_file(olga):
    from adjudge.campaigns.models import Campaign

    parts = "".join(
        f'<{tag}><p><seg id="1">{text} one</seg><seg id="2">{text} two</seg></p></{tag.split()[0]}>'
        for tag, text in (
            ('src lang="en"', "Source"),
            ('hyp lang="cs" system="A"', "Alpha"),
            ('hyp lang="cs" system="B"', "Beta"),
        )
    )
    testset = SimpleUploadedFile(
        "wmt.xml", f'<dataset id="x"><doc id="d">{parts}</doc></dataset>'.encode()
    )
    answer = olga.post("/organise/new/create/", filled(archive=testset, **ARCHIVE))
    assert errors(answer) == {}
    assert Campaign.objects.get().pair == "en-cs"


def test_an_archive_of_files(olga):
    from adjudge.campaigns.models import Campaign

    texts = {
        "news/source.txt": "One\nTwo\n",
        "news/documents.tsv": "first\nsecond\n",
        "news/systems/A.txt": "Eins\nZwei\n",
        "news/systems/B.txt": "Ein\nZwo\n",
        "__MACOSX/news/._source.txt": "x",
    }
    told = filled(archive=zipped(texts), **ARCHIVE)
    assert errors(olga.post("/organise/new/create/", told)) == {}
    campaign = Campaign.objects.get()
    assert campaign.pair == "en-de"
    assert campaign.documents.count() == 2
    assert set(campaign.systems.values_list("name", flat=True)) == {"A", "B"}
    assert not campaign.show_reference


def test_without_a_reference_the_campaign_is_made_without_one(olga):
    from adjudge.campaigns.models import Campaign

    checked = olga.post("/organise/new/check/", filled(reference_text=None))
    assert errors(checked) == {}
    assert "There is no reference" in checked.content.decode()
    olga.post("/organise/new/create/", filled(reference_text=None))
    campaign = Campaign.objects.get()
    assert not campaign.show_reference
    assert campaign.design.reference == "off"
    assert not campaign.systems.filter(is_reference=True).exists()


def test_all_that_is_wrong_is_said_at_once(olga):
    wrong = errors(
        olga.post(
            "/organise/new/check/",
            filled(
                name="",
                block="7",
                target="0",
                repeats="0.7",
                reference_text=uploaded("r.txt", "one"),
                systems=[
                    uploaded("a.txt", "one"),
                    SimpleUploadedFile("b.txt", b"caf\xe9\n"),
                    uploaded("c.txt", *"1234"),
                ],
                documents=uploaded("d.tsv", "x"),
                tutorial=uploaded("t.json", "["),
            ),
        )
    )
    asked = {"name", "block", "target", "repeats", "reference_text", "systems", "documents"}
    assert set(wrong) == asked | {"tutorial", "form"}
    assert "a.txt: has 1 segments" in wrong["systems"]
    assert "b.txt: line 1: byte 0xe9 is not UTF-8" in wrong["systems"]
    assert "c.txt" not in wrong["systems"]


def test_more_systems_than_django_takes_files(olga):
    from adjudge.campaigns.models import Campaign

    systems = [uploaded(f"s{n}.txt", *(f"{n} {line}" for line in "abcd")) for n in range(120)]
    assert errors(olga.post("/organise/new/create/", filled(systems=systems))) == {}
    assert Campaign.objects.get().systems.filter(is_reference=False).count() == 120


def test_several_protocols_with_their_screens(olga):
    from adjudge.campaigns.models import Campaign

    page = olga.get("/organise/new/").content.decode()
    for name, screens in (("ranking", 5), ("pairwise", 5), ("constituent", 10)):
        field = re.search(rf'<input[^>]*name="screens_{name}"[^>]*>', page)
        assert field is not None
        assert f'value="{screens}"' in field[0]
    both = {"protocol": ["ranking", "pairwise"], "screens_ranking": "5"}
    missing = olga.post("/organise/new/check/", filled(**both))
    assert set(errors(missing)) == {"screens_pairwise", "form"}
    wrong = olga.post("/organise/new/check/", filled(**both, screens_pairwise="0"))
    assert "greater than or equal to 1" in errors(wrong)["screens_pairwise"]
    assert errors(olga.post("/organise/new/check/", filled(protocol=[]))).keys() >= {"protocol"}
    checked = olga.post("/organise/new/check/", filled(**both, screens_pairwise="10"))
    assert errors(checked) == {}
    for name in ("ranking", "pairwise"):  # an example of each
        assert f"example-{name}" in checked.content.decode()
    olga.post("/organise/new/create/", filled(**both, screens_pairwise="10"))
    assert Campaign.objects.get().batches == [["ranking", 5], ["pairwise", 10]]


def test_a_tutorial_is_uploaded_and_checked(olga):
    import json

    from adjudge.campaigns.models import Campaign

    item = {"protocol": "ranking", "outputs": ["a", "b"], "answer": {"ranks": [1, 2]}}
    bad = uploaded("t.json", json.dumps([item, {**item, "answer": {"ranks": [1, 9]}}]))
    refused = errors(olga.post("/organise/new/check/", filled(tutorial=bad)))
    assert refused["tutorial"].startswith("t.json: item 2: its answer is refused")
    good = {"tutorial": uploaded("t.json", json.dumps([item]))}
    assert errors(olga.post("/organise/new/check/", filled(**good))) == {}
    good = {"tutorial": uploaded("t.json", json.dumps([item]))}
    olga.post("/organise/new/create/", filled(**good))
    assert Campaign.objects.get().tutorial == [item]
