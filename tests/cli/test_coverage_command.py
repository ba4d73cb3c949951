"""`adjudge coverage`: options, design files, real campaigns, and going on after a stop."""

import json
import tomllib

import pytest

from adjudge.simulation import coverage
from adjudge.simulation.situations import whole_design

pytestmark = pytest.mark.slow

TINY = """
[first]
judges = [3, 4]
rankings = 60
systems = 3
campaigns = 2

[second]
judges = 3
rankings = 60
systems = 3
truth = ["equal", "pairs"]
"""


@pytest.fixture
def design(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return str(path)


@pytest.fixture
def rows(adjudge):
    def rows(*options):
        answer = adjudge("coverage", "--format", "json", *options)
        assert answer.code == 0, answer.err
        return json.loads(answer.out)

    return rows


def test_options_make_a_grid(rows):
    small = ("--rankings", "60", "--systems", "3", "--campaigns", "2", "--unit", "auto")
    found = rows(*small, "--judges", "3", "--judges", "5", "--effects", "none")
    assert [row["judges"] for row in found] == [3, 5]
    assert {row["effects"] for row in found} == {"none"}
    assert all(row["signature"].startswith("adjudge:coverage|") for row in found)
    assert all(0 <= row["covered"] <= 1 and row["width"] > 0 for row in found)


def test_a_design_file_has_grids_with_their_own_numbers(design, adjudge, rows, tmp_path):
    found = rows("--design", design, "--campaigns", "3")
    assert [(row["grid"], row["campaigns"]) for row in found] == [
        *[("first", 2)] * 2,
        *[("second", 3)] * 2,
    ]
    as_json = tmp_path / "tiny.json"
    as_json.write_text(json.dumps(tomllib.loads(TINY)))
    same = rows("--design", str(as_json), "--campaigns", "3", "--workers", "2")
    assert [row | {"signature": ""} for row in same] == [row | {"signature": ""} for row in found]
    again = adjudge("again", found[0]["signature"], design, "--format", "json")
    assert json.loads(again.out) == found
    other = adjudge("again", found[0]["signature"], str(as_json))
    assert other.code == 2
    assert "not the input of this signature" in other.err


def test_people_see_each_situation_or_what_each_factor_does(design, adjudge, tmp_path):
    few = adjudge("coverage", "--design", design, "--campaigns", "2").out
    assert "first: how often 95 % intervals" in few
    assert "In all of them: 3 judges" in few
    large = tmp_path / "large.toml"
    large.write_text(
        "[all]\nsystems = 2\nrankings = 20\njudges = "
        + str(list(range(3, 34)))
        + '\neffects = ["none", "mild"]\n'
    )
    many = adjudge("coverage", "--design", str(large), "--campaigns", "2").out
    assert "factor" in many
    assert "below 93 %" in many
    assert "Every single situation is in JSON and CSV" in many


def test_the_whole_design_is_printed(adjudge, tmp_path):
    printed = adjudge("coverage", "--print-design").out
    assert printed == whole_design()
    intervals = tomllib.loads(printed)["intervals"]
    number = 1
    for values in intervals.values():
        number *= len(values)
    assert number == 864


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\njudges = 3 4\n", "line 2: no TOML"),
        ("[a]\njudges = [", "no TOML"),
        ('{"a": {"judges": [3,]}}', "line 1: no JSON"),
        ("judges = 3", "judges is not a grid"),
        ("[a]\njudgez = 3", "[a] judgez is not a factor; there are: judges"),
        ('[a]\neffects = "wild"', "[a] --effects cannot be 'wild'"),
        ("[a]\njudges = 1.5", "[a] --judges is a whole number, 2 or more, not 1.5"),
        ("[a]\njudges = []", "[a] --judges has no value"),
        ("[a]\njudges = [[3]]", "[a] values are numbers and names"),
        ("[a]\ncampaigns = 1", "[a] campaigns is a number, 2 or more"),
        ('[a]\nmethod = "best"', "[a] --method cannot be 'best'"),
        ("[a]\nrankings = 99999999", "[a] no such simulation"),
        ("# nothing", "holds no grid"),
    ],
)
def test_a_bad_design_file_is_refused_in_one_line(text, message, adjudge, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    answer = adjudge("coverage", "--design", str(path))
    assert answer.code == 2
    assert message in answer.err
    assert "bad.toml" in answer.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--design", "a.toml", "--judges", "3"), "--judges is in the file of --design"),
        (("--like", "a.csv", "--systems", "3"), "--systems is taken from the file of --like"),
        (("--like", "a.csv", "--design", "a.toml"), "give --design or --like, not both"),
        (("--campaigns", "1"), "--campaigns is 2 or more"),
        (("--effects", "wild"), "--effects cannot be 'wild'"),
        (("--unit", "juge"), "did you mean 'judge'"),
        (("--checkpoint", "nowhere/kept.jsonl"), "nowhere/kept.jsonl: cannot be written"),
    ],
)
def test_bad_options_are_refused(options, message, adjudge):
    answer = adjudge("coverage", *options)
    assert answer.code == 2
    assert message in answer.err


def test_a_real_campaign_gives_its_design(adjudge, rows, tmp_path):
    path = tmp_path / "real.parquet"
    sizes = ("--systems", "3", "--rankings", "120", "--judges", "6", "--block", "3")
    assert adjudge("simulate", "-o", str(path), *sizes).code == 0
    found = rows("--like", str(path), "--campaigns", "2", "--truth", "distinct", "--truth", "equal")
    assert [row["truth"] for row in found] == ["distinct", "equal"]
    assert found[0]["pair"] == "src-tgt"
    assert (found[0]["judges"], found[0]["systems"], found[0]["effects"]) == (6, 3, "estimated")
    again = adjudge("again", found[0]["signature"], str(path), "--format", "json")
    assert json.loads(again.out) == found


def test_a_run_that_was_stopped_goes_on_within_a_situation(adjudge, rows, tmp_path):
    kept = tmp_path / "coverage.checkpoint"
    one = ("--judges", "3", "--effects", "mild", "--unit", "auto", "--rankings", "60")
    options = (*one, "--campaigns", "110", "--checkpoint", str(kept))
    whole = rows(*options[:-2])
    measure, measured = coverage._measure, []

    def measure_until(stop):
        def some(cell, source, numbers):
            measured.append(numbers)
            if len(measured) == stop:
                raise KeyboardInterrupt
            return measure(cell, source, numbers)

        measured.clear()
        return some

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "_measure", measure_until(4))
        assert adjudge("coverage", *options).code == 130
        patch.setattr(coverage, "_measure", measure_until(0))
        assert rows(*options) == whole
    assert measured == [range(75, 100), range(100, 110)]
    assert not kept.exists()


def test_another_file_is_no_checkpoint(adjudge, tmp_path):
    kept = tmp_path / "thesis.txt"
    kept.write_text("nonsense\n")
    bad = adjudge("coverage", "--judges", "3", "--campaigns", "2", "--checkpoint", str(kept))
    assert bad.code == 2
    assert "is not a file of finished pieces; give another --checkpoint" in bad.err
    assert kept.read_text() == "nonsense\n"
