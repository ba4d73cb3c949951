"""Who may see the organiser's pages."""

import pytest
from django.test import Client

PASSWORD = "correct horse battery"


def sign_in(password=PASSWORD):
    from adjudge.web.organiser.accounts import make_organiser

    make_organiser("olga", PASSWORD)
    client = Client(SERVER_NAME="localhost")
    client.post("/organise/sign-in/", {"name": "olga", "password": password})
    return client


def addresses():
    """Every address of the organiser's pages but the one to sign in at."""
    from adjudge.web.organiser.urls import urlpatterns

    values = {"<int:pk>": "1", "<int:judge>": "1", "<str:action>": "pause"}
    values |= {"<str:format_name>": "jsonl", "<int:user>": "1", "<int:project>": "1"}
    values |= {"<str:key>": "x", "<str:kind>": "judgements"}
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
    forms = 0
    for address in addresses():
        answer = strict.post(address)
        if answer.status_code == 405:  # no form
            assert olga.get(address).status_code == 200, address
        else:
            assert answer.status_code == 403, address
            forms += 1
    assert forms > 5
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
    from adjudge.core.errors import AdjudgeError
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
