"""Organisers read neither options of a command line nor Python, whatever goes wrong."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from tests.web.test_organiser_access import addresses
from tests.web.test_organiser_creating import filled

pytestmark = pytest.mark.slow

OPTION = re.compile(r"(?<![\w-])--[a-z]|`|adjudge (campaign|serve|rank|project|report) ")


def said_in(answer) -> str:
    """The words of a page, without its markup."""
    page = answer.content.decode()
    page = re.sub(r"<(script|style|iframe)\b.*?</\1>", "", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", page))


def bad_forms():
    """Forms with something wrong, for any address that takes one."""
    text = SimpleUploadedFile("bad.txt", b"one\n")
    yield {}
    yield {"names": "Ada\nAda", "confirm": "x", "text": "x", "subject": "x", "items": "x"}
    yield {"names": "Eve", "own_systems": "x", "pairs": "x", "reason": " ", "role": "x"}
    yield {"systems": [text], "name": " ", "block": "99", "opens": "x"}
    yield {"archive": SimpleUploadedFile("bad.zip", b"PK\x03\x04x")}


def test_every_page_and_every_refusal_speaks_plainly(campaign, olga, judged):
    judged(campaign, "Ada", 1)
    asked = [a for a in addresses() if not a.endswith(("sign-out/", "backup/"))]
    assert len(asked) > 30
    for address in asked:
        answers = [olga.get(address, follow=True)]
        answers += [olga.post(address, form, follow=True) for form in bad_forms()]
        for answer in answers:
            if answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
                continue
            assert answer.status_code < 500, address
            if "/report/" in address and answer.status_code == 200:
                continue  # the report names the command that makes it again, for analysts
            found = OPTION.search(said_in(answer))
            assert found is None, (address, said_in(answer)[max(0, found.start() - 100) :][:200])


@pytest.mark.parametrize(
    "wrong",
    [
        {"systems": []},
        {"protocol": "segments"},
        {"protocol": "review"},
        {"texts_from": "archive"},
        {"texts_from": "phrases"},
        {"reference_text": None, "systems": [SimpleUploadedFile("ref.txt", b"a\nb\nc\nd\n")]},
        {"reference_text": None, "systems": [SimpleUploadedFile("a.txt", b"a\nb\nc\nd\n")]},
        {"source": SimpleUploadedFile("s.txt", b"\n")},
        {"tutorial": SimpleUploadedFile("t.json", b"[{}]")},
    ],
)
def test_what_is_wrong_with_a_new_campaign_is_said_plainly(olga, wrong):
    answer = olga.post("/organise/new/check/", filled(**wrong))
    assert 'role="alert" hx-swap-oob="true">' in answer.content.decode()
    found = OPTION.search(said_in(answer))
    assert found is None, said_in(answer)[max(0, found.start() - 100) :][:200]
