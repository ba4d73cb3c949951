"""Owners, analysts and administrators; accounts; the log of what they did."""

import pytest
from django.test import Client

pytestmark = pytest.mark.slow

PASSWORD = "correct horse battery"


@pytest.fixture
def people(campaign):
    """Browsers of an administrator, the owner, an analyst, and somebody with other campaigns."""
    from adjudge.campaigns.people.access import share
    from adjudge.web.organiser.accounts import make_organiser

    browsers = {}
    for name in ("anna", "otto", "alma", "nora"):
        make_organiser(name, PASSWORD)
        browsers[name] = Client(SERVER_NAME="localhost")
        assert browsers[name].login(username=name, password=PASSWORD)
    share(campaign, "otto", "owner", "anna")
    share(campaign, "alma", "analyst", "anna")
    return browsers


def pages(kind):
    """Addresses of the pages of a campaign, and of those for administrators."""
    from adjudge.web.organiser import urls

    values = {"<int:pk>": "1", "<int:judge>": "1", "<str:action>": "pause", "<int:user>": "1"}
    values |= {"<str:format_name>": "jsonl", "<str:kind>": "scores", "<str:form_name>": "latex"}
    found = [address for address, *_ in getattr(urls, kind)]
    for name, value in values.items():
        found = [address.replace(name, value) for address in found]
    return [f"/organise/{address}" for address in found]


def test_a_campaign_is_there_for_those_it_is_shared_with(campaign, people, visitor):
    visitor(campaign)
    seen = {
        name: b"Animals" in browser.get("/organise/").content for name, browser in people.items()
    }
    assert seen == {"anna": True, "otto": True, "alma": True, "nora": False}
    of_campaign = [page for page in [*pages("PAGES"), *pages("FOR_OWNERS")] if "/1/" in page]
    assert len(of_campaign) > 14
    for page in of_campaign:
        for method in ("get", "post"):
            assert getattr(people["nora"], method)(page).status_code == 404, page
    assert campaign.judges.get().state == "active"


def test_an_analyst_reads_and_changes_nothing(campaign, people, judged):
    judged(campaign, "Ada")
    before = campaign.judges.values().get(), campaign.audit.count()
    for page in [page for page in pages("PAGES") if "/1/" in page]:
        assert people["alma"].post(page).status_code in (403, 405), page
    for page in pages("FOR_OWNERS"):
        assert people["alma"].get(page).status_code == 403, page
        assert people["alma"].post(page).status_code == 403, page
    assert (campaign.judges.values().get(), campaign.audit.count()) == before
    dashboard = people["alma"].get("/organise/1/").content.decode()
    assert "Ada" in dashboard
    assert "Invite judges" not in dashboard
    assert "Close: give out no more work" not in dashboard
    assert "What to do" not in people["alma"].get("/organise/1/judges/1/").content.decode()
    assert people["alma"].get("/organise/1/tables/judgements/jsonl/").status_code == 200


@pytest.mark.secret_seed
def test_only_owners_see_the_seed(campaign, people, judged):
    from adjudge.campaigns.models import Campaign

    judged(campaign, "Ada")
    seed = str(Campaign.objects.get().seed).encode()
    assert len(seed) > 9
    assert seed in people["otto"].get("/organise/1/access/").content
    assert seed in people["anna"].get("/organise/1/access/").content
    for page in [page for page in pages("PAGES") if "/1/" in page]:
        reply = people["alma"].get(page)
        said = b"".join(reply.streaming_content) if reply.streaming else reply.content
        assert seed not in said, page


def test_what_is_for_administrators(campaign, people):
    for page in pages("FOR_ADMINISTRATORS"):
        for name in ("otto", "alma", "nora"):
            assert people[name].get(page).status_code == 403, page
            assert people[name].post(page).status_code == 403, page
    for page in ("/organise/backup/", "/organise/log/", "/organise/organisers/"):
        assert people["anna"].get(page).status_code == 200


def test_who_creates_a_campaign_owns_it_and_shares_it(store, texts, people):
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.access import record_creation

    made = Campaign.objects.create(name="Own", batches=[["ranking", None]])
    record_creation(made, "nora", owner="nora")
    address = f"/organise/{made.pk}/access/"
    assert people["nora"].get(address).status_code == 200
    assert people["otto"].get(f"/organise/{made.pk}/").status_code == 404
    people["nora"].post(address, {"organiser": "otto", "role": "analyst"})
    assert people["otto"].get(f"/organise/{made.pk}/").status_code == 200
    assert people["otto"].post(address, {"end": "nora"}).status_code == 403
    people["nora"].post(address, {"end": "otto"})
    assert people["otto"].get(f"/organise/{made.pk}/").status_code == 404
    assert b"cannot be" not in people["nora"].post(address, {"organiser": "x"}).content
    gave_up = people["nora"].post(address, {"end": "nora"})
    assert gave_up.headers["Location"] == "/organise/"
    assert people["nora"].get(address).status_code == 404


def test_the_log_tells_what_was_done(campaign, people, judged):
    judged(campaign, "Ada")
    otto = people["otto"]
    otto.post("/organise/1/state/", {"state": "closed"})
    otto.post("/organise/1/judges/1/exclude/", {"reason": "too fast"})
    otto.post("/organise/1/judges/1/exclude/", {"reason": ""})  # refused: nothing was done
    otto.post("/organise/1/judges/1/link/")
    otto.post("/organise/1/invite/", {"names": "Bea\nCleo", "group": "crowd"})
    told = list(campaign.audit.order_by("pk").values_list("who", "what", "details"))
    assert told == [
        ("anna", "shared the campaign", {"organiser": "otto", "role": "owner"}),
        ("anna", "shared the campaign", {"organiser": "alma", "role": "analyst"}),
        ("otto", "closed the campaign", {}),
        ("otto", "excluded a judge", {"judge": "Ada", "reason": "too fast"}),
        ("otto", "replaced a judge's link", {"judge": "Ada"}),
        ("otto", "invited", {"judges": ["Bea", "Cleo"], "group": "crowd"}),
    ]
    page = people["alma"].get("/organise/1/log/").content.decode()
    assert "judges: Bea, Cleo; group: crowd" in page
    assert "closed the campaign" in people["anna"].get("/organise/log/").content.decode()


def test_the_log_outlives_its_campaign(campaign, people):
    campaign.delete()
    assert "Animals" in people["anna"].get("/organise/log/").content.decode()


def test_a_password_is_changed_on_the_pages(people):
    browser = people["nora"]
    new = "another long password"
    given = {"old_password": "wrong", "new_password1": new, "new_password2": new}
    assert browser.post("/organise/password/", given).status_code == 200
    elsewhere = Client(SERVER_NAME="localhost")
    assert elsewhere.login(username="nora", password=PASSWORD)
    given["old_password"] = PASSWORD
    assert browser.post("/organise/password/", given).status_code == 302
    assert browser.get("/organise/").status_code == 200
    assert elsewhere.get("/organise/").status_code == 302  # signed out there
    assert elsewhere.login(username="nora", password=new)


def test_guessing_the_old_password_is_limited_too(people):
    from adjudge.web import limits

    given = {"old_password": "wrong", "new_password1": "x", "new_password2": "x"}
    tried = [
        people["nora"].post("/organise/password/", given).status_code
        for _ in range(limits.OF_ACCOUNT + 1)
    ]
    assert tried == [200] * limits.OF_ACCOUNT + [429]


def test_administrators_see_after_accounts(campaign, people):
    from django.contrib.auth.models import User

    anna = people["anna"]
    made = anna.post("/organise/organisers/", {"name": "new one"})
    assert b"Password of new one" in made.content
    assert b"of that name" in anna.post("/organise/organisers/", {"name": "otto"}).content
    keys = dict(User.objects.values_list("username", "pk"))

    def act(name, action):
        return anna.post(f"/organise/organisers/{keys[name]}/{action}/", follow=True)

    assert act("otto", "password").status_code == 200
    assert people["otto"].get("/organise/").status_code == 302
    assert b"no organiser any more" in act("otto", "remove").content
    assert not campaign.access.filter(organiser="otto").exists()
    assert b"somebody has to be an administrator" in act("anna", "remove").content
    assert b"somebody has to be an administrator" in act("anna", "demote").content
    act("nora", "promote")
    assert people["nora"].get("/organise/organisers/").status_code == 200
    act("nora", "demote")
    assert people["nora"].get("/organise/organisers/").status_code == 403
    assert act("nora", "explode").status_code == 404
