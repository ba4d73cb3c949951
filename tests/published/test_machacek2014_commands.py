"""Macháček 2014 Tables 2.2 and 3.1a, from the shared database by the commands a reader would type."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TABLE_3_1A = {
    "cu-depfix": 0.5777,
    "onlineB": 0.5642,
    "uedin-unconstrained": 0.5626,
    "cu-bojar": 0.5606,
    "cu-funky": 0.5566,
    "uedin-wmt14": 0.5498,
    "onlineA": 0.5007,
    "CU-TectoMT": 0.4485,
    "commercial1": 0.3992,
    "commercial2": 0.3492,
}


def command(*words: str) -> Any:
    run = subprocess.run(
        [sys.executable, "-c", "from adjudge.cli import main; main()", *words, "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def annotations(shared_data: Path) -> str:
    return str(shared_data / "segranks" / "annotations.tsv.gz")


def test_table_2_2(annotations: str) -> None:
    rows = {row["kind"]: row for row in command("agreement", annotations, "--replicates", "20")}
    assert {f"{row['p_e']:.3f}" for row in rows.values()} == {"0.394"}
    assert f"{rows['intra']['kappa']:.3f}" == "0.593"
    assert f"{rows['inter']['kappa']:.3f}" == "0.397"


def test_table_3_1a(annotations: str, tmp_path: Path) -> None:
    # Through the tables as we write them ourselves, too.
    again = str(tmp_path / "annotations.tsv")
    run = [sys.executable, "-c", "from adjudge.cli import main; main()"]
    subprocess.run([*run, "convert", annotations, "-o", again], check=True, capture_output=True)
    for path in (annotations, again):
        rows = command("rank", path, "--method", "win-ratio", "--unit", "none")
        scores = {row["system"]: row["score"] for row in rows}
        assert scores == pytest.approx(TABLE_3_1A, abs=0.006)
        assert [row["system"] for row in rows] == list(TABLE_3_1A)
