"""What machines ask: alive, ready, how it is going."""

import re

import pytest
from django.test import override_settings


def test_alive_without_a_database(client, monkeypatch):
    from django.db.backends.base.base import BaseDatabaseWrapper

    def fail(*_):
        raise AssertionError("the database was asked")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", fail)
    reply = client.get("/healthz")
    assert (reply.status_code, reply.content) == (200, b"ok\n")
    assert client.post("/healthz").status_code in (403, 405)


def test_ready_only_with_a_database_that_is_up_to_date(store, client, use_store, tmp_path):
    assert client.get("/readyz").status_code == 200
    use_store(str(tmp_path / "empty.sqlite3"))
    behind = client.get("/readyz")
    assert behind.status_code == 503
    assert b"another version" in behind.content
    use_store(str(tmp_path / "missing" / "folder.sqlite3"))
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    use_store(str(store))


def test_metrics_are_for_administrators_and_their_prometheus(campaign, judged, olga, client):
    judged(campaign, "Ada", rankings=2)
    campaign.name = 'Quotes " and \\ so on'
    campaign.save()
    assert client.get("/metrics").status_code == 404
    with override_settings(METRICS_TOKEN="a long token"):
        for token, status in (("", 404), ("Bearer ", 404), ("Bearer a long token", 200)):
            given = client.get("/metrics", headers={"Authorization": token})
            assert given.status_code == status
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    page = olga.get("/metrics")
    assert page.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = page.content.decode().splitlines()
    label = '{campaign="Quotes \\" and \\\\ so on"}'
    assert f"adjudge_answers_total{label} 2" in lines
    assert f"adjudge_judges{label} 1" in lines
    assert f"adjudge_active_judges{label} 1" in lines
    sample = re.compile(r'adjudge_\w+\{campaign="[^\n]*"\} \d+')
    for line in lines:
        assert line.startswith("# ") or sample.fullmatch(line), line


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_need_no_https(store, client, path):
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert client.get(path).status_code == 200
        assert client.get("/").status_code == 301
