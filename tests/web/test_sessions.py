"""Judges' sessions: new at every sign-in, ended by signing out, and keys that outlive servers."""

from django.test import Client, override_settings

RANKS = [1, 2, 2, 4]


def test_every_sign_in_makes_a_new_session(campaign, visitor):
    """Whoever planted a session in a browser has nothing of the judge who signs in there."""
    mallory, ada = visitor(campaign, "Mallory").enter(), visitor(campaign, "Ada")
    planted = mallory.client.cookies["adjudge_session"].value
    ada.client.cookies["adjudge_session"] = planted
    ada.enter()
    assert ada.client.cookies["adjudge_session"].value != planted
    assert ada.page.status_code == 200
    spy = Client(SERVER_NAME="localhost")
    spy.cookies["adjudge_session"] = planted
    assert spy.get(ada.address).status_code == 401
    again = ada.client.cookies["adjudge_session"].value
    ada.enter()  # nothing is new, so nothing is written
    assert ada.client.cookies["adjudge_session"].value == again


def test_a_judge_signs_out(campaign, visitor):
    ada = visitor(campaign, "Ada").enter()
    cookie = ada.client.cookies["adjudge_session"].value
    leave = f"{ada.address}sign-out/"
    assert leave in ada.page.content.decode()
    assert ada.client.get(leave).status_code == 405
    assert ada.client.post(leave).status_code == 403  # not without the page's token
    token = ada.state["headers"]["X-CSRFToken"]
    assert ada.client.post(leave, headers={"X-CSRFToken": token}).status_code == 200
    assert ada.client.get(ada.address).status_code == 401
    spy = Client(SERVER_NAME="localhost")
    spy.cookies["adjudge_session"] = cookie
    assert spy.get(ada.address).status_code == 401


def test_signing_out_leaves_others_of_the_same_browser(campaign, visitor):
    ada, bea = visitor(campaign, "Ada").enter(), visitor(campaign, "Bea")
    bea.client = ada.client
    bea.enter()
    token = bea.state["headers"]["X-CSRFToken"]
    ada.client.post(f"{ada.address}sign-out/", headers={"X-CSRFToken": token})
    assert ada.client.get(ada.address).status_code == 401
    assert bea.reload().page.status_code == 200


def test_waiting_answers_arrive_elsewhere(campaign, visitor, tmp_path, new_store, use_store):
    """Two answers wait in the browser: their key in its storage and their address must hold after
    the secret was replaced and the campaign was restored into another database."""
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.store.backup import backup, restore

    ada = visitor(campaign, "Ada").enter()
    before, items = ada.state["judge"], ada.state["items"][:2]
    urls = dict(ada.state["urls"])
    backup(str(tmp_path / "backup.jsonl"))
    use_store(str(new_store()))
    restore(str(tmp_path / "backup.jsonl"))
    with override_settings(SECRET_KEY="another secret of the other server, long enough"):
        ada.client.cookies.clear()
        ada.enter()
        assert ada.state["judge"] == before
        assert ada.state["urls"] == urls
        for item in items:
            assert ada.answer(item, RANKS).status_code == 200
    assert Answer.objects.count() == 2
