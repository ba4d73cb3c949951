"""What reaches a judge's browser tells neither systems nor controls: every byte is searched."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

RANKS = [1, 2, 2, 4]
HIDDEN = (b"unseen", b"Zebra", b"Okapi", b"Tapir", b"Quagga", b"wmt13", b"exclusive", b"repeat_of")


def _bytes(response: Any) -> bytes:
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    cookies = response.cookies.output()
    content = b"".join(response) if response.streaming else response.content
    return headers.encode() + cookies.encode() + content


def _static_files() -> list[str]:
    from adjudge import web

    folder = Path(web.__file__).parent / "static"
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def _every_response(campaign: Any, visitor: Any, judged: int) -> list[Any]:
    """All that a judge can get: pages, answers, refusals, static files."""
    ada = visitor(campaign, group="crowd")
    enter = ada.client.get(f"/j/{ada.invitation.token}/")
    responses = [enter, ada.client.get(enter.headers["Location"])]
    for number in range(judged):
        responses.append(ada.reload().page)
        item = ada.state["items"][0]
        responses += [
            ada.answer(item, [9, 9, 9, 9]),
            ada.answer({**item, "key": "foreign"}, RANKS),
            ada.post("skip", {"assignment": item["key"], "key": f"skip{number:08}", "reason": "?"})
            if number % 7 == 3
            else ada.answer(item, RANKS),
            ada.post("undo", {}),
        ]
    responses += [ada.client.get(f"/static/{file}") for file in _static_files()]
    responses += [ada.client.get(address) for address in ("/", "/nowhere", "/j/wrong/")]
    responses.append(ada.client.post(ada.state["urls"]["answer"]))
    return responses


@pytest.mark.slow
def test_no_system_no_kind_of_item_in_any_byte(campaign, visitor):
    responses = _every_response(campaign, visitor, judged=20)
    assert len(responses) > 100
    for response in responses:
        everything = _bytes(response)
        for word in HIDDEN:
            assert word not in everything, (word, response)


def test_items_hold_texts_and_keys_and_nothing_else(campaign, visitor):
    ada = visitor(campaign).enter()
    assert set(ada.state) == {"items", "end", "progress", "judge", "urls", "headers", "words"}
    for item in ada.state["items"]:
        assert set(item) == {
            *("key", "protocol", "scale", "source", "reference", "before", "after"),
            *("parts", "candidates", "details", "source_language", "target_language", "given"),
        }
        for candidate in item["candidates"]:
            assert set(candidate) == {"key", "text", "part", "sentence", "start"}


def test_a_control_looks_like_any_other_item(campaign, visitor):
    from adjudge.campaigns.models import Assignment
    from adjudge.campaigns.results.controls import control_record

    ada = visitor(campaign, group="crowd").enter()
    before = ada.state["items"]
    for given in Assignment.objects.select_related("item__segment"):
        given.item.segment.controls = [given.shown[:2]]
        given.item.segment.save(update_fields=["controls"])
    assert ada.reload().state["items"] == before
    reply = ada.answer(before[0], [4, 3, 2, 1])  # fails the control
    assert set(reply.json()) == {"revision", "items", "end", "progress"}
    assert b"control" not in reply.content
    assert control_record(ada.judge).failed == 1


@pytest.mark.slow
def test_no_key_is_the_same_for_two_judges_or_in_a_repeat(campaign, visitor):
    from adjudge.campaigns.models import Hit

    campaign.design_values |= {"common": 0.6, "repeats": 0.3, "repeat_gap": 1}
    campaign.save()
    people = [visitor(campaign, name).enter() for name in ("Ada", "Bob")]
    keys: list[str] = []
    texts: list[frozenset[str]] = []
    for person in people:
        for _ in range(12):
            item = person.reload().state["items"][0]
            keys += [item["key"], *(candidate["key"] for candidate in item["candidates"])]
            texts.append(frozenset(candidate["text"] for candidate in item["candidates"]))
            assert person.answer(item, RANKS).status_code == 200
    kinds = set(Hit.objects.filter(given__gt=0).values_list("kind", flat=True))
    assert {Hit.Kind.COMMON, Hit.Kind.REPEAT} <= kinds
    assert len(set(texts)) < len(texts)  # the same translations came more than once
    assert len(set(keys)) == len(keys)


def test_translations_with_scripts_are_text(campaign, visitor):
    ada = visitor(campaign).enter()
    page = ada.page.content.decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    shown = [text["text"] for item in ada.state["items"] for text in item["candidates"]]
    assert any(text.startswith("<script>alert('x')</script>") for text in shown)


def test_instructions_with_scripts_are_text(campaign, visitor):
    campaign.instructions = (
        "<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![](http://e.example/pixel.png)"
    )
    campaign.save()
    page = visitor(campaign).enter().page.content.decode()
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert "<img" not in page


class _Inline(HTMLParser):
    """Finds what a strict Content-Security-Policy would stop."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.found.append(tag)
        if tag == "style":
            self.found.append(tag)
        self.found += [name for name in given if name.startswith("on") or name == "style"]


@pytest.mark.parametrize("template", ["work", "welcome", "notice"])
def test_nothing_inline_in_pages(campaign, visitor, template):
    ada = visitor(campaign).enter()
    address = {"work": ada.address, "welcome": f"{ada.address}welcome/", "notice": "/"}[template]
    page = ada.client.get(address)
    inline = _Inline()
    inline.feed(page.content.decode())
    assert inline.found == []
    sources = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in sources
    assert "frame-ancestors 'none'" in sources
    assert "unsafe" not in sources
    assert page.headers["X-Frame-Options"] == "DENY"
