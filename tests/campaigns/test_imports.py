"""Analysing files needs no Django: campaigns, pages and the demonstration import it alone."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules["django"] = None  # as if it were not installed
{statement}
assert not any(name.startswith("django.") for name in sys.modules)
"""


@pytest.mark.parametrize(
    "statement",
    [
        "import adjudge",
        "from adjudge.cli.commands import COMMANDS, load\n"
        "for entry in COMMANDS.values():\n"
        "    for home in (entry.home, *entry.below.values()): home and load(home)",
        "import adjudge.web.demo",
        "import adjudge.web.demo.results",
        "import sys; sys.argv = ['adjudge', 'demo', '--help']\n"
        "from adjudge.cli import main\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 0",
    ],
)
def test_no_django_is_needed(statement: str) -> None:
    program = WITHOUT.format(statement=statement)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
