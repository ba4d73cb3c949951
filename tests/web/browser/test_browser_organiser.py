"""An organiser's and a judge's browser on a real server: from text files to a ranking."""

import re
from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[3] / "src" / "adjudge" / "web" / "demo" / "data"
LONGEST = 30_000  # milliseconds for a page, on a busy machine


@pytest.fixture
def password(site, adjudge_process):
    """Of olga, who may organise."""
    _, file = site
    made = adjudge_process("campaign", "organiser", "olga", "--database", file)
    assert made.code == 0, made.err
    return made.out.split()[-1]


def new_page(browser, complaints, **settings):
    """A page of a browser of its own; what its console complains about is collected."""
    page = browser.new_context(viewport={"width": 1400, "height": 900}, **settings).new_page()
    page.set_default_timeout(LONGEST)
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    return page


def rank_in_order(page):
    """Rank what is on the screen from top to bottom."""
    candidates = page.locator("ol.candidates li")
    candidates.first.wait_for()
    for place in range(candidates.count()):
        candidates.nth(place).locator(f"input[value='{place + 1}']").check()
    page.click("[data-submit]")
    page.locator("[data-status]", has_text="Saved").wait_for()


def check_the_copy_buttons(page, link):
    """What they copy can be pasted; also where the page has no clipboard (without TLS)."""
    page.evaluate("document.body.append(document.createElement('textarea'))")
    pasted = page.locator("textarea").last
    texts = ["Copy the link of Ada", "Copy all", "Copy the text"]
    copied = [link, f"Ada\t{link}\n", "Dear {name},"]
    for without_clipboard in (False, True):
        if without_clipboard:
            page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        for name, text in zip(texts, copied, strict=True):
            page.get_by_role("button", name=name).click()
            page.get_by_text("Copied.").wait_for()
            page.evaluate("document.querySelector('[data-copied]').hidden = true")
            pasted.fill("")
            pasted.press("Control+v")
            page.wait_for_function(
                "text => [...document.querySelectorAll('textarea')].at(-1).value.startsWith(text)",
                arg=text,
            )


def test_from_files_to_a_ranking(site, password, browser, tmp_path, adjudge):
    address, _ = site
    complaints = []
    olga = new_page(browser, complaints)
    olga.goto(f"{address}/organise/")
    olga.fill("[name=name]", "olga")
    olga.fill("[name=password]", password)
    olga.click("main button")

    olga.click("text=New campaign")
    olga.fill("[name=name]", "Spring")
    olga.set_input_files("[name=source]", CORPUS / "source.txt")
    olga.set_input_files("[name=documents]", CORPUS / "documents.tsv")
    olga.set_input_files("[name=reference_text]", CORPUS / "documents.tsv")  # by mistake
    olga.set_input_files("[name=systems]", sorted((CORPUS / "systems").glob("*.txt")))
    olga.select_option("[name=preset]", "wmt13")
    assert olga.input_value("[name=long_words]") == ""
    olga.click("text=Check and preview")
    wrong = olga.locator("#error-reference_text", has_text="documents.tsv: has 13 segments")
    wrong.wait_for()
    olga.set_input_files("[name=reference_text]", CORPUS / "reference.txt")
    olga.click("text=Check and preview")
    preview = olga.frame_locator("iframe.preview")
    preview.locator("ol.candidates li").nth(4).wait_for()
    assert preview.locator("ol.candidates li").count() == 5
    assert not preview.locator("[data-submit]").is_visible()
    assert not wrong.is_visible()
    olga.fill("[name=instructions]", "Be fair.")  # what is seen would no longer be what is made
    olga.locator("iframe.preview").wait_for(state="detached")
    olga.click("text=Check and preview")
    olga.click("text=Create the campaign")
    olga.wait_for_url(re.compile(r"/organise/\d+/$"))
    dashboard = olga.url

    olga.click("text=Invite judges")
    olga.fill("[name=names]", "Ada")
    olga.click("text=Make links")
    link = olga.inner_text("[data-link]")
    olga.reload()
    assert olga.inner_text("[data-link]") == link, "nothing lost on reload"
    check_the_copy_buttons(olga, link)
    olga.click("text=To the dashboard")
    assert olga.inner_text("[data-rankings]") == "0"

    ada = new_page(browser, complaints, locale="en-US")
    ada.goto(link)
    ada.click("text=Start")
    for rankings in ("1", "2"):
        rank_in_order(ada)
        olga.locator("[data-rankings]", has_text=rankings).wait_for()  # by itself
    olga.reload()  # what can be downloaded is looked for once a minute
    with olga.expect_download() as waiting:
        olga.click("text=Adjudge JSONL >> nth=0")
    file = tmp_path / "judgements.jsonl"
    waiting.value.save_as(file)
    assert '"Ada"' in file.read_text()
    assert adjudge("rank", file, "--format", "csv").out.startswith("pair,system,rank")

    olga.click("#judges >> text=Ada")
    olga.fill("form[action$='exclude/'] [name=reason]", "only trying things out")
    olga.click("text=Exclude from the analysis")
    olga.locator(".said", has_text="only trying things out").wait_for()
    olga.goto(dashboard)
    olga.locator("#judges .state.excluded").wait_for()
    olga.locator("#analysis", has_text="nothing is judged yet").wait_for()
    assert complaints == []
