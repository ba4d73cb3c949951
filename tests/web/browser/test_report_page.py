"""The report in a real browser: nothing outside the page, tables sort and are saved, it prints."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from adjudge import from_rankings
from adjudge.data.comparisons import compare
from adjudge.data.outputs import join_systems
from adjudge.ranking.method import METHODS
from adjudge.ranking.ranking_result import rank
from adjudge.report import analysis, page
from adjudge.report.analysis import Settings, analyse
from adjudge.report.build import make_report
from adjudge.report.contents import Input
from adjudge.stats.resampling import Resampling

QUICK = Settings(replicates=60, runs=3)
NAMES = ["plain", "<b>bold</b>", "מערכת", "a-name-that-goes-on-" * 5, "another.name"]

# Elements that people can see but only by moving the page sideways; what scrolls in a box of its
# own does not count.
OUTSIDE = """
() => [...document.body.querySelectorAll("*")].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || !box.height || one.ownerSVGElement) return false;
  for (let up = one.parentElement; up; up = up.parentElement)
    if (getComputedStyle(up).overflowX === "auto") return false;
  return box.left < -1 || box.right > document.documentElement.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 120))
"""


def made(table):
    return make_report(
        analyse(table, QUICK), [Input("judged.jsonl", "0" * 64)], "adjudge report", "page"
    )


def of_segments() -> pl.DataFrame:
    """Short segments of three systems: hit, near and miss, with words that go on and on."""
    rows = [
        {
            "pair": "en-it",
            "protocol": "segments",
            "segment": f"{sentence}:0,1",
            "ranking": sentence,
            "judge": f"judge {sentence % 3}",
            "output": output,
            "rank": 1 + (place + sentence // 5) % 3,
            "source": f"{'go-on-' * 20} <b>bold</b> {sentence}",
            "text": text,
        }
        for sentence in range(1, 41)
        for place, (output, text) in enumerate(
            [
                (join_systems(NAMES[:2] if sentence % 9 else NAMES[:1]), "la barca rossa"),
                (NAMES[3], "la barca rosa"),
                (NAMES[4], "מערכת " * (1 + sentence % 2)),
            ]
        )
    ]
    return from_rankings(pl.DataFrame(rows)).table


@pytest.fixture(scope="module")
def reports(simulated, tmp_path_factory):
    """Pages of one language pair, of twelve, of sixty systems, and of short segments."""
    folder = tmp_path_factory.mktemp("pages")
    table = simulated("en-it", NAMES, 90)
    one = made(table)
    chapters = [replace(one.chapters[0], pair=f"en-{number:02}") for number in range(12)]
    many = simulated("many", [f"system-{i}" for i in range(60)], 240, quality_spread=3.0)
    with pytest.MonkeyPatch.context() as patch:
        # Sixty systems keep plans and models of judges busy, which have tests of their own.
        patch.setattr(analysis, "SIMULATIONS", 60)
        sixty = made(many.with_columns(judge=pl.lit(None, many.schema["judge"])))
    found = {"one": one, "twelve": replace(one, chapters=chapters), "sixty": sixty}
    found["segments"] = made(of_segments())
    for name, report in found.items():
        Path(folder, f"{name}.html").write_text(page.write(report), encoding="utf-8")
    return folder, found, table


@pytest.fixture
def opened(reports, browser):
    """Opens a report; what the console complains about fails the test."""
    complaints, contexts = [], []

    def opened(name, width=1400, **settings):
        context = browser.new_context(viewport={"width": width, "height": 900}, **settings)
        contexts.append(context)
        shown = context.new_page()
        shown.on("console", lambda said: complaints.append(said.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.on(
            "request",
            lambda asked: (
                asked.url.startswith(("file:", "data:", "blob:")) or complaints.append(asked.url)
            ),
        )
        shown.goto(Path(reports[0], f"{name}.html").as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("one", 1400, "light"),
        ("one", 1400, "dark"),
        ("one", 390, "light"),
        ("one", 390, "dark"),
        ("twelve", 1400, "light"),
        ("twelve", 390, "dark"),
        ("sixty", 1400, "dark"),
        ("sixty", 390, "light"),
        ("segments", 1400, "light"),
        ("segments", 390, "dark"),
    ],
)
def test_nothing_is_outside_the_page(opened, reports, tmp_path, name, width, scheme):
    shown = opened(name, width, color_scheme=scheme)
    for opened_details in (False, True):
        shown.evaluate(
            "open => document.querySelectorAll('details').forEach(one => one.open = open)",
            opened_details,
        )
        assert shown.evaluate(OUTSIDE) == []
        size = shown.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert size[0] <= size[1]
    background = shown.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) > 380) == (scheme == "light")
    picture = shown.screenshot(path=tmp_path / "page.png")
    assert len(picture) > 20_000
    figures = shown.locator("figure")
    drawn = sum(len(chapter.illustrations) for chapter in reports[1][name].chapters)
    assert figures.count() == drawn
    for image in shown.locator("figure svg").all()[:12]:
        assert image.get_attribute("role") == "img"
        assert len(image.get_attribute("aria-label")) > 20
        assert image.bounding_box()["height"] > 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hit_near_and_miss_differ_by_more_than_colour(opened, scheme):
    shown = opened("segments", color_scheme=scheme)
    looks = {}
    for match, sign in (("hit", "✓"), ("near", "≈"), ("miss", "✗")):
        mark = shown.locator(f".examples mark.{match}").first
        assert mark.inner_text().endswith(sign)
        looks[match] = mark.evaluate(
            "one => [getComputedStyle(one).textDecorationStyle, getComputedStyle(one).color]"
        )
    assert len({style for style, _ in looks.values()}) == 3
    assert len({colour for _, colour in looks.values()}) == 3


def test_the_scheme_can_be_turned_around(opened):
    shown = opened("one", color_scheme="light")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    before = shown.evaluate(background)
    shown.get_by_role("button", name="Dark").click()
    assert shown.evaluate(background) != before
    shown.get_by_role("button", name="Dark", pressed=True).click()
    assert shown.evaluate(background) == before


def test_tables_sort_by_mouse_and_keyboard(opened):
    shown = opened("one")
    table = shown.locator(".answer table").first
    column = table.locator("tbody td:nth-child(3)")
    scores = column.all_text_contents()
    assert scores == sorted(scores, reverse=True)
    heading = table.locator("th", has_text="score")
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert column.all_text_contents() == sorted(scores)
    shown.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    assert column.all_text_contents() == sorted(scores, reverse=True)
    names = table.locator("th", has_text="system")
    names.get_by_role("button").focus()
    shown.keyboard.press("Space")
    assert heading.get_attribute("aria-sort") is None
    assert names.get_attribute("aria-sort") == "ascending"
    shown.keyboard.press("Space")
    shown.keyboard.press("Space")
    assert names.get_attribute("aria-sort") is None
    assert column.all_text_contents() == scores


def test_tables_are_saved_as_csv_and_json(opened, reports):
    shown = opened("one")

    def saved(place, button):
        with shown.expect_download() as waiting:
            place.get_by_role("button", name=button, exact=True).click()
        return waiting.value.suggested_filename, waiting.value.path().read_text()

    ranking = shown.locator(".answer .tools").first
    name, text = saved(ranking, "JSON")
    assert name == "ranking.json"
    expected = rank(
        compare(reports[2]), METHODS.named("expected-wins"), Resampling(replicates=60)
    ).to_frame()
    rows = json.loads(text)
    assert [row["system"] for row in rows] == expected["system"].to_list()
    assert [row["score"] for row in rows] == pytest.approx(expected["score"].to_list())
    name, text = saved(ranking, "CSV")
    assert name == "ranking.csv"
    table = list(csv.DictReader(io.StringIO(text)))
    assert [row["system"] for row in table] == expected["system"].to_list()
    assert [float(row["low"]) for row in table] == pytest.approx(expected["low"].to_list())
    name, text = saved(shown.locator("#data"), "JSON")
    assert json.loads(text)["pairs"][0]["pair"] == "en-it"


def test_everything_is_there_without_javascript(opened, reports):
    shown = opened("one", java_script_enabled=False)
    assert shown.get_by_role("heading", name="Method", exact=True).is_visible()
    assert shown.get_by_role("button").count() == 0
    figure = shown.locator("figure").nth(1)
    table = figure.locator("table")
    assert not table.is_visible()
    figure.locator("summary").click()
    assert table.is_visible()


def test_it_prints(opened, tmp_path):
    shown = opened("one")
    pdf = shown.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") > 2
    shown.emulate_media(media="print")
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.locator("details:not([open], .long)").count() == 0
    assert not shown.locator(".tools").first.is_visible()
    shown.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.locator("details[open]").count() == 0


def test_twelve_language_pairs_have_an_overview(opened):
    shown = opened("twelve")
    overview = shown.locator("#overview")
    assert overview.locator("tbody tr").count() == 12
    overview.locator("tbody a", has_text="en-07").click()
    assert shown.evaluate("location.hash") == "#en-07"
    assert abs(shown.locator("#en-07").bounding_box()["y"]) < 100
