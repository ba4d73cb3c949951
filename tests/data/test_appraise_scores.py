"""Appraise's exports of scores: their layouts, what is left out of them, what is refused."""

from pathlib import Path

import pytest

from adjudge.core.errors import InputError
from adjudge.data.table_files import Loaded, read_any

ROW = "engces01,A,11,TGT,eng,ces,80"
TIMES = "1700000000.5,1700000010.0"


def read(tmp_path: Path, *rows: str) -> Loaded:
    path = tmp_path / "export.csv"
    path.write_text("\n".join(rows) + "\n")
    return read_any(path)


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        f"{ROW},{TIMES}",
        f"{ROW},{TIMES},3,500",
        f"{ROW},cats,False,{TIMES}",
        f"{ROW},cats,False,[],{TIMES}",
        f"{ROW},cats,False,[],{TIMES},3,500",
        f"{ROW.replace(',A,', ',cats_en,A,')},cats,False,[],{TIMES},3,500",
    ],
)
def test_every_layout_without_a_header(tmp_path: Path, row: str) -> None:
    (found,) = read(tmp_path, row).frame.to_dicts()
    assert (found["pair"], found["judge"], found["output"]) == ("en-cs", "engces01", "A")
    assert (found["segment"], found["score"]) == ("11", 80)
    assert found["document"] == ("cats" if "cats," in row else None)
    assert found["seconds"] == (9.5 if TIMES in row else None)
    assert found["scale"] == ("error-spans" if "[]" in row else "direct-assessment")


def test_a_header_in_any_spelling(tmp_path: Path) -> None:
    header = "Username,system_id,itemId,itemType,srcLang,trgLang,Score,docId,isDocScore"
    (found,) = read(tmp_path, header, f"{ROW},cats,False").frame.to_dicts()
    assert (found["judge"], found["output"], found["document"]) == ("engces01", "A", "cats")


def test_spans_end_with_their_last_character(tmp_path: Path) -> None:
    spans = (
        '"[{""start_i"":2,""end_i"":2,""severity"":""minor"",""error_type"":null},'
        '{""start_i"":""missing"",""end_i"":""missing"",""severity"":""undecided""}]"'
    )
    (found,) = read(tmp_path, f"{ROW},cats,False,{spans},{TIMES}").frame["spans"].to_list()
    assert [tuple(span.values()) for span in found] == [
        (2, 3, "minor", None),
        (None, None, "neutral", None),
    ]


def test_the_scores_of_mqm_are_those_of_its_spans(tmp_path: Path) -> None:
    spans = (
        '"[{""start_i"":2,""end_i"":2,""severity"":""minor"",'
        '""error_type"":[""Linguistic conventions"",""Punctuation""]},'
        '{""start_i"":4,""end_i"":9,""severity"":""major"",'
        '""error_type"":[""Accuracy"",""Overtranslation""]}]"'
    )
    zero = ROW.replace(",80", ",0")
    clean = zero.replace(",11,", ",12,")
    table = read(
        tmp_path, f"{zero},cats,False,{spans},{TIMES}", f"{clean},cats,False,[],{TIMES}"
    ).frame
    assert table["scale"].unique().to_list() == ["mqm"]
    assert table["score"].to_list() == pytest.approx([-5.1, 0])
    assert [span["category"] for span in table["spans"][0]] == [
        "punctuation",
        "Accuracy/Overtranslation",
    ]


def test_what_the_organisers_leave_out_is_counted(tmp_path: Path) -> None:
    loaded = read(
        tmp_path,
        f"{ROW},cats,False,[],{TIMES}",
        f"{ROW.replace('80', '70')},cats,False,[],1700000100.5,1700000110.0",
        f"{ROW.replace('TGT', 'BAD')},cats,False,[],{TIMES}",
        f"{ROW.replace('TGT', 'REF')},cats,False,[],{TIMES}",
        f"{ROW.replace(',A,', ',ende-tutorial1,')},x,False,[],{TIMES}",
        f"{ROW},canary,False,[],{TIMES}",
        f"{ROW},cats#incomplete,False,[],{TIMES}",
        f"{ROW},cats#A#duplicate1,False,[],{TIMES}",
        f"{ROW},cats,True,[],{TIMES}",
    )
    assert loaded.frame["score"].to_list() == [70]
    assert loaded.left_out == (
        "Left out: 1 controls (type BAD), 1 controls (type REF), 1 tutorial items, 1 canary items, "
        "1 items of documents marked #incomplete, 1 items of documents marked #dup, 1 scores of "
        "whole documents, 1 earlier scores of an output by the same account."
    )


def test_a_file_of_controls_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no scores but those that are left out \(1 controls"):
        read(tmp_path, f"{ROW.replace('TGT', 'BAD')},{TIMES}")


def test_items_of_a_task_are_numbered_in_their_document(tmp_path: Path) -> None:
    table = read(
        tmp_path,
        f"u1,wmt23.B,99,TGT,eng,deu,50,cats#B,False,[],{TIMES}",
        f"u1,wmt23.B,98,TGT,eng,deu,60,cats#B,False,[],{TIMES}",
        f"u2,wmt23.refA,12,TGT,eng,deu,70,cats#refA,False,[],{TIMES}",
    ).frame
    assert table.select("document", "segment", "output").rows() == [
        ("cats", "2", "B"),
        ("cats", "1", "B"),
        ("cats", "1", "refA"),
    ]


def test_names_of_segments_in_the_layout_of_wmt25(tmp_path: Path) -> None:
    row = f"u1,A,en-cs_CZ_#_news_#_cats_#_4,TGT,eng,ces,50,x,False,[],{TIMES}"
    (found,) = read(tmp_path, row).frame.to_dicts()
    assert (found["document"], found["segment"]) == ("news_#_cats", "4")


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("generaltest2022.en-liv.hyp.TAL-SJTU.liv.txt", "TAL-SJTU"),
        ("generaltest2022.liv-en.ref.A.en.txt", "refA"),
        ("Claude-3.5", "Claude-3.5"),
    ],
)
def test_systems_named_after_files(tmp_path: Path, name: str, system: str) -> None:
    table = read(tmp_path, f"{ROW.replace(',A,', f',{name},')},{TIMES}").frame
    assert table["output"].to_list() == [system]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (f"{ROW.replace('TGT', 'XXX')},cats,False,[],{TIMES}", "line 2: item type 'XXX' is none"),
        (f"{ROW.replace('80', '180')},cats,False,[],{TIMES}", "line 2: score 180 lies outside"),
        (f"{ROW},cats,False,[{{,{TIMES}", "line 2: has error spans that cannot be read"),
        (f'{ROW},cats,False,"[{{""start_i"":3,""end_i"":1}}]",{TIMES}', "span from '3' to '1'"),
        (f"{ROW},cats,False,[],{TIMES},5", "line 2: has 13 fields instead of 12"),
        (f"{ROW},cats,False,[],never,1.0", "line 2: start 'never' is not a number"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, bad: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, f"{ROW},cats,False,[],{TIMES}", bad)
