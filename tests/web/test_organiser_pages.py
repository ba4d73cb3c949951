"""The organiser's pages: who may see them, creating, inviting, acting, downloading."""

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

PASSWORD = "correct horse battery"
RANKS = [1, 2, 2, 4]


@pytest.fixture(autouse=True)
def quick_passwords():
    """Tests need not wait as long as somebody who guesses passwords should."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


def sign_in(name="olga", password=PASSWORD, **headers):
    from adjudge.web.organiser.accounts import make_organiser

    make_organiser("olga", PASSWORD)
    client = Client(SERVER_NAME="localhost")
    client.post("/organise/sign-in/", {"name": name, "password": password}, **headers)
    return client


@pytest.fixture
def olga(store):
    """An organiser, signed in."""
    return sign_in()


def addresses():
    """Every address of the organiser's pages but the one to sign in at."""
    from adjudge.web.organiser.urls import urlpatterns

    values = {"<int:pk>": "1", "<int:judge>": "1", "<str:action>": "pause"}
    values["<str:format_name>"] = "jsonl"
    found = [str(pattern.pattern) for pattern in urlpatterns if pattern.name != "sign-in"]
    for name, value in values.items():
        found = [address.replace(name, value) for address in found]
    return [f"/organise/{address}" for address in found]


def test_organiser_pages_are_for_organisers_only(campaign, visitor):
    from django.contrib.auth.models import User

    visitor(campaign).enter()
    User.objects.create_user("judy", password=PASSWORD)
    judy = Client(SERVER_NAME="localhost")
    assert judy.login(username="judy", password=PASSWORD)
    assert len(addresses()) >= 16
    for address in addresses():
        for method in ("get", "post"):
            stranger = getattr(Client(SERVER_NAME="localhost"), method)(address)
            assert stranger.status_code == 302, address
            assert stranger.headers["Location"].startswith("/organise/sign-in/")
            assert getattr(judy, method)(address).status_code == 403, address
    assert campaign.judges.get().state == "active"


def test_a_judge_is_no_organiser(campaign, visitor):
    ada = visitor(campaign).enter()
    assert ada.client.get("/organise/1/").status_code == 302


def test_every_organiser_form_needs_the_token_of_its_page(campaign, visitor):
    visitor(campaign)
    olga = sign_in()
    strict = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
    strict.cookies = olga.cookies
    for address in addresses():
        answer = strict.post(address)
        assert answer.status_code == 403 or answer.status_code == 405, address
        if answer.status_code == 405:
            assert olga.get(address).status_code == 200, address
    assert campaign.judges.get().state == "active"


def test_signing_in_leads_on_but_never_to_another_server(campaign):
    from adjudge.web.organiser.accounts import make_organiser

    make_organiser("olga", PASSWORD)
    given = {"name": "olga", "password": PASSWORD}
    for wanted, reached in (("/organise/1/", "/organise/1/"), ("//evil.example/", "/organise/")):
        client = Client(SERVER_NAME="localhost")
        answer = client.post("/organise/sign-in/", {**given, "next": wanted})
        assert answer.headers["Location"] == reached
        assert client.get("/organise/1/").status_code == 200
    assert client.post("/organise/sign-out/").status_code == 302
    assert client.get("/organise/1/").status_code == 302


def test_wrong_passwords_are_limited(store):
    from adjudge.web import limits

    client = sign_in(password="wrong")
    assert client.get("/organise/").status_code == 302
    wrong = {"name": "olga", "password": "wrong"}
    for _ in range(limits.OF_ACCOUNT - 1):
        assert client.post("/organise/sign-in/", wrong).status_code == 403
    right = {"name": "olga", "password": PASSWORD}
    refused = client.post("/organise/sign-in/", right)
    assert refused.status_code == 429
    assert b"Too many wrong passwords" in refused.content
    assert client.get("/organise/").status_code == 302


def test_a_made_up_password_lets_in_and_a_new_one_replaces_it(store):
    from adjudge.errors import AdjudgeError
    from adjudge.web.organiser.accounts import make_organiser

    first = make_organiser("ota")
    second = make_organiser("ota")
    assert first != second
    client = Client(SERVER_NAME="localhost")
    for password, status in ((first, 403), (second, 302)):
        given = {"name": "ota", "password": password}
        assert client.post("/organise/sign-in/", given).status_code == status
    with pytest.raises(AdjudgeError, match="too short"):
        make_organiser("ota", "short")


# Creating a campaign


def uploaded(name, *lines):
    return SimpleUploadedFile(name, ("\n".join(lines) + "\n").encode())


def filled(**changes):
    """The form as a browser sends it, with the recommended design."""
    from adjudge.web.organiser.design_fields import preset_values

    segments = range(1, 5)
    form = {
        **preset_values()["recommended"],
        "name": "Spring",
        "source_language": "en",
        "target_language": "de",
        "protocol": "ranking",
        "preset": "recommended",
        "seed": "1",
        "show_reference": "on",
        "instructions": "Be **fair**.",
        "source": uploaded("source.txt", *(f"Sentence <i>{n}</i>" for n in segments)),
        "reference_text": uploaded("ref.txt", *(f"Referenz {n}" for n in segments)),
        "systems": [
            uploaded("alpha.txt", *(f"Alpha {n}" for n in segments)),
            uploaded("beta.de", *(f"Beta {n}" for n in segments)),
        ],
    }
    return {name: value for name, value in {**form, **changes}.items() if value is not None}


def errors(answer):
    """What is said beside which field."""
    found = re.findall(r'id="error-(\w+)"[^>]*>([^<]*)</p>', answer.content.decode())
    return {name: words for name, words in found if words}


def test_a_campaign_is_previewed_then_created_whole(olga):
    from adjudge.campaigns.design import preset
    from adjudge.campaigns.models import Campaign, System

    page = olga.get("/organise/new/").content.decode()
    assert 'name="fastest_reading"' in page
    checked = olga.post("/organise/new/check/", filled())
    assert errors(checked) == {}
    text = checked.content.decode()
    assert "2 systems, 4 segments in 1 documents" in text
    assert "data-answer" in text  # the real judging page …
    assert "Be &amp;lt;strong&amp;gt;" in text or "&lt;strong&gt;fair" in text
    assert "Alpha 2" in text
    assert not Campaign.objects.exists()  # … of nothing that exists
    assert not System.objects.exists()

    created = olga.post("/organise/new/create/", filled())
    campaign = Campaign.objects.get()
    assert created.headers["HX-Redirect"] == f"/organise/{campaign.pk}/"
    assert campaign.pair == "en-de"
    assert campaign.plan == preset("recommended")
    assert campaign.show_reference
    assert campaign.segments.count() == 4
    names = campaign.systems.order_by("name").values_list("name", flat=True)
    assert list(names) == ["alpha", "beta.de", "ref"]
    again = olga.post("/organise/new/check/", filled())
    assert "already" in errors(again)["name"]


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": ""}, "name", "required"),
        ({"block": "7"}, "block", "block is 7; choose from 2 to 6"),
        ({"block": "many"}, "block", "whole number"),
        ({"repeats": "0.7"}, "repeats", "lower one of them"),
        ({"target": "0"}, "target", "target is 0"),
        ({"reference": "never"}, "reference", "valid choice"),
        ({"source": None}, "form", "give a source and systems"),
        ({"systems": []}, "form", "give at least two"),
        ({"reference_text": None}, "form", "turn it off"),
        ({"reference_text": uploaded("r.txt", "one")}, "reference_text", "r.txt: has 1 segments"),
        ({"systems": [uploaded("a.txt", "one")]}, "systems", "a.txt: has 1 segments, source.txt"),
        ({"source": uploaded("s.txt", "a", "", "c", "d")}, "source", "s.txt: line 2: an empty"),
        ({"source": SimpleUploadedFile("s.gz", b"\x1f\x8b\x08")}, "source", "s.gz: is no text"),
        ({"source": SimpleUploadedFile("s.png", b"\x89PNG\0")}, "source", "is no text"),
        ({"source": SimpleUploadedFile("s.txt", b"caf\xe9\n")}, "source", "is not UTF-8"),
        ({"source": None, "testset": uploaded("t.xml", "<dataset>")}, "testset", "well-formed"),
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
        assert "adjudge-upload" not in answer.content.decode()
        assert "iframe" not in answer.content.decode()
    assert not Campaign.objects.exists()


def test_uploads_have_a_limit(olga, monkeypatch):
    from adjudge.web.organiser import uploads

    monkeypatch.setattr(uploads, "LARGEST_FILE", 10)
    answer = olga.post("/organise/new/check/", filled())
    assert "source.txt: has more than" in errors(answer)["source"]
    monkeypatch.setattr(uploads, "LARGEST_UPLOAD", 1000)
    assert olga.post("/organise/new/check/", filled()).status_code == 413


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
    changes = {"source": None, "reference_text": None, "systems": [], "reference": "off"}
    answer = olga.post("/organise/new/create/", filled(testset=testset, **changes))
    assert errors(answer) == {}
    assert Campaign.objects.get().pair == "en-cs"


# Judges


def test_links_are_shown_once_and_let_in(campaign, olga):
    own = campaign.systems.order_by("pk")[0].name
    given = {"names": "Ada\n Bob \n", "group": "researchers", "own_systems": [own]}
    page = olga.post(f"/organise/{campaign.pk}/invite/", given)
    links = re.findall(r"http://localhost(/j/[\w-]+/)", page.content.decode())
    assert len(links) == 2
    assert page.headers["Cache-Control"] == "no-store"
    ada = campaign.judges.get(name="Ada")
    assert (ada.group, ada.quota) == ("researchers", 300)
    assert ada.own_systems.get().name == own
    assert Client(SERVER_NAME="localhost").get(links[0]).status_code == 302
    assert links[0] not in olga.get(f"/organise/{campaign.pk}/").content.decode()
    for names, words in (("Ada\nEve", "already"), ("Eve\nEve", "twice"), ("  ", "required")):
        answer = olga.post(f"/organise/{campaign.pk}/invite/", {"names": names})
        assert words in answer.content.decode()
    assert campaign.judges.count() == 2  # all or none


def test_a_link_is_replaced_and_revoked(campaign, olga, visitor):
    ada = visitor(campaign).enter()
    base = f"/organise/{campaign.pk}/judges/{ada.judge.pk}"
    page = olga.post(f"{base}/link/").content.decode()
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


def judged(campaign, visitor, name, rankings=2, **details):
    who = visitor(campaign, name, **details).enter()
    for _ in range(rankings):
        assert who.answer(who.state["items"][0], RANKS).status_code == 200
        who.reload()
    return who


def saved(answer, folder, suffix):
    file = Path(folder, f"judgements{suffix}")
    file.write_bytes(b"".join(answer.streaming_content))
    return str(file)


def test_judgements_come_in_every_format_that_can_be_written(campaign, olga, visitor, tmp_path):
    from adjudge.campaigns.export import judgements_of
    from adjudge.judgements.comparisons import compare
    from adjudge.judgements.files import read
    from adjudge.judgements.formats import formats

    judged(campaign, visitor, "Ada")
    page = olga.get(f"/organise/{campaign.pk}/").content.decode()
    for chosen in formats().values():
        address = f"/organise/{campaign.pk}/judgements/{chosen.name}/"
        if chosen.write is None:
            assert olga.get(address).status_code == 404
            continue
        assert address in page
        answer = olga.get(address)
        if answer.status_code == 409:  # the format cannot hold such judgements, and says so
            assert chosen.name.startswith(("arena", "segranks-segments"))
            assert b"Nothing to download" in answer.content
            continue
        assert f'filename="Animals{chosen.suffix}"' in answer.headers["Content-Disposition"]
        file = saved(answer, tmp_path, chosen.suffix)
        if chosen.name in ("jsonl", "parquet"):
            assert read(file).equals(judgements_of(campaign))
        elif chosen.name == "wmt-csv":
            assert len(compare(read(file))) == len(compare(judgements_of(campaign)))


def test_excluded_judges_are_left_out_unless_asked_for(campaign, olga, visitor, tmp_path):
    from adjudge.campaigns.management import exclude
    from adjudge.judgements.files import read

    judged(campaign, visitor, "Ada")
    address = f"/organise/{campaign.pk}/judgements/jsonl/"
    exclude(judged(campaign, visitor, "Bob").judge, "too hasty")
    assert set(read(saved(olga.get(address), tmp_path, ".jsonl"))["judge"]) == {"Ada"}
    everybody = olga.get(address, {"excluded": "1"})
    assert set(read(saved(everybody, tmp_path, ".jsonl"))["judge"]) == {"Ada", "Bob"}


def test_nothing_to_download_is_said(campaign, olga):
    answer = olga.get(f"/organise/{campaign.pk}/judgements/jsonl/")
    assert answer.status_code == 409
    assert b"no judgements yet" in answer.content


def test_the_backup_is_whole(campaign, olga, visitor):
    import gzip

    judged(campaign, visitor, "Ada")
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
