"""Crowd work in a real browser, handed back to a stand-in for the platform."""

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")


@pytest.mark.parametrize("which", ["mturk", "prolific"])
def test_crowd_work_is_handed_back_to_the_platform(desk, platform, handed_back, which):
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.people.crowd import open_to_crowd

    ada = desk()
    ada.campaign.design_values["fastest_reading"] = 10**6  # nobody types as fast as this test
    ada.campaign.save()
    crowd = open_to_crowd(ada.campaign, which, 3, "DONE42", signed=False)
    asked = {
        "mturk": f"assignmentId=T7&hitId=H1&workerId=W1&turkSubmitTo={platform}",
        "prolific": "PROLIFIC_PID=P1&STUDY_ID=S1&SESSION_ID=X1",
    }[which]
    page = ada.page
    page.goto(f"{ada.site}/crowd/{crowd.key}/?{asked}")
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector("ol.candidates")
    if which == "mturk":
        ada.context.clear_cookies()  # as in a frame
    for _ in range(3):
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
    handed_back.clear()
    page.locator("[data-hand-back]").click()
    page.wait_for_url(f"{platform}/**")
    assert Answer.objects.filter(assignment__judge__campaign=ada.campaign).count() == 3
    assert handed_back == [
        {
            "mturk": ("/mturk/externalSubmit", {"assignmentId": ["T7"], "judged": ["3"]}),
            "prolific": ("/submissions/complete", {"cc": ["DONE42"]}),
        }[which]
    ]
    assert ada.complaints == []


def test_mturk_preview_takes_no_answer(desk):
    from adjudge.campaigns.models import Assignment
    from adjudge.campaigns.people.crowd import open_to_crowd

    ada = desk()
    crowd = open_to_crowd(ada.campaign, "mturk", 3)
    ada.page.goto(f"{ada.site}/crowd/{crowd.key}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    playwright.expect(ada.page.locator("main")).to_contain_text("This is an example")
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    assert ada.page.get_by_role("button", name="Submit").count() == 0
    assert not Assignment.objects.filter(judge__campaign=ada.campaign).exists()
    assert ada.complaints == []
