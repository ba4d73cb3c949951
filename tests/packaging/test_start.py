"""Nothing is imported before it is needed, so that everything starts fast."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# What takes long to import, and no command needs before it works.
HEAVY = {"django", "joblib", "matplotlib", "numba", "numpy", "pandas", "polars", "pyarrow", "scipy"}
# Runs its arguments as a command and says which modules it imported.
PROGRAM = """
import json, sys
from adjudge.cli import main
sys.argv = ["adjudge", *sys.argv[1:]]
try:
    main()
finally:
    sys.stdout.flush()
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def imported(program: str, *arguments: str) -> tuple[set[str], str]:
    """What a new process imported, and what it printed."""
    # Measuring coverage would import modules by itself.
    told = {key: value for key, value in os.environ.items() if "COVERAGE" not in key}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=told, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1])), done.stdout


def test_import_adjudge_imports_nothing_heavy():
    modules, _ = imported(
        "import adjudge, json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    assert modules & HEAVY == set()


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["rank", "--help"], ["campaign", "--help"], ["demo", "--help"]],
    ids=" ".join,
)
def test_help_imports_nothing_heavy(arguments):
    modules, printed = imported(PROGRAM, *arguments)
    assert modules & HEAVY == set()
    assert printed


def test_one_ranking_imports_its_method_alone(tmp_path):
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,winner\n" + "x,y,model_a\ny,x,model_a\nx,y,model_a\n" * 3)
    modules, printed = imported(PROGRAM, "rank", str(votes), "--replicates", "20")
    assert "x" in printed
    methods = {name for name in modules if name.startswith("adjudge.ranking.methods.")}
    assert methods == {"adjudge.ranking.methods.expected_wins"}
    assert modules & HEAVY == {"numpy", "polars", "scipy"}
    assert "scipy.stats" not in modules  # half of the time to start
    unneeded = ("adjudge.campaigns", "adjudge.web", "adjudge.diagnosis", "adjudge.simulation")
    assert {name for name in modules if name.startswith(unneeded)} == set()


@pytest.mark.parametrize("module", ["adjudge.api.reports", "adjudge.api.scores"])
def test_the_report_and_its_workers_do_without_scipy_stats(module):
    """It takes as long to load as all the rest, in every process."""
    modules, _ = imported(
        f"import {module}, json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    assert "scipy.stats" not in modules
