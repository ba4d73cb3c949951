"""What the repository says of itself for those who read it elsewhere."""

import hashlib
import re
import subprocess
import sys
import tomllib

import pytest

from adjudge import __version__

LINK = re.compile(r"\]\(([^)\s]+)")
OURS = "https://github.com/adjudge/adjudge/"


def test_links_of_the_readme_work_on_the_package_index_too(project):
    links = LINK.findall((project / "README.md").read_text())
    assert links
    relative = [link for link in links if not link.startswith(("https://", "#"))]
    assert relative == [], "PyPI shows the README without the repository around it"
    for link in links:
        if match := re.fullmatch(rf"{OURS}(?:blob|raw|tree)/main/([^#]*)(?:#.*)?", link):
            assert (project / match[1]).exists(), link


def test_the_citation_is_of_this_version(project):
    cited = re.search(r"^version: (.*)$", (project / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited[1] == __version__


def test_the_changelog_begins_with_this_version(project):
    first = re.search(r"^## (\S+)", (project / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first[1] == __version__


def test_every_extra_is_locked(project):
    declared = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    names = re.compile(r"^[\w.-]+")
    locks = {
        "requirements.lock": ["campaigns"],
        "requirements-dev.lock": [*declared["optional-dependencies"]],
    }
    for lock, extras in locks.items():
        text = (project / lock).read_text()
        wanted = [*declared["dependencies"]]
        wanted += [line for extra in extras for line in declared["optional-dependencies"][extra]]
        locked = {
            name.lower().replace("_", "-")
            for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)
        }
        assert {names.match(line)[0].lower() for line in wanted} - locked == set(), lock
        assert "://" not in text, f"{lock} names where packages were found"


@pytest.fixture
def check_data(project):
    """Runs tools/check-data on a folder."""

    def run(folder):
        command = [sys.executable, str(project / "tools" / "check-data"), str(folder)]
        return subprocess.run(command, capture_output=True, text=True)

    return run


def test_data_that_are_not_those_of_the_table_are_named(check_data, project, tmp_path):
    table = (project / "docs" / "test-data.md").read_text()
    (name, expected), *others = re.findall(r"^\| `(\S+)` \| `(\w{64})` \|$", table, re.MULTILINE)
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_bytes(b"something else")
    assert hashlib.sha256(b"something else").hexdigest() != expected
    done = check_data(tmp_path)
    assert done.returncode == 1
    assert f"{file}: not the file of docs/test-data.md; get it again\n" in done.stdout
    assert done.stdout.count(": missing; ") == len(others)
    assert f"0 of {1 + len(others)} files" in done.stdout


def test_our_data_are_those_of_the_table(check_data, shared_data):
    done = check_data(shared_data)
    assert done.returncode == 0, done.stdout
