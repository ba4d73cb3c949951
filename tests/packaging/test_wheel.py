"""The wheel does its work in a clean environment outside the checkout."""

import json
import re
import subprocess
from fnmatch import filter as matching
from zipfile import ZipFile

import pytest

from adjudge import __version__

VOTES = "model_a,model_b,winner,judge\n" + "x,y,model_a,j\n" * 5 + "x,y,model_b,j\n" * 2


@pytest.fixture
def plain(environment):
    """What `pip install adjudge` gives, with a file of votes."""
    made = environment()
    (made.folder / "votes.csv").write_text(VOTES)
    return made


def test_every_file_of_the_package_is_in_the_wheel(wheel, project):
    tracked = subprocess.run(
        ["git", "ls-files", "src/adjudge"], cwd=project, capture_output=True, text=True
    )
    if tracked.returncode:
        pytest.skip("no Git checkout to compare the wheel with")
    expected = {name.removeprefix("src/") for name in tracked.stdout.split()}
    names = set(ZipFile(wheel).namelist())
    assert expected - names == set()
    for kind in (
        "*.html",
        "*.js",
        "*.css",
        "*/locale/*.mo",
        "adjudge/web/demo/data/*",
        "*/py.typed",
    ):
        assert matching(names, kind), f"nothing like {kind} in the wheel"
    assert not matching(names, "tests/*")


@pytest.mark.parametrize("command", [["adjudge"], ["python", "-m", "adjudge"]])
def test_both_ways_to_start_it_tell_the_version(plain, command):
    done = plain.run(*command, "--version")
    assert (done.returncode, done.stdout) == (0, f"{__version__}\n"), done.stderr


def test_files_are_analysed(plain):
    done = plain.run("adjudge", "rank", "votes.csv", "--format", "json", "--replicates", "20")
    assert done.returncode == 0, done.stderr
    assert [row["system"] for row in json.loads(done.stdout)] == ["x", "y"]


@pytest.mark.parametrize(
    "command",
    [
        "info votes.csv",
        "agreement votes.csv --replicates 20",
        "diagnose votes.csv",
        "plot scores votes.csv -o scores.svg",
        "report votes.csv -o report.html --replicates 20",
    ],
)
def test_no_analysis_needs_an_extra(plain, command):
    done = plain.run("adjudge", *command.split())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["campaign status", "campaign create x", "serve", "demo"])
def test_without_the_extra_a_command_says_what_to_install(plain, command):
    before = sorted(plain.folder.iterdir())
    done = plain.run("adjudge", *command.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(
        r"adjudge: .* needs? django, which is not installed: pip install 'adjudge\[campaigns\]'\n",
        done.stderr,
    )
    assert sorted(plain.folder.iterdir()) == before


def test_a_cluster_says_what_to_install(plain):
    cluster = ["--method", "trueskill", "--engine", "dask://localhost:1"]
    done = plain.run("adjudge", "rank", "votes.csv", *cluster)
    assert done.returncode == 2
    assert done.stderr.endswith(
        "needs distributed, which is not installed: pip install 'adjudge[dask]'\n"
    )


def test_campaigns_run_with_the_extra(environment):
    made = environment("campaigns")
    for name in ("source", "a", "b"):
        (made.folder / name).write_text("".join(f"{name} {n}\n" for n in range(20)))
    systems = ["--system", "A=a", "--system", "B=b"]
    done = made.run(
        "adjudge", "campaign", "create", "small", "--source", "source", *systems, "--pair", "en-de",
        "--set", "block=2", "--set", "reference=off",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    done = made.run("adjudge", "campaign", "status", "--format", "json")
    assert [row["campaign"] for row in json.loads(done.stdout)] == ["small"], done.stderr
    pages = (
        "import django.template.loader as loader\n"
        "from adjudge.web.server import prepare\n"
        "prepare('x' * 60, [], False)\n"
        "from adjudge.campaigns.store.opening import configure\n"
        "configure()\n"
        "loader.get_template('web/judging/work.html')\n"
    )
    done = made.run("python", "-c", pages)
    assert done.returncode == 0, done.stderr


def test_a_server_that_is_postgresql_says_what_to_install(environment):
    made = environment("campaigns")
    done = made.run("adjudge", "campaign", "status", "--database", "postgres://localhost/x")
    assert done.returncode == 2
    assert done.stderr.endswith(
        "needs psycopg, which is not installed: pip install 'adjudge[postgres]'\n"
    )
