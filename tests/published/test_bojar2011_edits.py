"""Bojar 2011 §4.1 on its own data: how few edits a score of WMT10 rests on."""

from pathlib import Path

import polars as pl
import pytest

from adjudge.data.edit_table import BLIND_EDIT
from adjudge.data.table_files import read_edits
from adjudge.scoring.edits.data_rows import data_rows
from adjudge.scoring.edits.understandability import understandability

# Edits of a system: fewest, mean, standard deviation, most.
TABLE_11 = {
    "English-Czech": ("40", "65", "19", "115"),
    "English-French": ("40", "66", "17", "110"),
    "English-German": ("10", "40", "16", "80"),
    "English-Spanish": ("30", "54", "15", "85"),
    "Czech-English": ("5", "38", "13", "60"),
    "French-English": ("5", "37", "15", "70"),
    "German-English": ("10", "32", "12", "65"),
    "Spanish-English": ("35", "56", "11", "70"),
}


@pytest.fixture(scope="module")
def edits(shared_data: Path) -> pl.DataFrame:
    return read_edits(str(shared_data / "wmt07-11" / "wmt10.EDT.tsv.gz"))


def test_table_11(published, edits):
    """The reference is among the systems; the deviation is that of a sample (n − 1)."""
    table = published("Bojar 2011", "Table 11", "WMT10")
    made = edits.filter(pl.col("protocol").cast(pl.String) == BLIND_EDIT)
    each = made.group_by("pair", "output").len()
    for pair, figures in TABLE_11.items():
        number = each.filter(pl.col("pair").cast(pl.String) == pair)["len"]
        ours = (number.min(), number.mean(), number.std(), number.max())
        table.row(pair, figures, ours)


def test_section_4_1(published, edits):
    """Acceptable are edits that the reviewer said yes to; the intervals are Wilson's."""
    table = published("Bojar 2011", "§4.1", "WMT10")
    rows = data_rows(edits.filter(pl.col("pair").cast(pl.String) == "Czech-English"))
    found = understandability(rows)
    ends = {}
    for system, figures in (("cu-bojar", ("3", "5")), ("cmu", ("5", "30"))):
        at = found.systems.index(system)
        ours = (int(found.counts[at, :2].sum()), int(found.counts[at].sum()))
        table.row(f"{system}: acceptable, of", figures, ours)
        ends[system] = found.wilson(at)
        low, high = (f"{100 * end:.0f} %" for end in ends[system])
        table.words(f"{system}: acceptable", "unreliable", f"{low} to {high}")
    assert ends["cu-bojar"][0] < ends["cmu"][1]
    assert not found.placed[found.systems.index("cu-bojar")]
    table.words("cu-bojar wins WMT10's Figure 3", "deceiving", "not placed, too few edits")
    share = dict(zip(found.systems, found.share, strict=True))
    assert sorted(share, key=share.__getitem__)[-2:] == ["cu-bojar", "_ref"]
