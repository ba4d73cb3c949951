"""One table, six ways to print it."""

import csv
import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from adjudge.core.errors import BadParameter, as_options
from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Table

TABLE = Table(
    rows=[
        {"system": "online_A & co|x", "score": np.float64(0.12345), "n": 12345, "extra": True},
        {"system": "שלום", "score": float("nan"), "n": None, "extra": False},
    ],
    columns=[Column("system", "System"), Column("score", "Score", 2), Column("n", "Comparisons")],
    title="fre-eng",
    notes=["A note."],
    lines_after=frozenset({0}),
)


def test_json_carries_every_key_and_full_precision_and_no_nan():
    rows = json.loads(render([TABLE, TABLE], "json"))
    assert len(rows) == 4
    assert rows[0] == {"system": "online_A & co|x", "score": 0.12345, "n": 12345, "extra": True}
    assert rows[1]["score"] is None


def test_csv_reads_back():
    rows = list(csv.DictReader(io.StringIO(render([TABLE], "csv"))))
    assert rows[0]["system"] == "online_A & co|x"
    assert float(rows[0]["score"]) == 0.12345
    assert rows[1]["score"] == ""


def test_no_rows_is_an_empty_json_array():
    assert json.loads(render([Table([], [])], "json")) == []


def test_terminal_shows_title_rules_and_notes():
    lines = render([TABLE], "table", 80).splitlines()
    assert lines[0] == "fre-eng"
    assert "12,345" in lines[3]
    assert set(lines[4].strip()) == {"─"}, "a rule follows the first row"
    assert lines[-1] == "A note."
    assert all(line == line.rstrip() for line in lines)


def test_markdown_escapes_the_bar():
    text = render([TABLE], "markdown")
    assert r"online_A & co\|x | 0.12 | 12,345 |" in text
    assert "|:---|---:|---:|" in text


def test_latex_escapes_what_tex_would_read():
    text = render([TABLE], "latex")
    assert r"online\_A \& co\textbar{}x & 0.12 & 12,345 \\" in text
    assert text.count(r"\midrule") == 2
    assert r"\toprule" in text
    assert r"\bottomrule" in text


@pytest.mark.parametrize(
    ("column", "row", "shown"),
    [
        (Column("x", ""), {"x": None}, ""),
        (Column("x", ""), {}, ""),
        (Column("x", "", percent=True), {"x": 0.123}, "12 %"),
        (Column("x", "", 1, percent=True), {"x": 0.1234}, "12.3 %"),
        (Column("x", ""), {"x": False}, "no"),
        (Column("x", "", 2), {"x": -0.001}, "0.00"),
        (Column("x", ""), {"x": np.int64(1234)}, "1,234"),
        (Column("x", "", 2), {"x": np.float32(0.5)}, "0.50"),
    ],
)
def test_cells(column, row, shown):
    assert column.show(row) == shown


def test_a_narrow_terminal_breaks_sentences_and_never_numbers_or_names():
    row = {"name": "a-name-of-some-length-without-spaces", "p": 0.123456, "why": "word " * 20}
    columns = [Column("name", "Name"), Column("p", "P", 6), Column("why", "Why")]
    text = render([Table([row], columns)], "table", 60)
    assert "a-name-of-some-length-without-spaces   0.123456" in text
    assert text.count("word") == 20
    assert "…" not in text


def fitted(table: Table, monkeypatch) -> list[str]:
    """The table as a terminal of 80 columns shows it."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = render([table], "table").splitlines()
    assert [line for line in lines if len(line) > 80] == []
    return lines


NAMES = [f"newstest2015.{name}.fi-en.txt" for name in ("abumatran-hfstmorph.4007", "UoS.4059")]


def test_at_a_terminal_names_lose_first_what_all_of_them_share(monkeypatch):
    columns = [Column("system", "system"), *(Column(k, f"column {k}") for k in "abcde")]
    rows = [{"system": name, **dict.fromkeys("abcde", 123456)} for name in NAMES]
    total = {"system": "the sum of both", **dict.fromkeys("abcde", 246912)}
    lines = fitted(Table([*rows, total], columns, totals=1), monkeypatch)
    assert lines[0].split() == ["column"] * 5
    assert lines[1].split() == ["system", *"abcde"]
    assert [line.split()[0] for line in lines[3:5]] == ["abumatran-hfstmorph.4007", "UoS.4059"]
    assert lines[5].startswith("the sum of both   ")
    assert lines[5].split()[-5:] == ["246,912"] * 5


def test_two_columns_of_the_same_names_are_shortened_alike(monkeypatch):
    columns = [Column("better", "better"), Column("worse", "worse"), Column("p", "p", 3)]
    rows = [
        {"better": NAMES[0], "worse": NAMES[1], "p": 0.5},
        {"better": NAMES[1], "worse": NAMES[0], "p": 0.25},
    ]
    lines = fitted(Table(rows, columns), monkeypatch)
    assert lines[2].split() == ["abumatran-hfstmorph.4007", "UoS.4059", "0.500"]


def test_in_parts_rows_are_named_by_as_many_columns_as_tell_them_apart(monkeypatch):
    names = [Column("pair", "pair"), Column("kind", "kind"), Column("group", "group")]
    columns = [*names, *(Column(k, f"column-of-numbers-{k}") for k in "abcd")]
    rows = [
        {"pair": "en-de", "kind": "inter", "group": group, **dict.fromkeys("abcd", 1)}
        for group in ("experts", "crowd", "experts and crowd")
    ]
    lines = fitted(Table(rows, columns), monkeypatch)
    for group in ("experts  ", "crowd", "experts and crowd"):
        named = [line for line in lines if line.startswith(f"en-de   inter   {group}")]
        assert len(named) == len(lines) // 5 > 1, group


def test_a_very_narrow_terminal_has_room_for_one_name(monkeypatch):
    columns = [Column("pair", "pair"), Column("group", "group"), Column("why", "why")]
    rows = [
        {"pair": "en-de-of-some-kind", "group": f"experts and {other}", "why": "word " * 20}
        for other in ("the crowd", "students")
    ]
    monkeypatch.setenv("COLUMNS", "60")
    lines = render([Table(rows, columns)], "table").splitlines()
    assert max(map(len, lines)) <= 60


def test_names_with_spaces_begin_every_part(monkeypatch):
    columns = [Column("pair", "pair"), *(Column(k, f"column-of-numbers-{k}") for k in "abcd")]
    rows = [{"pair": f"en-de {of}", **dict.fromkeys("abcd", 1)} for of in ("news", "law")]
    lines = fitted(Table(rows, columns), monkeypatch)
    assert [line[:12] for line in lines if "1" in line] == ["en-de news  ", "en-de law   "] * 2


def test_names_are_shortened_by_their_width_on_the_screen(monkeypatch):
    columns = [Column("system", "system"), *(Column(k, f"column-{k}") for k in "abcd")]
    rows = [
        {
            "system": f"東京大学機械翻訳研究室統計的翻訳システム第{which}版",
            **dict.fromkeys("abcd", 1),
        }
        for which in "一二"
    ]
    lines = fitted(Table(rows, columns), monkeypatch)
    assert len(lines) == 4  # in one part
    assert [cell_len(line) for line in lines] == [cell_len(lines[1])] * 4
    assert cell_len(lines[1]) <= 80


@given(
    st.lists(
        st.builds(
            "a{0}{1}{0}b".format, st.sampled_from(["", "c" * 40]), st.text("ab-.1", max_size=9)
        ),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    st.lists(st.text("abc ", min_size=1, max_size=25), min_size=1, max_size=9),
    st.integers(0, 10**9),
)
def test_any_table_of_names_and_numbers_fits_a_terminal(names, headings, number):
    keys = [f"k{place}" for place in range(len(headings))]
    columns = [Column("name", "name"), *map(Column, keys, headings)]
    rows = [{"name": name, **dict.fromkeys(keys, number)} for name in names]
    with pytest.MonkeyPatch.context() as patch:
        lines = fitted(Table(rows, columns), patch)
    shown = [line for line in lines if f"{number:,}" in line]
    assert sum(line.split().count(f"{number:,}") for line in shown) == len(keys) * len(names)


SIGNED = replace(TABLE, signature="adjudge:rank|seed:1|input:sha256-0<1")


def test_html_is_escaped_aligned_and_ruled():
    text = render([TABLE], "html")
    root = ElementTree.fromstring(text)
    cells = [[cell.text or "" for cell in row] for row in root.iter("tr")]
    assert cells[1:] == TABLE.cells()
    sides = [re.search(r"text-align:(\w+)", cell.get("style"))[1] for cell in root.iter("th")]
    assert sides == ["left", "right", "right"]
    ruled = ["border-bottom" in row[0].get("style") for row in root.iter("tr")]
    assert ruled == [True, True, False]  # the headings, and the only cluster that others follow
    assert [note.text for note in root.iter("p")] == ["A note."]
    assert "http" not in text
    assert not re.search(r"#[0-9a-f]{3}|rgb\(|<style|<script|url\(", text)  # the page's own colours


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_html_shows_any_text_as_it_is(text):
    table = Table([{"name": text}], [Column("name", text)], text, [text], signature=text)
    root = ElementTree.fromstring(render([table], "html"))
    for element in ("caption", "th", "td", "p", "code"):
        shown = next(root.iter(element), None)
        assert ((shown.text or "") if shown is not None else "") == text


@pytest.mark.parametrize("to", ["table", "markdown", "html", "latex"])
def test_the_signature_is_the_last_line_once(to):
    text = render([SIGNED, SIGNED], to, 30).rstrip().removesuffix("</div>").rstrip()
    shown = SIGNED.signature.replace("<", "&lt;") if to == "html" else SIGNED.signature
    assert text.count(shown) == 1
    assert shown in text.splitlines()[-1]
    assert "A note." in text.splitlines()[-2 if to != "markdown" else -3]
    if to == "latex":
        assert text.splitlines()[-1].startswith("% ")


def test_rows_carry_the_signature_where_there_is_one():
    rows = json.loads(render([SIGNED, TABLE], "json"))
    assert [row.get("signature") for row in rows] == [SIGNED.signature] * 2 + [None] * 2
    assert "signature" not in rows[2]
    columns = list(csv.DictReader(io.StringIO(render([SIGNED], "csv"))))
    assert [row["signature"] for row in columns] == [SIGNED.signature] * 2


def test_machines_get_the_data_and_people_the_layout():
    table = replace(TABLE, data=[{"a": 1}])
    assert json.loads(render([table], "json")) == [{"a": 1}]
    assert "online_A" in render([table], "table", 80)
    assert json.loads(render([replace(TABLE, data=())], "json")) == []


def test_parameters_are_said_as_options_in_notes_and_sentences_only():
    table = Table(
        [{"system": "`unit`", "remedy": "leave out with `without_judge`"}],
        [Column("system", ""), Column("remedy", "")],
        notes=['Wider (`unit="segment"`).'],
        sentences=frozenset({"remedy"}),
    )
    for to in ("table", "json"):
        text = render([table], to, 80, as_options)
        assert "leave out with --without-judge" in text
        assert "`unit`" in text
    assert "Wider (--unit segment)." in render([table], "table", 80, as_options)
    assert "`without_judge`" in render([table], "table", 80)


def test_an_unknown_form_is_refused():
    with pytest.raises(BadParameter, match="did you mean 'json'"):
        render([TABLE], "jsn")
