"""`segments` and `constituent` in a real browser: keys, mouse and finger, each to the end."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudge.text.testset import Part, PartOutput, TestSet

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

SYSTEMS = ("Zebra-unseen-1", "Okapi-unseen-2", "Tapir-unseen-3")
DESK = {"viewport": {"width": 1400, "height": 900}}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
Placed = dict[str, tuple[int, str | None]]  # the text of a candidate -> its rank and label


def phrase(sentence: int, words: tuple[int, ...], candidates: int) -> Part:
    """Candidates that tell which phrase they are of, the first a nasty one."""
    name = f"{sentence}-{words[0]}"
    texts = [f"<b>bös</b> & gut {name}", f"Art eins, {name}", f"Art zwei {name}"][:candidates]
    outputs = tuple(
        # As tokenisers and alignments have it: a space more, a word in between.
        PartOutput(text.replace(",", " ,"), (system,), f"Hier steht {text} im Satz.", 11)
        for text, system in zip(texts, SYSTEMS, strict=False)
    )
    source = f"Sentence {sentence} has <i>some</i> words"
    return Part(words, " ".join(source.split(" ")[word] for word in words), outputs)


@pytest.fixture(scope="module")
def phrases() -> TestSet:
    """Four sentences of two phrases, one of them with a single candidate."""
    number = range(4)
    return TestSet(
        source=tuple(f"Sentence {n} has <i>some</i> words" for n in number),
        reference=tuple(f"Referenz {n}" for n in number),
        documents=("document",) * 4,
        names=tuple(str(n + 1) for n in number),
        systems={},
        source_language="en",
        target_language="de",
        parts=tuple((phrase(n, (0, 1), 3), phrase(n, (3, 4), 2 if n else 1)) for n in number),
    )


@pytest.fixture
def ada(desk: Any, phrases: TestSet) -> Any:
    """Sits a judge down before a campaign of four sentences."""

    def sit(protocol: str, **window: Any) -> Any:
        design = {"run": 1, "common": 0.0}
        told = {"protocols": [protocol]}
        one = desk(texts=phrases, design=design, campaign=told, **window)
        one.page.goto(one.link)
        one.page.get_by_role("link", name="Start").click()
        one.page.wait_for_selector(".chip, ol.candidates li")
        return one

    return sit


def sizes(page: Any) -> list[int]:
    """How many candidates each phrase has."""
    cards = page.locator(".phrase-card")
    return [cards.nth(at).locator(".chip").count() for at in range(cards.count())]


def wanted(page: Any, rng: Random) -> Placed:
    """Places by chance for all candidates of the screen, in the order shown."""
    found: Placed = {}
    for at, size in enumerate(sizes(page)):
        for text in page.locator(".phrase-card").nth(at).locator(".chip").all_text_contents():
            rank = rng.randint(1, size + 1)
            found[text] = (rank, "garbage" if rank > size else None)
    return found


def chip(page: Any, text: str) -> Any:
    return page.locator(".chip").filter(has_text=text)


def row_of(page: Any, text: str, rank: int) -> Any:
    """The row of a rank, in the phrase of this candidate."""
    card = page.locator(".phrase-card").filter(has=chip(page, text))
    return card.locator(f".rank[data-drop='{rank}']")


def expect_placed(page: Any, places: Placed) -> None:
    for text, (rank, _) in places.items():
        expect(row_of(page, text, rank).locator(".chip").filter(has_text=text)).to_be_visible()


def judged(one: Any, place: Any) -> Placed:
    """Go through all sentences; what should be exported."""
    rng, everything = Random(7), {}
    page = one.page
    for number in range(4):
        source = page.locator("[data-source]").text_content()
        assert page.locator(".rank .chip").count() == 0
        places = wanted(page, rng)
        place(places)
        expect_placed(page, places)
        everything |= places
        page.get_by_role("button", name="Submit").click()
        if number < 3:
            one.next_source(source)
            one.wait_for("Saved")  # which may move the page below it: not while we drag
    expect(page.locator("[data-end]")).to_contain_text("judged everything there is")
    assert one.complaints == []
    return everything


def exported(one: Any) -> Placed:
    from adjudge.campaigns.results.tables import judgements_of

    rows = judgements_of(one.campaign).cast({"text": str, "label": str})
    return {text: (rank, label) for text, rank, label in rows["text", "rank", "label"].iter_rows()}


@pytest.fixture
def command(adjudge_process):
    """What a command that succeeds prints."""

    def run(*arguments: str) -> str:
        answer = adjudge_process(*arguments)
        assert answer.code == 0, answer.err
        return answer.out

    return run


def test_segments_by_keyboard_alone(
    ada: Any, site: tuple[str, Path], tmp_path: Path, command
) -> None:
    one = ada("segments", **DESK)
    page = one.page

    def place(places: Placed) -> None:
        for number, (text, (rank, label)) in enumerate(places.items()):
            expect(page.locator(".chip.chosen")).to_have_text(text)  # it has its turn
            if label:
                page.keyboard.press("g")
            elif number % 2:  # from the left: rank 1, 2, …
                for _ in range(rank):
                    page.keyboard.press("ArrowRight")
                page.keyboard.press(str(rank))
            else:
                page.keyboard.press(str(rank))

    everything = judged(one, place)
    assert exported(one) == everything
    for path in ("out.json", "annotations.tsv", "out.parquet"):
        where = ("-o", str(tmp_path / path), "--database", str(site[1]))
        command("campaign", "export", one.campaign.name, *where)
    ranked = json.loads(command("rank", str(tmp_path / "annotations.tsv"), "--format", "json"))
    assert {row["system"] for row in ranked} == set(SYSTEMS)
    same = command("rank", str(tmp_path / "out.parquet"), "--format", "json")
    assert [row["system"] for row in json.loads(same)] == [row["system"] for row in ranked]
    export = json.loads((tmp_path / "out.json").read_text())
    ranks = {
        text: rank
        for all_of in export.values()
        for one_of in all_of
        for text, rank in one_of.items()
    }
    assert ranks == {text: rank for text, (rank, _) in everything.items()}


def test_segments_by_dragging_with_the_mouse(ada: Any) -> None:
    one = ada("segments", **DESK)
    page = one.page

    def drag(text: str, place: Any) -> None:
        place.evaluate("row => row.scrollIntoView({block: 'center'})")
        start, end = chip(page, text).bounding_box(), place.bounding_box()
        page.mouse.move(start["x"] + 10, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(end["x"] + 200, end["y"] + end["height"] / 2, steps=4)
        expect(page.locator(".over")).to_have_count(1)
        page.mouse.up()
        expect(page.locator(".over, .dragged")).to_have_count(0)

    def place(places: Placed) -> None:
        for text, (rank, _) in places.items():
            drag(text, row_of(page, text, 1))
            if rank != 1:
                drag(text, row_of(page, text, rank))  # from rank to rank

    everything = judged(one, place)
    assert exported(one) == everything


def test_segments_by_finger_on_a_tablet(ada: Any) -> None:
    one = ada("segments", **TABLET)
    page = one.page
    finger = one.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    def drag(text: str, place: Any) -> None:
        start, end = chip(page, text).bounding_box(), place.bounding_box()
        x, y = start["x"] + 20, start["y"] + start["height"] / 2
        to_x, to_y = end["x"] + 150, end["y"] + end["height"] / 2
        touch("touchStart", (x, y))
        for step in (0.3, 0.6, 1.0):
            touch("touchMove", (x + step * (to_x - x), y + step * (to_y - y)))
        touch("touchEnd")

    def place(places: Placed) -> None:
        for number, (text, (rank, _)) in enumerate(places.items()):
            target = row_of(page, text, rank)
            if number % 2:
                chip(page, text).tap()
                target.locator("button").tap()
            else:
                target.evaluate("row => row.scrollIntoView({block: 'center'})")
                drag(text, target)
            expect(target.locator(".chip").filter(has_text=text)).to_be_visible()

    everything = judged(one, place)
    assert exported(one) == everything


def test_a_rank_is_tapped_for_the_candidate_whose_turn_it_is(ada: Any) -> None:
    one = ada("segments", **PHONE)
    page = one.page
    first, second = page.locator(".phrase-card").all()
    second.locator(".rank").first.locator("button").tap()  # first it is chosen, …
    assert page.locator(".rank .chip").count() == 0
    expect(second.locator(".chip.chosen")).to_have_count(1)
    second.locator(".rank").first.locator("button").tap()  # … then placed
    expect(second.locator(".rank").first.locator(".chip")).to_have_count(1)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    for target in page.locator(".rank button, .chip").all():
        assert target.bounding_box()["height"] >= 44
    assert first.get_by_role("listbox", name="Garbage").count() == 1


def test_an_incomplete_answer_is_not_sent(ada: Any) -> None:
    one = ada("segments", **DESK)
    page = one.page
    for _ in range(3):
        page.keyboard.press("1")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Not all translations are placed. Phrases: 2")
    expect(page.locator(".phrase-card").nth(1).locator(".chip:focus")).to_have_count(1)
    assert one.stored() == 0
    page.keyboard.press("9")  # no such rank
    assert page.locator(".phrase-card").nth(1).locator(".rank .chip").count() == 0
    page.keyboard.press("g")
    expect(alert).to_have_text("")
    page.keyboard.press("Backspace")  # taken out again
    assert page.locator(".phrase-card").nth(1).locator(".rank .chip").count() == 0
    for _ in range(2):
        page.keyboard.press("g")
    page.keyboard.press("Enter")
    one.wait_for("Saved")
    assert one.stored() == 1


def test_escape_takes_a_dragged_candidate_back(ada: Any) -> None:
    one = ada("segments", **DESK)
    page = one.page
    start = page.locator(".chip").first.bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(start["x"] + 600, start["y"] + 60, steps=3)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".rank .chip").count() == 0
    expect(page.locator(".dragged")).to_have_count(0)


def test_undo_shows_where_everything_was(ada: Any) -> None:
    one = ada("segments", **DESK)
    page = one.page
    source = page.locator("[data-source]").text_content()
    places = wanted(page, Random(3))
    for rank, label in places.values():
        page.keyboard.press("g" if label else str(rank))
    page.keyboard.press("Enter")
    one.wait_for("Saved")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-source]")).to_have_text(source)
    expect_placed(page, places)


def test_the_phrase_is_marked_in_the_source(ada: Any) -> None:
    one = ada("segments", **DESK)
    marks = one.page.locator(".phrase-card .passage mark").all_text_contents()
    number = one.page.locator("[data-source]").text_content().split()[1]
    assert marks == [f"Sentence {number}", "<i>some</i> words"]


@pytest.mark.parametrize("hand", ["keyboard", "mouse"])
def test_constituents_to_the_end(ada: Any, hand: str) -> None:
    one = ada("constituent", **DESK)
    page, rng, everything = one.page, Random(5), {}
    for _ in range(7):  # the phrase with one translation is not asked about
        number = page.locator("[data-source]").text_content().split()[1]
        marked = page.locator("[data-source] mark").text_content()
        assert marked in (f"Sentence {number}", "<i>some</i> words")
        rows = page.locator("ol.candidates li")
        texts = [row.locator("mark.phrase").text_content() for row in rows.all()]
        sentences = rows.locator(".text").all_text_contents()
        assert sentences == [f"Hier steht {text} im Satz." for text in texts]
        for at, text in enumerate(texts):
            rank = rng.randint(1, 5)
            everything[text.replace(",", " ,")] = (rank, None)
            if hand == "mouse":
                rows.nth(at).locator("label").nth(rank - 1).click()
            else:
                page.keyboard.press(str(rank))
        if hand == "mouse":
            page.get_by_role("button", name="Submit").click()
        else:
            page.keyboard.press("Enter")
        expect(page.locator(f"ol.candidates :text-is('{texts[1]}')")).to_have_count(0)
    expect(page.locator("[data-end]")).to_contain_text("judged everything there is")
    assert exported(one) == everything
    assert one.complaints == []
