"""`adjudge coverage`, on few small campaigns."""

import json

from typer.testing import CliRunner

from adjudge.cli import app, commands  # noqa: F401  (registers the commands)
from adjudge.simulation.coverage import SITUATIONS, UNITS


def run(*options: str) -> str:
    result = CliRunner().invoke(
        app, ["coverage", "--campaigns", "2", "--replicates", "20", *options]
    )
    assert result.exit_code == 0, result.output
    return result.stdout


def test_one_row_for_every_situation_and_unit():
    rows = json.loads(run("--format", "json"))
    assert {(row["situation"], row["unit"]) for row in rows} == {
        (name, unit) for name in SITUATIONS for unit in UNITS
    }
    assert all(0 <= row["covered"] <= 1 and row["width"] > 0 for row in rows)


def test_people_see_a_row_for_every_situation():
    text = run()
    assert all(name in text for name in SITUATIONS)
    assert "2 simulated campaigns a row" in text
