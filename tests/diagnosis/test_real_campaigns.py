"""WMT15, WMT13 and SegRanks: findings that can be checked against what is known of the systems."""

import pytest

from adjudge.data.comparisons import by_pair
from adjudge.data.table_files import read
from adjudge.diagnosis.diagnose import diagnose
from adjudge.diagnosis.finding import Severity


@pytest.fixture(scope="module")
def wmt15(shared_data):
    return dict(by_pair(read(str(shared_data / "wmt15" / "wmt15.xml.gz"))))


@pytest.fixture(scope="module")
def french(shared_data):
    return read(str(shared_data / "wmt13" / "fr-en.csv.gz"))


def only(table, name, **options):
    (found,) = diagnose(table, only=[name], **options)
    return found.answer


def families(table):
    """The families found, as sets of names without numbers and file endings."""
    found = {}
    for row in only(table, "tie-families").details:
        if row["too_often"]:
            names = found.setdefault(row["family"], set())
            names |= {row[side].split(".")[1] for side in ("system", "other")}
    return sorted(found.values(), key=sorted)


def test_families_are_systems_of_one_maker(wmt15):
    assert families(wmt15["fin-eng"]) == [
        {"UoS", "UoS-stemmed"},
        {"abumatran", "abumatran-combo", "abumatran-hfstmorph"},
    ]
    assert families(wmt15["eng-fin"]) == [
        {"abumatran-combo", "abumatran-uncons", "abumatran-uncons-combo"}
    ]
    assert families(wmt15["eng-rus"]) == [{"USAAR-gacha"}]
    # All are one system tuned by different teams.
    (tuned,) = families(wmt15["ces-eng"])
    assert len(tuned) == 9
    assert all(name.startswith("tuning-task-") for name in tuned)


def test_the_reading_order_of_wmt15_moves_ranks_by_little(wmt15):
    for table in wmt15.values():
        answer = only(table, "position")
        assert abs(answer.value) < 0.05
        assert answer.high - answer.low < 0.06


def test_wmt15_has_no_random_clickers(wmt15):
    for table in wmt15.values():
        assert only(table, "uninformative-judges").value == 0


def test_wmt13_turkers_and_the_controls_of_the_researchers(french):
    assert only(french, "controls").value == 115
    answer = only(french, "failed-controls")
    rejected = [row for row in answer.details if row["rejected"]]
    assert len(rejected) == answer.value == 13
    assert all(row["met"] >= 10 and row["failed"] > row["met"] / 2 for row in rejected)
    assert all(row["judge"].startswith("turker") for row in answer.details)
    assert answer.severity is Severity.note
    assert answer.change.moved == 0


def test_segranks_has_texts_and_times(shared_data):
    table = read(str(shared_data / "segranks" / "annotations.tsv.gz"))
    assert "words a minute" in only(table, "speed").meaning
    assert only(table, "fatigue").severity is Severity.none
