"""Macháček 2014 Tables 3.1a and 2.2 by command, from a database that we wrote."""

import json

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


@pytest.fixture
def command(adjudge):
    """What a command that succeeds prints."""

    def command(*words: str) -> str:
        answer = adjudge(*words)
        assert answer.code == 0, answer.err
        return answer.out

    return command


def test_table_3_1a_and_table_2_2_by_command_from_tables_we_wrote(shared_data, tmp_path, command):
    """From the shared database to ours and back: the published figures again."""
    written = str(tmp_path / "annotations.tsv.gz")
    command("convert", str(shared_data / "segranks" / "annotations.tsv.gz"), "-o", written)
    ranked = command("rank", written, "--method", "win-ratio", "--unit", "none", "--format", "json")
    scores = {row["system"]: row["score"] for row in json.loads(ranked)}
    assert scores == pytest.approx(TABLE_3_1A, abs=0.006)
    agreed = command("agreement", written, "--replicates", "20", "--format", "json")
    rows = {row["kind"]: row for row in json.loads(agreed)}
    found = [f"{rows[kind]['kappa']:.3f}" for kind in ("intra", "inter")]
    assert (found, f"{rows['intra']['p_e']:.3f}") == (["0.593", "0.397"], "0.394")


def test_section_2_1(published, shared_data):
    """What was extracted. A segment whose words occur twice in its sentence fell into pieces."""
    from adjudge.core.files.input_file import InputFile
    from adjudge.data.formats.segranks_database import read_segments

    candidates = read_segments(InputFile(str(shared_data / "segranks" / "segments.tsv.gz")))
    pieces = candidates["segment"].n_unique()
    places = candidates.select("sentence", "source_word_indices").n_unique()
    assert (pieces, places) == (8490, 8482)
    table = published("Macháček 2014", "§2.1", "SegRanks")
    table.row("source segments (8,490 pieces of 8,482)", "8485", pieces, within=5)
    table.row("candidate segments after merging", "50011", len(candidates))
    table.row("of the original ones, %", "58.9", 100 * len(candidates) / (10 * pieces))
    table.row("candidates a segment", "5.89", len(candidates) / pieces)
