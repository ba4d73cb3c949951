"""One link for several campaigns, and accounts: who gets in as whom, and who does not."""

import re
from threading import enumerate as threads

import pytest
from django.test import Client

pytestmark = pytest.mark.slow

PASSWORD = "a quiet river 9"


@pytest.fixture
def second(campaign, texts):
    """Another campaign."""
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("Plants", texts, design_named("wmt13", block=4), seed=1)


@pytest.fixture
def ada(campaign, second, visitor):
    """A judge of both, whose browser has opened both links."""
    first, other = visitor(campaign), visitor(second)
    for who in (first, other):
        first.client.get(f"/j/{who.invitation.token}/")
    first.other = other
    return first


def _token(client, address):
    page = client.get(address).content.decode()
    return re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]


def _send(client, address, **said):
    return client.post(address, {"csrfmiddlewaretoken": _token(client, address), **said})


def _account(ada, email="Ada@Example.org", password=PASSWORD):
    return _send(ada.client, "/mine/", do="account", email=email, password=password)


def test_one_link_leads_to_all_campaigns(ada):
    page = _send(ada.client, "/mine/", do="link").content.decode()
    link = re.search(r"http://localhost(/j/[\w-]+/)", page)[1]
    elsewhere = Client(SERVER_NAME="localhost")
    landed = elsewhere.get(link, follow=True).content.decode()
    for who in (ada, ada.other):
        assert who.address in landed
        assert elsewhere.get(who.address).status_code == 200
    _send(ada.client, "/mine/", do="link")
    assert Client(SERVER_NAME="localhost").get(link).status_code == 404  # the older one


def _wait_for_mails():
    for thread in threads():
        if thread.name == "mail":
            thread.join(60)


def test_who_is_nobody_has_no_page(campaign, client):
    assert client.get("/mine/").status_code == 401


def test_the_page_shows_only_what_this_browser_may(ada, campaign, visitor):
    bob = visitor(campaign, "Bob").enter()
    assert "Plants" not in bob.client.get("/mine/").content.decode()


def test_organisers_make_one_link_by_command_and_on_the_page(
    ada, campaign, second, store, olga, adjudge
):
    one_link = ("campaign", "one-link", "Ada", "Animals", "Plants", "--database", store)
    done = adjudge(*one_link)
    assert (done.code, done.out) == (0, ""), done.err
    assert "adjudge serve will print the links" in done.err
    done = adjudge(*one_link, "--site", "https://judge.example.org")
    assert done.code == 0, done.err
    token = re.search(r"/j/([\w-]+)/", done.out)[1]
    assert Client(SERVER_NAME="localhost").get(f"/j/{token}/").headers["Location"] == "/mine/"
    base = f"/organise/{campaign.pk}/judges/{ada.judge.pk}"
    assert "in 2 campaigns" in olga.get(f"{base}/").content.decode()
    shown = olga.post(f"{base}/one-link/", follow=True)
    page = shown.content.decode()
    assert "Animals, Plants" in page
    link = re.search(r"/j/[\w-]+/", page)[0]
    assert link in olga.get(shown.redirect_chain[0][0]).content.decode(), "nothing lost on reload"
    assert Client(SERVER_NAME="localhost").get(link).headers["Location"] == "/mine/"
    missing = adjudge("campaign", "one-link", "Ada", "Nothing", "--database", store)
    assert missing.code == 2


def test_people_are_the_same_by_e_mail_where_one_is_known(ada, campaign, second, olga):
    base = f"/organise/{campaign.pk}/judges/{ada.judge.pk}/"
    ada.judge.email = "ada@example.org"
    ada.judge.save()
    assert "in 2 campaigns" not in olga.get(base).content.decode()  # another Ada, perhaps
    ada.other.judge.email, ada.other.judge.name = "ada@example.org", "Ada L."
    ada.other.judge.save()
    assert "in 2 campaigns" in olga.get(base).content.decode()


def test_an_organiser_does_not_get_into_others_campaigns_by_one_link(ada, campaign, second, store):
    from django.contrib.auth.models import User

    from adjudge.campaigns.people.access import share

    _send(ada.client, "/mine/", do="link")  # Ada is one person in both
    share(campaign, "mallory", "owner", "root")
    mallory = Client(SERVER_NAME="localhost")
    mallory.force_login(User.objects.create(username="mallory", is_staff=True))
    base = f"/organise/{campaign.pk}/judges/{ada.judge.pk}"
    answer = mallory.post(f"{base}/one-link/", follow=True).content.decode()
    assert "on their own page" in answer
    assert "/j/" not in answer


def test_an_account_lets_in_from_anywhere(ada):
    assert _account(ada).status_code == 302
    elsewhere = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    said = {"email": "ada@example.org", "password": PASSWORD}
    assert _send(elsewhere, "/account/", **said).headers["Location"] == "/mine/"
    for who in (ada, ada.other):
        assert elsewhere.get(who.address).status_code == 200
    elsewhere.post("/mine/leave/", {"csrfmiddlewaretoken": _token(elsewhere, "/mine/")})
    assert elsewhere.get(ada.address).status_code == 401


def test_a_new_session_begins_at_every_sign_in(ada):
    _account(ada)
    elsewhere = Client(SERVER_NAME="localhost")
    elsewhere.get("/account/")
    elsewhere.session.save()
    before = elsewhere.session.session_key
    _send(elsewhere, "/account/", email="ada@example.org", password=PASSWORD)
    assert elsewhere.session.session_key != before


def test_wrong_passwords_are_refused_and_limited(ada):
    _account(ada)
    client = Client(SERVER_NAME="localhost")
    said = {"email": "ada@example.org", "password": "a loud river 9"}
    codes = [_send(client, "/account/", **said).status_code for _ in range(6)]
    assert codes == [403] * 5 + [429]
    assert client.get(ada.address).status_code == 401


@pytest.mark.parametrize(
    ("email", "password"),
    [("ada@example.org", "short"), ("ada@example.org", "password"), ("no address", PASSWORD)],
)
def test_bad_accounts_are_not_made(ada, email, password):
    from adjudge.campaigns.models import Person

    assert _account(ada, email, password).status_code == 200
    assert not Person.objects.filter(email__isnull=False).exists()


def test_an_email_belongs_to_one_person(ada, campaign, visitor):
    from adjudge.campaigns.models import Person

    _account(ada)
    bob = visitor(campaign, "Bob").enter()
    assert "already" in _account(bob, "ADA@example.org").content.decode()
    assert Person.objects.filter(email="ada@example.org").count() == 1
    stranger = Client(SERVER_NAME="localhost")
    _send(stranger, "/account/", email="ada@example.org", password=PASSWORD)
    assert stranger.get(bob.address).status_code == 401


def test_a_revoked_judge_gets_in_by_no_way(ada):
    from adjudge.campaigns.people.invitation import revoke_link

    _account(ada)
    revoke_link(ada.judge)
    elsewhere = Client(SERVER_NAME="localhost")
    _send(elsewhere, "/account/", email="ada@example.org", password=PASSWORD)
    assert elsewhere.get(ada.address).status_code == 401
    assert elsewhere.get(ada.other.address).status_code == 200


def test_a_forgotten_password_is_replaced_by_mail_once(ada, mailbox):
    _account(ada)
    client = Client(SERVER_NAME="localhost")
    for email in ("ada@example.org", "nobody@example.org"):
        said = _send(client, "/account/forgotten/", email=email).content.decode()
        assert "on its way" in said  # whether or not there is such an account
    _wait_for_mails()
    assert len(mailbox) == 1
    letter = mailbox[0].replace("=\n", "").replace("=3D", "=")
    assert "To: ada@example.org" in letter
    link = re.search(r"http://localhost(/account/new-password/[\w:.-]+/)", letter)[1]
    assert PASSWORD not in letter
    assert _send(client, link, password="short").status_code == 200
    changed = _send(client, link, password="another river 10")
    assert changed.headers["Location"] == "/mine/"
    assert client.get(ada.address).status_code == 200
    assert client.get(link).status_code == 404  # once
    fresh = Client(SERVER_NAME="localhost")
    assert _send(fresh, "/account/", email="ada@example.org", password=PASSWORD).status_code == 403


def test_a_broken_mail_server_tells_nobody_but_administrators(ada, olga, mailbox):
    from django.test import override_settings

    _account(ada)
    client = Client(SERVER_NAME="localhost")
    with override_settings(EMAIL_PORT=1):
        said = [
            _send(client, "/account/forgotten/", email=email)
            for email in ("ada@example.org", "nobody@example.org")
        ]
        _wait_for_mails()
    assert [answer.status_code for answer in said] == [200, 200]
    assert said[0].content == said[1].content, "nobody learns who has an account"
    log = olga.get("/organise/log/").content.decode()
    assert "could not send a mail" in log
    assert "refused" in log
    assert "ada@example.org" not in log


def test_a_server_without_mail_says_so(campaign, client):
    assert "sends no mail" in client.get("/account/forgotten/").content.decode()


def test_addresses_of_mail_servers():
    from django.core.exceptions import ImproperlyConfigured

    from adjudge.web.mail import mail_settings

    assert mail_settings("", "") == {}
    told = mail_settings("smtp://a%40b:c@mail.example.org:587", "")
    assert (told["EMAIL_HOST_USER"], told["EMAIL_PORT"]) == ("a@b", 587)
    assert told["EMAIL_USE_TLS"]
    assert mail_settings("smtps://a:b@mail.example.org", "")["EMAIL_USE_SSL"]
    for wrong in ("mail.example.org", "http://mail.example.org", "smtp://", "smtp://host:port"):
        with pytest.raises(ImproperlyConfigured, match="ADJUDGE_SMTP"):
            mail_settings(wrong, "")
