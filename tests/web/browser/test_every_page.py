"""Every page of the site, as the server has addresses: nothing for axe-core to complain
about, and nothing to scroll sideways for on a narrow screen. A new page is looked at by itself."""

import re
from collections.abc import Iterator
from email import message_from_string
from typing import Any

import pytest
from django.urls import URLResolver, reverse

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
FOR_ORGANISERS = ("/organise/", "/metrics")
NARROWEST = 320  # CSS pixels (WCAG 2.2, 1.4.10)


def addresses(patterns: list[Any]) -> Iterator[tuple[str, list[str]]]:
    """The name of every address of the server, and what it is filled in with."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns)
        else:
            yield pattern.name, list(pattern.pattern.converters)


@pytest.fixture
def organiser(desk, site, browser, adjudge_process):
    """A judge of a campaign in a project, many answers, and a window of an administrator."""
    from adjudge.campaigns.models import Project
    from adjudge.campaigns.people.crowd import open_to_crowd
    from adjudge.campaigns.people.remarks import remark
    from adjudge.campaigns.people.simulated import simulate_judges

    made = adjudge_process(
        "campaign", "organiser", "axel", "--administrator", "--database", site[1]
    )
    assert made.code == 0, made.err
    ada = desk(quota=20, design={"target": 5000})
    simulate_judges(ada.campaign, lambda *_: 0.0, answers=30, judges=3)
    remark(ada.invitation.judge, f"key-of-{ada.campaign.pk:08}", "When does it end?")
    ada.campaign.project = Project.objects.create(name=f"Task {ada.campaign.pk}")
    ada.campaign.save()
    open_to_crowd(ada.campaign, "mturk", 1, signed=False)
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{ada.site}/organise/")
    page.fill("[name=name]", "axel")
    page.fill("[name=password]", made.out.split()[-1])
    page.click("main button")
    page.get_by_role("heading", name="Campaigns").wait_for()
    yield ada, page
    context.close()


def values_of(ada: Any, page: Any, letters: list[str]) -> dict[str, Any]:
    """What fills addresses in; `key of NAME` where a `key` means something else."""
    from django.contrib.auth.models import User

    from adjudge.campaigns.people.crowd import crowd_of
    from adjudge.campaigns.people.people import make_account

    judge = ada.invitation.judge
    page.goto(f"{ada.site}/organise/{ada.campaign.pk}/invite/")
    page.fill("[name=names]", "Bea <bea@example.org>")
    page.get_by_role("button", name="Make links").click()
    page.locator("[data-link]").wait_for()
    links = page.url.split("/")[-2]
    make_account([judge], "ada@example.org", "a long password")
    ada.page.goto(f"{ada.site}/account/forgotten/")
    ada.page.fill("[name=email]", "ada@example.org")
    ada.page.click("main button")
    ada.page.get_by_text("is on its way").wait_for()
    for _ in range(300):  # it is sent beside the request
        if letters:
            break
        ada.page.wait_for_timeout(100)
    letter = message_from_string(letters[-1]).get_payload(decode=True).decode()
    return {
        "pk": ada.campaign.pk,
        "project": ada.campaign.project.pk,
        "judge": judge.pk,
        "user": User.objects.get(username="axel").pk,
        "action": "none",
        "kind": "judgements",
        "format_name": "jsonl",
        "form_name": "markdown",
        "token": ada.invitation.token,
        "word": re.search(r"new-password/([^/]+)/", letter)[1],
        "key": judge.key,
        "key of crowd": crowd_of(ada.campaign).key,
        **{f"key of {name}": links for name in ("links", "links-table", "send-links")},
    }


def test_every_page_of_the_site(organiser, look, complaints, letters, platform):
    from adjudge.web.urls import urlpatterns

    ada, office = organiser
    values = values_of(ada, office, letters)
    worker = f"?assignmentId=T1&hitId=H1&workerId=W1&turkSubmitTo={platform}"
    ada.page.goto(ada.link)
    looked_at = []
    for name, wanted in addresses(urlpatterns):
        told = {part: values.get(f"{part} of {name}", values[part]) for part in wanted}
        address = reverse(name, kwargs=told)
        page = office if address.startswith(FOR_ORGANISERS) else ada.page
        url = f"{ada.site}{address}{worker if name == 'crowd' else ''}"
        answer = page.context.request.get(url, max_redirects=0)
        if answer.status in (302, 405):  # a form, or the way to another page
            continue
        if not answer.headers["content-type"].startswith("text/html"):  # a file, or for scripts
            continue
        if answer.status == 401:  # for the script of a crowd task, which has a pass
            continue
        assert answer.status == 200, f"{name}: {answer.status}"
        if "<html" not in answer.text()[:2000]:  # a part of a page
            continue
        page.set_viewport_size({"width": NARROWEST, "height": 640})
        page.goto(url)
        page.wait_for_load_state("networkidle")  # all parts have come
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > NARROWEST:
            complaints.append(f"{name}: {wide} pixels wide")
        page.set_viewport_size({"width": 1400, "height": 900})
        look(page, name)
        looked_at.append(name)
    assert not complaints, "\n".join(complaints)
    assert {"dashboard", "work", "mine", "access", "new-password", "project"} <= {*looked_at}


def test_pages_after_a_form(organiser, look, complaints):
    """What only shows once something was sent: errors, results, what is shown once."""
    ada, page = organiser
    home = f"{ada.site}/organise"
    page.goto(f"{home}/new/")
    page.click("text=Check and preview")
    page.locator("#error-form:not(:empty)").wait_for()
    look(page, "new campaign, with errors")
    for where, field, text, button in (
        (f"{ada.campaign.pk}/settings/", "name", "", "Save the changes"),
        (f"{ada.campaign.pk}/settings/", "name", "Another name", "Save the changes"),
        (f"{ada.campaign.pk}/invite/", "names", "Bea\nBea", "Make links"),
        (f"projects/{ada.campaign.project.pk}/invite/", "names", "Cyd", "Make links"),
        ("password/", "old_password", "wrong", "Change it"),
        ("organisers/", "name", "Dora", "Make a password"),
    ):
        page.goto(f"{home}/{where}")
        page.fill(f"[name={field}]", text)
        page.evaluate("document.querySelector('main form').noValidate = true")
        page.get_by_role("button", name=button).first.click()
        page.wait_for_load_state("networkidle")
        look(page, f"{where} after {button}")
    assert not complaints, "\n".join(complaints)
