"""What other people's files do that ours do not: separators, severities, names, long lines."""

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import HEAD, InputFile
from adjudge.data.judgement_table import as_reference, is_reference, judgement_table
from adjudge.data.selection import Selection, keep_systems, select
from adjudge.data.table_files import read, read_scores, recognise
from adjudge.data.votes.count_wins import counts_from_file

VOTES = 'model_a,model_b,winner,judge\nA,"B, C",model_a,j\n"B, C",A,tie,j\n'


@pytest.mark.parametrize("separator", [";", "\t"])
def test_votes_with_another_separator(tmp_path: Path, separator: str) -> None:
    usual, other = tmp_path / "a.csv", tmp_path / "b.csv"
    usual.write_text(VOTES)
    lines = [row.replace(", ", "@").split(",") for row in VOTES.splitlines()]
    other.write_text("\n".join(separator.join(row).replace("@", ", ") for row in lines))
    assert recognise(InputFile(other)).name == "arena-csv"
    assert read(other).equals(read(usual))
    streamed, known = (counts_from_file(path)["arena"] for path in (other, usual))
    assert streamed.systems == known.systems
    assert (streamed.wins == known.wins).all()


def test_five_way_rankings_with_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "rankings.csv"
    path.write_text("srclang;trglang;srcIndex;judgeId;system1Id;system1rank\nen;cs;1;j;A;1\n")
    assert read(path)["output"].to_list() == ["A"]


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_first_line_longer_than_the_beginning(tmp_path: Path, ending: str) -> None:
    vote = {"conversation": "ž" * HEAD, "model_a": "A", "model_b": "B", "winner": "tie"}
    content = "\n".join(map(json.dumps, (vote, vote | {"winner": "model_a"}))).encode()
    path = tmp_path / f"votes.jsonl{ending}"
    path.write_bytes(gzip.compress(content) if ending else content)
    assert read(path)["rank"].to_list() == [1, 1, 1, 2]


WMT = "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank"


@pytest.mark.parametrize("ranking", ["", ",rankingID"])
def test_advice_on_a_rank_can_be_followed(tmp_path: Path, ranking: str) -> None:
    path = tmp_path / "rankings.csv"
    row = "en,cs,1,j,A,{},B,2" + (",1" if ranking else "")
    path.write_text(f"{WMT}{ranking}\n{row.format(0)}\n")
    with pytest.raises(InputError, match="line 2: system1rank '0' is not 1 or more; write -1"):
        read(path)
    path.write_text(f"{WMT}{ranking}\n{row.format(-1)}\n")
    assert read(path)["rank"].to_list() == [None, 2]


def mqm(folder: Path, severity: str) -> Path:
    path = folder / "en-cs.tsv"
    path.write_text(
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "A\td\t1\t1\tr\tx\tKo <v>sp</v>.\tFluency/Spelling\tMinor\n"
        f"A\td\t1\t1\tr\tx\tKo <v>sp</v>.\tFluency/Spelling\t{severity}\n"
    )
    return path


@pytest.mark.parametrize(("severity", "score"), [("Critical", -11), ("Neutral", -1), ("Major", -6)])
def test_severities(tmp_path: Path, severity: str, score: float) -> None:
    assert read_scores(mqm(tmp_path, severity))["score"].to_list() == [score]


def test_a_severity_without_a_weight_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3: severity 'Awful' has no weight; those that have"):
        read_scores(mqm(tmp_path, "Awful"))


@pytest.mark.parametrize(
    "name", ["_ref", "ref", "Reference", "refA", "ref-B", "Human-A", "human", "HumanB", "Human-A.0"]
)
def test_names_of_references(name: str) -> None:
    assert is_reference(name)
    assert as_reference(name) == name


@pytest.mark.parametrize(
    "name", ["refine", "referee", "humanist", "Human-Lab", "cu-ref", "A", "rev"]
)
def test_names_of_systems(name: str) -> None:
    assert not is_reference(name)
    assert is_reference(as_reference(name))


def judged(*outputs: str) -> pl.DataFrame:
    rows = [
        {"pair": "x-y", "ranking": 1, "output": name, "rank": rank}
        for rank, name in enumerate(outputs, 1)
    ]
    return judgement_table(pl.DataFrame(rows))


def test_a_reference_can_be_named() -> None:
    table = judged("gold", "A", "B")
    named = select(table, Selection(reference="gold"))
    assert named["output"].to_list() == ["gold (reference)", "A", "B"]
    left = select(table, Selection(reference="gold", without_reference=True))
    assert left["output"].to_list() == ["A", "B"]
    with pytest.raises(AdjudgeError, match="no system 'silver'"):
        select(table, Selection(reference="silver"))


def test_a_reference_that_is_not_there_cannot_be_left_out() -> None:
    with pytest.raises(AdjudgeError, match="none to leave out; name it with `reference`"):
        select(judged("A", "B"), Selection(without_reference=True))
    assert keep_systems(judged("A", "refA"), Selection(without_reference=True))["output"].len() == 1


def test_an_output_of_no_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^an output of more than 10,000 bytes"):
        judged("A" * 10_001)
    with pytest.raises(InputError, match="seconds are no time a ranking took"):
        judgement_table(judged("A").with_columns(seconds=pl.lit(1e12)))
