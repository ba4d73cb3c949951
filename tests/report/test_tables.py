"""One table, five ways to print it."""

import csv
import io
import json

import numpy as np
import pytest

from adjudge.report.typesetting import Column, Table, render

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
