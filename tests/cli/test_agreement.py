"""`adjudge agreement` and `adjudge label-agreement`, as a user runs them."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
SYSTEMS = ("a", "b", "c")


@pytest.fixture
def campaign(tmp_path: Path) -> str:
    """Two researchers and two turkers on the same three outputs of eight segments, twice."""
    columns = ",".join(f"system{n}Number,system{n}Id" for n in (1, 2, 3))
    ranks = ",".join(f"system{n}rank" for n in (1, 2, 3))
    lines = [HEADER + columns + "," + ranks]
    shown = ",".join(f"-1,{system}" for system in SYSTEMS)
    for repeat in range(2):
        for segment in range(8):
            for j, judge in enumerate(("researcher_1", "researcher_2", "turker_1", "turker_2")):
                last = 3 if (segment + j * repeat) % 3 else 1
                lines.append(f"French,English,{segment},-1,{segment},{judge},{shown},1,2,{last}")
    file = tmp_path / "campaign.csv"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


@pytest.fixture
def rows(adjudge):
    """The rows of a command."""

    def rows(*arguments: str) -> list[dict[str, object]]:
        answer = adjudge(*arguments, "--format", "json", "--replicates", "20")
        assert answer.code == 0, answer.err
        found: list[dict[str, object]] = json.loads(answer.out)
        return found

    return rows


def test_the_default_is_sound_and_collapsed(campaign: str, rows) -> None:
    found = rows("agreement", campaign)
    assert [(row["kind"], row["outputs"], row["convention"]) for row in found] == [
        ("inter", "collapsed", "sound"),
        ("intra", "collapsed", "sound"),
    ]
    assert {"pair", "agree", "comparable", "ties", "total", "p_a", "p_e", "kappa"} <= set(found[0])


def test_a_published_convention_gives_both_forms(campaign: str, rows) -> None:
    found = rows("agreement", campaign, "--convention", "wmt15")
    assert {row["outputs"] for row in found} == {"collapsed", "expanded"}
    chosen = rows("agreement", campaign, "--convention", "wmt15", "--outputs", "expanded")
    expanded = [row for row in found if row["outputs"] == "expanded"]
    assert _unsigned(chosen) == _unsigned(expanded)


def _unsigned(rows: list[dict]) -> list[dict]:
    """What was asked differs, what came out does not."""
    return [{key: value for key, value in row.items() if key != "signature"} for row in rows]


@pytest.mark.parametrize(
    ("by", "parts"),
    [
        ("coefficient", 16),
        ("judge", 4),
        ("judges", 6),
        ("group", 5),
        ("controls", 5),
        ("length", 2),
        ("document", 2),
        ("block-size", 2),
        ("distance", 6),
        ("order", 4),
        ("hour", 2),
    ],
)
def test_every_breakdown_answers_in_json_and_in_words(
    campaign: str, by: str, parts: int, rows, adjudge
) -> None:
    found = rows("agreement", campaign, "--by", by)
    assert len(found) == parts
    shown = adjudge("agreement", campaign, "--by", by, "--replicates", "20")
    assert shown.code == 0
    assert "French-English" in shown.out
    assert "nan" not in shown.out


def test_what_cannot_be_answered_says_why(campaign: str, rows, adjudge) -> None:
    length = adjudge("agreement", campaign, "--by", "length")
    assert "All comparisons are in no part by length: no source text" in length.out
    alone = adjudge("agreement", campaign, "--judge", "turker_1")
    assert "inter needs two judges" in alone.out
    (inter, _) = rows("agreement", campaign, "--judge", "turker_1")
    assert (inter["comparable"], inter["p_a"], inter["kappa"]) == (0, None, None)


def test_what_makes_no_sense_is_refused(campaign: str, adjudge) -> None:
    for options, remedy in (
        (["--by", "hour", "--convention", "wmt15"], "leave --convention out"),
        (["--by", "judges", "--unit", "judge"], "leave --unit out"),
        (["--by", "controls", "--trusted", "experts"], "there are: researcher, turker"),
    ):
        answer = adjudge("agreement", campaign, *options)
        assert answer.code == 2
        assert remedy in answer.err


def test_labels(tmp_path: Path, rows, adjudge) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("item,judge,label\n1,a,GOOD\n1,b,ALMOST\n2,a,BAD\n2,b,BAD\n")
    found = rows("label-agreement", str(file), "--merge", "ALMOST=GOOD")
    kappa = {row["coefficient"]: row["value"] for row in found if row["kind"] == "inter"}
    assert kappa["fleiss"] == kappa["cohen"] == 1
    shown = adjudge("label-agreement", str(file))
    assert "Agreement on labels: ALMOST, BAD, GOOD" in shown.out
    assert "intra needs a judge who judged the same item twice" in shown.out
    assert "a (rows) and b (columns)" in shown.out


def test_values_as_ranks(tmp_path: Path, rows) -> None:
    file = tmp_path / "adequacy.tsv"
    lines = ["segment\tsystem\tjudge\tlabel"]
    lines += [f"{s}\t{o}\t{j}\t{v}" for s in (1, 2) for j, gap in (("a", 1), ("b", 2))
              for o, v in (("p", 1 + gap), ("q", 1))]  # fmt: skip
    file.write_text("\n".join(lines) + "\n")
    found = rows("label-agreement", str(file), "--ranks")
    assert (found[0]["agree"], found[0]["comparable"]) == (2, 2)


def test_labels_are_of_two_outputs(adjudge, tmp_path):
    """A five-way file with a ranking of two is not taken for a pairwise one."""
    file = tmp_path / "rankings.csv"
    head = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,"
    head += "system1rank,system2rank,system3rank"
    file.write_text(f"{head}\nen,cs,1,j,A,B,C,1,2,-1\nen,cs,2,j,A,B,,1,2,-1\n")
    done = adjudge("label-agreement", str(file))
    assert done.code == 2
    assert "1 of 2 rankings show more than two outputs" in done.err


def test_nothing_to_compare_is_said(adjudge):
    one = {"pair": "x-y", "protocol": "segments", "segment": "1:0,1", "ranking": 1, "judge": "ann"}
    one |= {"source": "A cat sleeps.", "systems": ["A"], "rank": None, "text": "kočka"}
    done = adjudge("agreement", "-", "--by", "segment-length", stdin=json.dumps(one).encode())
    assert done.code == 2
    assert done.err.startswith("adjudge: nothing in these judgements can be compared")


def test_trusted_judges_make_controls_and_nothing_else(adjudge, campaign: str) -> None:
    refused = adjudge("agreement", campaign, "--trusted", "researchers")
    assert refused.code == 2
    assert "add --by controls" in refused.err
    refused = adjudge(*("agreement", campaign, "--by", "controls", "--trusted", "researchers"))
    assert "did you mean 'researcher'?" in refused.err
