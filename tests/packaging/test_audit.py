"""`make audit` reports what needs a decision, and never takes silence for a clean result."""

from pathlib import Path

import pytest

import audit


def test_no_dependency_has_a_licence_that_nobody_decided_on() -> None:
    licences = {
        name: audit.stated_licence(name)
        for lock in audit.LOCKS
        for name in audit.pinned(audit.ROOT / lock)
    }
    assert len(licences) > 100
    assert audit.undecided(licences) == []


def test_nothing_that_runs_in_production_is_copyleft_or_under_review() -> None:
    for name in audit.pinned(audit.ROOT / "requirements.lock"):
        assert name not in audit.REVIEWED
        assert not audit.COPYLEFT.search(audit.stated_licence(name))


@pytest.mark.parametrize(
    "licence", ["GPL-3.0-or-later", "AGPL-3.0", "", "UNKNOWN", "MIT AND GPLv2"]
)
def test_other_licences_need_a_decision(licence: str) -> None:
    assert audit.undecided({"new": licence, "six": "MIT", "psycopg": "LGPL-3.0-only"}) == ["new"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"dependencies": [{"name": "six", "skip_reason": "not found on PyPI"}]}', None),
        ("", None),
        ('{"dependencies": [{"name": "six", "version": "1", "vulns": []}]}', []),
        (
            '{"dependencies": [{"name": "six", "version": "1", "vulns":'
            ' [{"id": "CVE-1", "fix_versions": ["1.1"]}]}]}',
            ["six 1: CVE-1, fixed in 1.1"],
        ),
    ],
)
def test_a_package_unknown_to_the_service_is_not_checked(
    tmp_path: Path, answer: str, expected: list[str] | None
) -> None:
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    program.chmod(0o755)
    assert audit.vulnerabilities(str(program), Path("some.lock")) == expected


def test_what_was_not_checked_is_said_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "pip-audit"
    program.write_text("#!/bin/sh\necho 'no route to host' >&2\nexit 1\n")
    program.chmod(0o755)
    assert audit.main(str(program)) == 1
    said = capsys.readouterr().out
    for service in audit.SERVICES:
        assert f"requirements.lock: {service} cannot be reached" in said
    for lock in audit.LOCKS:
        assert f"{lock}: NOT CHECKED for vulnerabilities" in said
