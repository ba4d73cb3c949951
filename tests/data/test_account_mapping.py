"""Accounts become people where a file says whose they are."""

from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.data.account_mapping import read_mapping

SCORES = "engces01,A,1,TGT,eng,ces,80\nengces05,B,1,TGT,eng,ces,70\nengces09,A,1,TGT,eng,ces,60\n"


def mapping(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "accounts"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        '{"Ada": ["engces01", "engces05"]}',
        '{"engces01": "Ada", "engces05": "Ada"}',
        '{"en-cs": {"engces01": "Ada", "engces05": "Ada"}}',
        "engces01,Ada\nengces05,Ada\n",
        "engces01\tAda\nengces05\tAda\n",
    ],
)
def test_every_way_to_write_a_mapping(tmp_path: Path, text: str) -> None:
    path = mapping(tmp_path, text)
    assert read_mapping(InputFile(path)) == {"engces01": "Ada", "engces05": "Ada"}


def test_judges_are_people(tmp_path: Path) -> None:
    path = mapping(tmp_path, '{"Ada": ["engces01", "engces05"]}')
    scores = tmp_path / "scores.csv"
    scores.write_text(SCORES)
    read = adjudge.read(str(scores), judges_from=str(path))
    assert read.judges == ("Ada", "engces09")
    implied = adjudge.read(str(scores), judges_from=str(path), kind="judgements")
    assert implied.info().to_frame()["comparisons"].to_list() == [1]
    ranking = read.rank(unit="none")
    assert "judges_from" in str(ranking.signature)
    assert adjudge.again(str(ranking.signature), str(scores)).systems == ranking.systems


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"Ada": 3}', "is no mapping of accounts to people"),
        ('{"Ada": ["engces01"', "is no mapping of accounts to people"),
        ('{"Ada": ["x"], "Bob": ["x"]}', "account 'x' belongs to 'Ada' and to 'Bob'"),
        ("engces01,Ada\nengces05\n", "line 2: has 1 fields instead of 2"),
        ("engces01,\n", "line 1: an account or a person has no name"),
        ("other,Ada\n", "names no account of these judgements; the judges are engces01, engces05"),
    ],
)
def test_bad_mappings_are_refused(tmp_path: Path, text: str, message: str) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text(SCORES)
    with pytest.raises(InputError, match=message):
        adjudge.read(str(scores), judges_from=str(mapping(tmp_path, text)))
