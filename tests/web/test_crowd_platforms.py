"""Workers who come from crowd platforms, and how they leave."""

import pytest
from django.test import Client, override_settings

pytestmark = pytest.mark.slow

RANKS = [1, 2, 2, 4]
TURK = "https://workersandbox.mturk.com"


@pytest.fixture
def worker() -> Client:
    return Client(enforce_csrf_checks=True, SERVER_NAME="localhost")


@pytest.fixture
def campaign(campaign):
    """One that calls no answer too fast: tests answer at once, and `hurried` is about that."""
    campaign.design_values["fastest_reading"] = 10**6
    campaign.save()
    return campaign


@pytest.fixture
def hurried(campaign):
    """The same with the usual floor."""
    campaign.design_values["fastest_reading"] = 250
    campaign.save()
    return campaign


def _mturk(task: str = "T1", worker: str = "W1", to: str = TURK, start: bool = True):
    """What Mechanical Turk appends, and the signature in the address of this worker."""
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.crowd import crowd_of, signature_of

    crowd = crowd_of(Campaign.objects.get())
    asked = {"assignmentId": task, "hitId": "H1", "workerId": worker, "turkSubmitTo": to}
    if crowd.signed:
        asked["signature"] = signature_of(crowd, worker)
    return {**asked, "start": "1"} if start else asked


def _send(worker, state, item, ranks=RANKS, **headers):
    body = {
        "assignment": item["key"],
        "key": item["key"][:12],
        "answer": {"ranks": ranks, "candidates": [one["key"] for one in item["candidates"]]},
    }
    url = state["urls"]["answer"]
    return worker.post(
        url, body, content_type="application/json", headers={**state["headers"], **headers}
    )


@pytest.fixture
def state_in():
    import json
    import re

    def found(page):
        text = page.content.decode()
        match = re.search(r'<script id="state" type="application/json">(.*?)</script>', text)
        return json.loads(match[1])

    return found


@pytest.fixture
def mturk(campaign):
    from adjudge.campaigns.people.crowd import open_to_crowd

    return f"/crowd/{open_to_crowd(campaign, 'mturk', 3).key}/"


@pytest.fixture
def prolific(campaign):
    from adjudge.campaigns.people.crowd import open_to_crowd

    return f"/crowd/{open_to_crowd(campaign, 'prolific', 3, 'C0DE&1', signed=False).key}/"


def test_mturk_preview_shows_an_example_and_accepts_nothing(mturk, worker, state_in):
    from adjudge.campaigns.models import Assignment, Judge

    for asked in (_mturk("ASSIGNMENT_ID_NOT_AVAILABLE"), {}):
        page = worker.get(mturk, asked)
        assert page.status_code == 200
        assert "This is an example" in page.content.decode()
        state = state_in(page)
        assert len(state["items"]) == 1
        assert len(state["items"][0]["candidates"]) == 4
        assert state["urls"] == {}
        assert b"unseen" not in page.content
    assert not Judge.objects.exists()
    assert not Assignment.objects.exists()
    item = state["items"][0]
    for headers in ({}, {"X-Judge-Pass": "made up"}):
        refused = _send(
            worker, {"urls": {"answer": "/task/answer"}, "headers": {}}, item, **headers
        )
        assert refused.status_code == 401


def test_mturk_work_without_any_cookie_and_hand_back(mturk, worker, state_in):
    from adjudge.campaigns.models import Answer, Judge

    first = worker.get(mturk, _mturk(start=False))
    assert "Start" in first.content.decode()
    page = worker.get(mturk, _mturk())
    worker.cookies.clear()
    state = state_in(page)
    judge = Judge.objects.get()
    assert judge.group == "crowd"
    assert judge.name == "mturk-0001"
    assert judge.platform["worker"] == "W1"
    tasks = judge.tasks.values_list("name", "details", "answered_before")
    assert list(tasks) == [("T1", {"hit": "H1"}, 0)]
    for item in state["items"]:
        reply = _send(worker, state, item)
        assert reply.status_code == 200
    assert Answer.objects.count() == 3
    assert reply.json()["end"] == "quota"
    end = worker.get(mturk, _mturk()).content.decode()
    assert f'action="{TURK}/mturk/externalSubmit"' in end
    assert 'name="assignmentId" value="T1"' in end


def test_mturk_worker_who_comes_again_is_the_same_judge(mturk, worker, state_in):
    from adjudge.campaigns.models import Judge

    for task in ("T1", "T2", "T2"):
        state = state_in(worker.get(mturk, _mturk(task)))
        assert state["progress"]["quota"] == 3
        if task == "T1":
            for item in state["items"]:
                _send(worker, state, item)
    assert Judge.objects.get().quota == 6
    assert state["progress"]["done"] == 0
    state_in(worker.get(mturk, _mturk("T9", "W2")))
    assert sorted(Judge.objects.values_list("name", flat=True)) == ["mturk-0001", "mturk-0002"]


def test_mturk_hands_back_only_to_mturk(mturk, worker):
    from adjudge.campaigns.models import Judge

    for to in ("https://evil.example", "", f"{TURK}.evil.example", "javascript:alert(1)"):
        page = worker.get(mturk, _mturk(to=to))
        assert page.status_code == 400
        assert b"evil" not in page.content
    assert worker.get(mturk, _mturk(worker="")).status_code == 400
    assert worker.get(mturk, _mturk(worker="x" * 500)).status_code == 400
    assert not Judge.objects.exists()


def test_only_mturk_may_frame_and_only_where_the_campaign_says_so(mturk, worker, campaign, visitor):
    page = worker.get(mturk, _mturk())
    sources = page.headers["Content-Security-Policy"]
    assert "frame-ancestors https://*.mturk.com" in sources
    assert f"form-action 'self' https://www.mturk.com {TURK}" in sources
    assert "X-Frame-Options" not in page.headers
    other = visitor(campaign).enter().page
    assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]
    assert other.headers["X-Frame-Options"] == "DENY"


def test_a_pass_ends_with_time_and_with_revocation(mturk, worker, state_in, monkeypatch):
    import time

    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.people.invitation import revoke_link

    state = state_in(worker.get(mturk, _mturk()))
    first, second, _ = state["items"]
    now = time.time()
    with monkeypatch.context() as later:
        later.setattr(time, "time", lambda: now + 25 * 3600)
        assert _send(worker, state, first).status_code == 401
    assert _send(worker, state, first).status_code == 200
    revoke_link(Judge.objects.get())
    assert _send(worker, state, second).status_code == 401


def test_nothing_done_is_nothing_to_hand_back(mturk, worker, campaign):
    from adjudge.campaigns.setup.campaign_state import close

    close(campaign)
    page = worker.get(mturk, _mturk()).content.decode()
    assert "closed" in page
    assert "externalSubmit" not in page


def test_prolific_work_and_completion_link(prolific, worker, state_in):
    from adjudge.campaigns.models import Judge

    asked = {"PROLIFIC_PID": "P1", "STUDY_ID": "S1", "SESSION_ID": "X1"}
    entered = worker.get(prolific, asked)
    assert entered.status_code == 302
    assert "P1" not in entered.headers["Location"]
    work = entered.headers["Location"].removesuffix("welcome/")
    assert worker.get(entered.headers["Location"]).status_code == 200
    state = state_in(worker.get(work))
    judge = Judge.objects.get()
    assert judge.platform["worker"] == "P1"
    tasks = judge.tasks.values_list("name", "details", "answered_before")
    assert list(tasks) == [("X1", {"study": "S1"}, 0)]
    for item in state["items"]:
        assert _send(worker, state, item).status_code == 200
    with override_settings(PROLIFIC_ORIGIN="http://127.0.0.1:9"):
        end = worker.get(work).content.decode()
    assert 'href="http://127.0.0.1:9/submissions/complete?cc=C0DE%261"' in end


@pytest.fixture
def unsigned_mturk(campaign):
    from adjudge.campaigns.people.crowd import open_to_crowd

    return f"/crowd/{open_to_crowd(campaign, 'mturk', 3, signed=False).key}/"


def _prolific(worker="P1", task="X1"):
    return {"PROLIFIC_PID": worker, "STUDY_ID": "S1", "SESSION_ID": task}


def _browser() -> Client:
    return Client(enforce_csrf_checks=True, SERVER_NAME="localhost")


def test_a_signed_address_lets_in_nobody_else(mturk, worker):
    from adjudge.campaigns.models import Judge

    good = _mturk()
    for asked in (
        {**good, "workerId": "W2"},
        {**good, "signature": ""},
        {**good, "signature": good["signature"][:-1] + "x"},
        {**good, "signature": "ä"},
        {name: value for name, value in good.items() if name != "signature"},
    ):
        assert worker.get(mturk, asked).status_code == 400
    assert not Judge.objects.exists()
    assert worker.get(mturk, good).status_code == 200
    for spelled in (" w1", "w1 ", "Ｗ１"):
        assert worker.get(mturk, {**good, "workerId": spelled}).status_code == 200
    assert Judge.objects.count() == 1


def test_forged_visits_hold_no_place_and_no_work(campaign, state_in):
    """Many forged addresses, opened as far as a GET goes; then twenty honest workers come."""
    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.people.crowd import open_to_crowd

    campaign.design_values["target"] = 100
    campaign.save()
    crowd = open_to_crowd(campaign, "prolific", 3, "C0DE", tasks=20, signed=False)
    address = f"/crowd/{crowd.key}/"
    for number in range(36):
        forger = _browser()
        entered = forger.get(address, _prolific(f"forged {number}", f"task {number % 20}"))
        assert state_in(forger.get(entered.headers["Location"].removesuffix("welcome/")))["items"]
    for number in range(20):
        honest = _browser()
        entered = honest.get(address, _prolific(f"P{number}", f"task {number}"))
        assert entered.status_code == 302
        state = state_in(honest.get(entered.headers["Location"].removesuffix("welcome/")))
        assert _send(honest, state, state["items"][0]).status_code == 200
    late = _browser().get(address, _prolific("late", "one more"))
    assert late.status_code == 400
    assert Judge.objects.filter(assignments__state="answered").distinct().count() == 20


@pytest.mark.parametrize("platform", ["prolific", "mturk"])
def test_knowing_a_worker_is_not_being_that_worker(
    prolific, unsigned_mturk, campaign, state_in, platform
):
    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.people.crowd import open_to_crowd

    code = "C0DE" if platform == "prolific" else ""
    address = f"/crowd/{open_to_crowd(campaign, platform, 3, code, signed=False).key}/"
    asked = _prolific() if platform == "prolific" else _mturk()

    def work(browser, asked):
        page = browser.get(address, asked, follow=True)
        if platform == "prolific":
            page = browser.get(page.request["PATH_INFO"].removesuffix("welcome/"))
        return state_in(page)

    honest, thief = _browser(), _browser()
    state = work(honest, asked)
    for spelled in (" p1", "P1 ") if platform == "prolific" else (" w1", "W1 "):
        name = "PROLIFIC_PID" if platform == "prolific" else "workerId"
        again = work(honest, {**asked, name: spelled})
        assert again["judge"] == state["judge"], "the browser that began goes on"
    stolen = work(
        thief, asked
    )  # nobody has answered yet: another session, with nothing of the first
    assert stolen["judge"] != state["judge"]
    assert not {one["key"] for one in stolen["items"]} & {one["key"] for one in state["items"]}
    assert _send(honest, state, state["items"][0]).status_code == 200
    assert _browser().get(address, asked).status_code == 400  # the task is taken now
    other = dict(asked, SESSION_ID="X2", assignmentId="T2")
    assert work(_browser(), other)["judge"] not in (state["judge"], stolen["judge"])
    again = work(honest, asked)
    assert (again["judge"], again["progress"]["done"]) == (state["judge"], 1)
    assert Judge.objects.count() == 3


def test_a_frame_without_cookies_goes_on_by_the_pass_in_its_address(
    unsigned_mturk, worker, state_in
):
    import re
    from html import unescape

    first = worker.get(unsigned_mturk, _mturk(start=False)).content.decode()
    start = unescape(re.search(r'href="([^"]*start=1[^"]*)"', first)[1])
    worker.cookies.clear()
    state = state_in(worker.get(start))
    for item in state["items"]:
        assert _send(worker, state, item).status_code == 200
        worker.cookies.clear()
    assert b"externalSubmit" in worker.get(start).content
    worker.cookies.clear()
    assert worker.get(unsigned_mturk, _mturk()).status_code == 400  # taken: by that session


@pytest.mark.parametrize("secure", [True, False])
def test_the_pass_of_a_frame_is_kept_apart(unsigned_mturk, worker, secure):
    page = worker.get(unsigned_mturk, _mturk(), secure=secure)
    cookie = page.cookies["pass"].OutputString()
    assert "HttpOnly" in cookie
    assert ("SameSite=None; Partitioned" in cookie) == ("Secure" in cookie) == secure


def _three(browser, state, seconds=20.0):
    for item in state["items"][:3]:
        said = [candidate["key"] for candidate in item["candidates"]]
        body = {
            "assignment": item["key"],
            "key": item["key"][:12],
            "seconds": seconds,
            "active_seconds": seconds,
            "answer": {"ranks": [1] * 4, "candidates": said},
        }
        url = state["urls"]["answer"]
        reply = browser.post(url, body, content_type="application/json", headers=state["headers"])
        assert reply.status_code == 200
    return reply


def test_ties_in_a_second_that_claim_twenty_earn_nothing(
    hurried, prolific, worker, state_in, olga, adjudge, store
):
    from adjudge.campaigns.models import Answer

    welcome = worker.get(prolific, _prolific()).headers["Location"]
    work = welcome.removesuffix("welcome/")
    assert _three(worker, state_in(worker.get(work))).json()["end"] == "quota"
    end = worker.get(work).content.decode()
    assert "C0DE" not in end
    assert "Of your answers, 3 of 3 came faster than anyone can read" in end
    for answer in Answer.objects.all():
        assert answer.too_fast
        assert answer.seconds < 5 < answer.browser_seconds == 20
    page = olga.get(f"/organise/{hurried.pk}/").content.decode()
    assert "3 of 3 answers say the same" in page
    assert "Entry is unsigned" in page
    paid = adjudge("campaign", "payment", hurried.name, "--database", store)
    assert "prolific-0001: 3 of 3 answers say the same" in paid.out + paid.err
    assert "Entry is unsigned" in paid.out + paid.err


def test_who_took_the_time_is_paid_however_the_answers_arrive(hurried, prolific, worker, state_in):
    """Without a network the answers wait in the browser and come at once."""
    from datetime import timedelta

    from adjudge.campaigns.models import Assignment

    welcome = worker.get(prolific, _prolific()).headers["Location"]
    work = welcome.removesuffix("welcome/")
    state = state_in(worker.get(work))
    for given in Assignment.objects.all():
        given.assigned -= timedelta(seconds=30)
        given.save()
    _three(worker, state, seconds=8.0)
    assert "cc=C0DE" in worker.get(work).content.decode()


def test_waiting_once_does_not_make_many_answers_slow(hurried, prolific, worker, state_in):
    """All at once, then the wait for one, then all of them again."""
    from datetime import timedelta

    from adjudge.campaigns.models import Answer, Assignment, Task

    welcome = worker.get(prolific, _prolific()).headers["Location"]
    work = welcome.removesuffix("welcome/")
    state = state_in(worker.get(work))
    _three(worker, state)
    for row in (*Answer.objects.all(), *Assignment.objects.all(), *Task.objects.all()):
        for name in ("received", "assigned", "started", "finished", "created"):
            if getattr(row, name, None):
                setattr(row, name, getattr(row, name) - timedelta(seconds=5))
        row.save()
    for number, item in enumerate(state["items"][:3]):
        body = {
            "assignment": item["key"],
            "key": f"again-{number}-{item['key'][:8]}",
            "answer": {"ranks": [1] * 4, "candidates": [one["key"] for one in item["candidates"]]},
        }
        url = state["urls"]["answer"]
        reply = worker.post(url, body, content_type="application/json", headers=state["headers"])
        assert reply.status_code == 200
    again = Answer.objects.filter(revision=2).order_by("pk")
    assert [answer.too_fast for answer in again] == [False, True, True]
    assert "C0DE" not in worker.get(work).content.decode()


def test_the_form_lets_workers_in_as_the_command_does(campaign, olga):
    address = f"/organise/{campaign.pk}/crowd/"
    form = {"platform": "mturk", "items": 3, "tasks": 5, "group": "crowd"}
    refused = olga.post(address, form).content.decode()
    assert "does not sign who comes" in refused
    campaign.refresh_from_db()
    assert not campaign.crowd
    page = olga.post(address, {**form, "workers": "W1\n w2 \n"}).content.decode()
    assert page.count("?signature=") == 2
    campaign.refresh_from_db()
    assert campaign.crowd["signed"] is True
    assert "Entry is unsigned" not in olga.get(f"/organise/{campaign.pk}/").content.decode()
    page = olga.post(address, {**form, "unsigned": "on"}).content.decode()
    assert page.count("Entry is unsigned") == 2  # beside the field, and as a warning
    assert "Entry is unsigned" in olga.get(f"/organise/{campaign.pk}/").content.decode()
    prolific = {**form, "platform": "prolific", "completion_code": "C1"}
    assert "PROLIFIC_PID" in olga.post(address, prolific).content.decode()
    campaign.refresh_from_db()
    assert campaign.crowd["signed"] is True


def test_the_command_asks_for_workers_or_for_unsigned_entry(campaign, adjudge, store, tmp_path):
    turk = ["campaign", "crowd", campaign.name, "mturk", "--database", store]
    site = ["--site", "https://judge.example.org"]
    refused = adjudge(*turk, *site)
    assert refused.code == 2
    assert "--workers FILE" in refused.err
    file = tmp_path / "workers.csv"
    file.write_text("WorkerId,AssignmentId\nW1,A\n w2 ,B\nW1,C\n")
    signed = adjudge(*turk, *site, "--workers", file)
    head, first, second = signed.out.splitlines()
    assert head == "WorkerId,address"
    assert first.startswith("W1,https://judge.example.org/crowd/")
    assert "?signature=" in first
    assert second.startswith("w2,")
    assert "Warning" not in signed.err
    unsigned = adjudge(*turk, *site, "--unsigned")
    assert unsigned.out.startswith("https://judge.example.org/crowd/")
    assert "Warning: Entry is unsigned" in unsigned.err


def test_prolific_needs_its_parameters(prolific, worker):
    assert worker.get(prolific).status_code == 400
    assert worker.get(prolific, {"PROLIFIC_PID": "P1"}).status_code == 400


def test_a_prolific_page_may_not_be_framed(prolific, worker):
    page = worker.get(prolific, {"PROLIFIC_PID": "P", "SESSION_ID": "X"}, follow=True)
    assert page.headers["X-Frame-Options"] == "DENY"


def test_opening_to_the_crowd_is_checked(campaign):
    from adjudge.campaigns.people.crowd import open_to_crowd
    from adjudge.core.errors import AdjudgeError

    with pytest.raises(AdjudgeError, match="completion code"):
        open_to_crowd(campaign, "prolific", 3)
    with pytest.raises(AdjudgeError, match="`platform` cannot be"):
        open_to_crowd(campaign, "elsewhere", 3)
    key = open_to_crowd(campaign, "mturk", 3).key
    assert open_to_crowd(campaign, "mturk", 6).key == key


def test_the_command_prints_the_address_for_the_platform(campaign, store, worker, adjudge_process):
    crowd = ["campaign", "crowd", campaign.name, "prolific", "--database", store]
    options = ["--completion-code", "C1", "--site", "https://judge.example.org"]
    done = adjudge_process(*crowd, *options)
    assert done.code == 0, done.err
    campaign.refresh_from_db()
    address = f"https://judge.example.org/crowd/{campaign.crowd['key']}/"
    assert done.out.startswith(f"{address}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID=")
    assert worker.get(f"/crowd/{campaign.crowd['key']}/").status_code == 400  # no parameters


@pytest.fixture(scope="module")
def signer(tmp_path_factory):
    """Signs what Prolific would sign, with a key of its own that it publishes."""
    import base64
    import json
    import re
    import subprocess

    folder = tmp_path_factory.mktemp("prolific")

    def openssl(*arguments, given=b""):
        done = subprocess.run(
            ["openssl", *arguments], cwd=folder, input=given, capture_output=True, check=True
        )
        return done.stdout

    def code(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    openssl("genrsa", "-out", "key.pem", "2048")
    modulus = re.search(rb"Modulus=(\w+)", openssl("rsa", "-in", "key.pem", "-modulus", "-noout"))[
        1
    ]
    key = {"kty": "RSA", "kid": "k1", "n": code(bytes.fromhex(modulus.decode())), "e": "AQAB"}
    (folder / "jwks.json").write_text(json.dumps({"keys": [key]}))

    def sign(claims, head=None):
        parts = [code(json.dumps(part).encode()) for part in (head or _HEAD, claims)]
        message = ".".join(parts).encode()
        signed = openssl("dgst", "-sha256", "-sign", "key.pem", given=message)
        return ".".join([*parts, code(signed)])

    return sign, (folder / "jwks.json").as_uri()


_HEAD = {"alg": "RS256", "kid": "k1", "typ": "JWT"}


def test_prolific_signs_who_comes(campaign, worker, signer):
    import time

    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.people.crowd import open_to_crowd

    sign, keys = signer
    address = f"/crowd/{open_to_crowd(campaign, 'prolific', 3, 'C0DE').key}/"
    names = {"PROLIFIC_PID": "P1", "STUDY_ID": "S1", "SESSION_ID": "X1"}
    claims = {"prolific": names, "aud": "https://localhost", "exp": time.time() + 60}
    good = sign(claims)
    head, body, signature = good.split(".")
    refused = {
        "none": "",
        "no token": "x",
        "too long": "x" * 10_000,
        "changed": f"{head}.{body[:-2]}AA.{signature}",
        "unsigned": f"{head}.{body}.",
        "somebody else": sign({**claims, "prolific": {**names, "PROLIFIC_PID": "P2"}}),
        "another task": sign({**claims, "prolific": {**names, "SESSION_ID": "X2"}}),
        "another server": sign({**claims, "aud": "https://evil.example"}),
        "too old": sign({**claims, "exp": time.time() - 1}),
        "endless": sign({**claims, "exp": None}),
        "another key": sign(claims, {**_HEAD, "kid": "k2"}),
        "another way": sign(claims, {**_HEAD, "alg": "none"}),
    }
    with override_settings(PROLIFIC_KEYS=keys):
        for reason, token in refused.items():
            page = worker.get(address, {**names, "prolific_token": token})
            assert page.status_code == 400, reason
        assert not Judge.objects.exists()
        assert worker.get(address, {**names, "prolific_token": good}).status_code == 302
    assert Judge.objects.get().platform["worker"] == "P1"


def test_who_only_skipped_gets_no_completion_code(campaign, worker, state_in):
    """All thirty segments skipped: nothing is left, and nothing is owed."""
    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.people.crowd import open_to_crowd

    address = f"/crowd/{open_to_crowd(campaign, 'prolific', 3, 'C0DE', signed=False).key}/"
    names = {"PROLIFIC_PID": "P1", "STUDY_ID": "S1", "SESSION_ID": "X1"}
    worker.get(address, names)
    work = f"/work/{Judge.objects.get().key}/"
    for number in range(60):
        state = state_in(worker.get(work))
        if state["end"]:
            break
        body = {"assignment": state["items"][0]["key"], "key": f"key-{number:08d}", "reason": "no"}
        reply = worker.post(
            state["urls"]["skip"], body, content_type="application/json", headers=state["headers"]
        )
        assert reply.status_code == 200
    assert state["end"] == "exhausted"
    assert b"C0DE" not in worker.get(work).content
