"""`adjudge plot`: what it writes, and what it refuses."""

from xml.etree import ElementTree

import polars as pl
import pytest

from adjudge.data.judgement_table import judgement_table
from adjudge.data.table_files import write
from adjudge.report.figures import FIGURES


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> str:
    """Two language pairs; only the first has four systems and times."""
    blocks = [("one two", {"A": 1, "B": 2, "C": 2, "D": 3}, 30.0 + n) for n in range(12)]
    blocks += [("one two", {"A": 2, "B": 1, "D": 3}, 50.0)] * 3
    blocks += [("two/one", {"A": 2, "C": 1}, None)] * 9
    table = judgement_table(
        pl.DataFrame(
            [
                {
                    "pair": pair,
                    "ranking": number,
                    "output": system,
                    "rank": rank,
                    "judge": f"judge {number % 3}",
                    "segment": f"{number}",
                    "seconds": seconds,
                }
                for number, (pair, block, seconds) in enumerate(blocks)
                for system, rank in block.items()
            ],
            infer_schema_length=None,
        )
    )
    path = str(tmp_path_factory.mktemp("plot") / "judgements.parquet")
    write(table, path)
    return path


def test_without_a_name_it_says_which_there_are(adjudge):
    answer = adjudge("plot")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert all(name in answer.err for name in FIGURES)


def test_an_unknown_name_is_refused_before_anything_is_read(adjudge):
    answer = adjudge("plot", "pie", "no-such-file.csv")
    assert answer.code == 2
    assert "'pie'" in answer.err
    assert "scores" in answer.err


def test_an_unknown_ending_is_refused_before_anything_is_read(adjudge):
    answer = adjudge("plot", "scores", "no-such-file.csv", "-o", "figure.gif")
    assert answer.code == 2
    assert ".svg, .pdf, .png" in answer.err


def test_one_pair_goes_to_the_file_named(adjudge, file, tmp_path):
    path = tmp_path / "figure.svg"
    answer = adjudge(
        "plot", "scores", file, "--pair", "one two", "--replicates", "50", "-o", str(path)
    )
    assert (answer.code, answer.out, answer.err) == (0, f"{path}\n", "")
    root = ElementTree.fromstring(path.read_text())
    texts = {one.text for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"A", "B", "C", "D"} <= texts


def test_several_pairs_go_to_files_of_their_own(adjudge, file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = adjudge("plot", "scores", file, "--replicates", "50")
    assert answer.code == 0
    assert answer.out.split() == ["scores.one-two.svg", "scores.two-one.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == answer.out.split()


def test_pairs_that_cannot_be_drawn_are_named(adjudge, file, tmp_path):
    path = str(tmp_path / "times.png")
    answer = adjudge("plot", "time-per-item", file, "-o", path)
    assert answer.code == 0
    assert answer.out == f"{tmp_path}/times.one-two.png\n"
    assert answer.err.startswith("two/one: no figure time-per-item: ")


def test_where_no_pair_can_be_drawn_it_fails(adjudge, file, tmp_path):
    answer = adjudge("plot", "reference-exposure", file, "-o", str(tmp_path / "x.pdf"))
    assert answer.code == 2
    assert "the reference was not among the ranked outputs" in answer.err
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_refused(adjudge, file, tmp_path):
    answer = adjudge(
        "plot", "scores", file, "--pair", "one two", "-o", str(tmp_path / "no" / "x.svg")
    )
    assert answer.code == 2
    assert "make it first" in answer.err
