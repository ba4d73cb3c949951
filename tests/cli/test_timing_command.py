"""`adjudge timing`, and several protocols in one file."""

import json

import polars as pl
import pytest

from adjudge.data.judgement_table import judgement_table
from adjudge.data.table_files import write


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Rankings and pairs by two judges."""
    rows = [
        {
            "pair": "x-y", "protocol": ("ranking", "pairwise")[number % 2], "ranking": number,
            "segment": str(number // 4), "judge": f"j{number // 2 % 2}", "output": output,
            "rank": 1 + (number + at) % 2, "position": at + 1, "seconds": 10.0 + number,
        }
        for number in range(40)
        for at, output in enumerate("AB")
    ]  # fmt: skip
    path = str(tmp_path_factory.mktemp("mixed") / "mixed.jsonl")
    write(judgement_table(pl.DataFrame(rows)), path)
    return path


def test_a_row_per_protocol(mixed, adjudge):
    done = adjudge("timing", mixed, "--format", "json", "--drop-over", "40")
    assert done.code == 0, done.err
    rows = json.loads(done.out)
    assert [(row["protocol"], row["items"], row["dropped"]) for row in rows] == [
        ("pairwise", 15, 5),
        ("ranking", 16, 4),
    ]
    assert rows[0]["mean"] == sum(range(11, 40, 2)) / 15
    assert set(rows[0]) == {
        "protocol", "items", "dropped", "untimed", "mean", "lower_quartile", "median",
        "upper_quartile", "mean_per_output", "longest", "signature", "notes",
    }  # fmt: skip


def test_people_are_told_how_many_were_dropped(mixed, adjudge):
    done = adjudge("timing", mixed, "--by", "judge", "--drop-over", "40")
    assert "Dropped: 9 of 40 items, from sets that took over 40 seconds" in done.out
    assert [line.split()[:2] for line in done.out.splitlines()[2:6]] == [
        [protocol, judge] for protocol in ("pairwise", "ranking") for judge in ("j0", "j1")
    ]


@pytest.mark.parametrize("command", ["rank", "agreement", "diagnose", "compare", "plan", "report"])
def test_protocols_do_not_mix_in_silence(mixed, command, adjudge):
    done = adjudge(command, mixed)
    assert done.code == 2
    assert done.err == (
        "adjudge: the judgements are of 2 protocols (pairwise, ranking), which do not mix; choose "
        "one with --protocol\n"
    )


def test_one_protocol_is_chosen(mixed, adjudge):
    done = adjudge("compare", mixed, "--protocol", "pairwise", "--format", "json")
    assert done.code == 0, done.err
    (row,) = json.loads(done.out)
    assert row["wins_a"] + row["wins_b"] == 20
    done = adjudge("compare", mixed, "--protocol", "guessing")
    assert "no protocol 'guessing' in the judgements; there are: pairwise, ranking" in done.err


def test_info_shows_both(mixed, adjudge):
    rows = json.loads(adjudge("info", mixed, "--format", "json").out)
    assert [(row["protocol"], row["rankings"]) for row in rows] == [
        ("pairwise", 20),
        ("ranking", 20),
    ]
    assert "Protocol" in adjudge("info", mixed).out


def test_the_figure_has_a_distribution_for_each(mixed, tmp_path, adjudge):
    image = tmp_path / "time.svg"
    done = adjudge("plot", "time-per-item", mixed, "--output", str(image))
    assert done.code == 0, done.err
    drawn = image.read_text()
    for protocol in ("pairwise", "ranking"):
        assert protocol in drawn
    done = adjudge("plot", "scores", mixed, "--output", str(image))
    assert "which do not mix" in done.err
