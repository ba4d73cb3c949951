"""`adjudge info` as a person and a program see it."""

import json

import pytest

from adjudge.data.formats import FORMATS

VOTES = "model_a,model_b,winner,judge\nx,y,model_a,j\ny,ref,tie,k\nx,y,model_a,j\n"
KEYS = {
    "pair", "protocol", "systems", "judges", "groups", "documents", "segments", "rankings",
    "skipped", "unfinished", "missing", "duplicates", "comparisons", "ties", "reference_share",
    "seconds_median", "first", "last", "estimated",
    "signature", "notes",
}  # fmt: skip


def test_json_has_a_row_per_pair(adjudge):
    result = adjudge("info", "-", "--format", "json", stdin=VOTES.encode())
    assert result.code == 0, result.err
    (row,) = json.loads(result.out)
    assert set(row) == KEYS
    assert (row["pair"], row["systems"], row["judges"]) == ("arena", 3, 2)
    assert (row["rankings"], row["comparisons"], row["ties"], row["duplicates"]) == (3, 3, 1, 1)
    assert row["reference_share"] == pytest.approx(1 / 3)


def test_people_see_pairs_and_systems(adjudge):
    result = adjudge("info", "-", stdin=VOTES.encode())
    text = result.out
    assert "3 rankings by 2 judges; 3 comparisons, 33 % of them ties" in text
    assert "Duplicates" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["x", "2", "2", "2", "0", "0"] in lines
    assert ["y", "3", "3", "0", "1", "2"] in lines


def test_wmt15(shared_data, adjudge):
    path = str(shared_data / "wmt15" / "wmt15.xml.gz")
    rows = json.loads(adjudge("info", path, "--format", "json").out)
    assert len(rows) == 10
    assert sum(row["rankings"] for row in rows) == 29_017
    assert sum(row["skipped"] for row in rows) == 757
    czech = next(row for row in rows if row["pair"] == "eng-ces")
    assert (czech["comparisons"], czech["ties"], czech["missing"]) == (136_855, 44_356, 3)
    collapsed = adjudge("info", path, "--pair", "eng-ces", "--outputs", "collapsed", "-f", "json")
    assert json.loads(collapsed.out)[0]["comparisons"] == 58_947


def test_a_missing_file_is_one_line_and_exit_code_2(adjudge):
    answer = adjudge("info", "no-such-file")
    assert answer == (2, "", "adjudge: no-such-file: no such file; check the path\n")


def test_votes_of_nobody_known_are_no_duplicates(adjudge):
    votes = "model_a,model_b,winner\n" + "x,y,model_a\n" * 3
    (row,) = json.loads(adjudge("info", "-", "--format", "json", stdin=votes.encode()).out)
    assert row["duplicates"] == 0
    timed = "model_a,model_b,winner,tstamp\n" + "x,y,model_a,1700000000\n" * 3
    (row,) = json.loads(adjudge("info", "-", "--format", "json", stdin=timed.encode()).out)
    assert row["duplicates"] == 2


def test_the_table_fits_a_terminal(adjudge, tmp_path):
    """Everything that a campaign can say, in rows that are not folded."""
    path = tmp_path / "judgements.jsonl"
    adjudge("simulate", "--rankings", "300", "--reference", "-o", path)
    shown = adjudge("info", path).out.splitlines()
    assert max(map(len, shown[:4])) <= 140
    assert "Judged from 2026-" in "\n".join(shown)


def test_a_file_of_several_tables_says_so(adjudge, tmp_path):
    path = tmp_path / "wmt07.csv"
    path.write_bytes(FORMATS["wmt07"].example_files()["wmt07.csv"])
    assert "The file also holds scores, which are not in this table." in adjudge("info", path).out


EDITS = """\
{"pair": "en-de", "protocol": "blind-edit", "item": 1, "judge": "j", "systems": ["A"], "edit": "x"}
{"pair": "en-de", "protocol": "review", "item": 2, "judge": "k", "systems": ["A"], "reviewed": 1, \
"verdict": "yes"}
{"pair": "en-de", "protocol": "blind-edit", "item": 3, "judge": "k", "systems": ["B", "C"], \
"incomprehensible": true}
{"pair": "en-de", "protocol": "blind-edit", "item": 4, "judge": "k"}
"""


def test_edits_are_opened_too(adjudge, tmp_path):
    path = tmp_path / "edits.jsonl"
    path.write_text(EDITS)
    edited, reviewed = json.loads(adjudge("info", path, "--format", "json").out)
    assert (edited["protocol"], edited["systems"], edited["judges"]) == ("blind-edit", 3, 2)
    assert (edited["items"], edited["skipped"], edited["incomprehensible"]) == (3, 1, 1)
    assert (reviewed["protocol"], reviewed["items"], reviewed["accepted"]) == ("review", 1, 1)
    shown = adjudge("info", path)
    assert "In all 4 edits and reviews by 2 judges." in shown.out
    signature = edited["signature"]
    assert adjudge("again", signature, path).out == shown.out
    wrong = adjudge("info", path, "--outputs", "collapsed")
    assert (wrong.code, wrong.err) == (
        2,
        "adjudge: edits are of single outputs; leave --outputs out\n",
    )
