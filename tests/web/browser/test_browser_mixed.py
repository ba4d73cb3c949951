"""A campaign that mixes protocols, in a real browser: one page, whatever comes next."""

from itertools import groupby

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

KEYS = {"ranking": "1342", "pairwise": "2"}


def test_a_mixed_campaign_goes_through_without_a_reload(desk):
    from adjudge.campaigns.results.tables import judgements_of

    told = {"protocols": ["ranking:2", "pairwise:3"]}
    ada = desk(campaign=told, design={"run": 1, "common": 0.0}, quota=10)
    page = ada.page
    page.goto(ada.link)
    for words in ("Rank every translation", "Say which one is better"):  # of both protocols
        expect(page.locator("main")).to_contain_text(words)
    page.get_by_role("link", name="Start").click()
    met = []
    screen = page.locator("[data-answer] > [data-protocol]")
    for number in range(10):
        expect(screen).to_be_visible()
        if not number:
            page.evaluate("window.sameWindow = true")
        assert page.evaluate("window.sameWindow")
        source = page.locator("[data-source]").text_content()
        protocol = screen.get_attribute("data-protocol")
        page.keyboard.type(KEYS[protocol])
        if number and protocol != met[-1]:  # going back leads to the other protocol, and forth
            ada.wait_for("Saved")
            page.get_by_role("button", name="Undo").click()
            expect(page.locator(f'[data-answer] > [data-protocol="{met[-1]}"]')).to_be_visible()
            page.keyboard.press("Enter")
            ada.wait_for("Saved")
            expect(page.locator("[data-source]")).to_have_text(source)
            page.keyboard.type(KEYS[protocol])
        page.keyboard.press("Enter")
        met.append(protocol)
        if number < 9:
            ada.next_source(source)
    expect(page.locator("[data-end]")).to_contain_text("all that was asked of you")
    for turn in (met[:5], met[5:]):  # batches of two and three, whichever comes first
        sizes = [(name, len(list(some))) for name, some in groupby(turn)]
        assert sorted(sizes) == [("pairwise", 3), ("ranking", 2)]
    assert met.count("ranking") == 4
    table = judgements_of(ada.campaign)
    counts = dict(table.unique("ranking").group_by("protocol").len().iter_rows())
    assert counts == {"ranking": 4, "pairwise": 6}
    ranks = table.sort("ranking", "position").group_by("protocol", "ranking").agg("rank")
    assert {(name, tuple(some)) for name, _, some in ranks.iter_rows()} == {
        ("ranking", (1, 3, 4, 2)),
        ("pairwise", (2, 1)),
    }
    assert ada.complaints == []
