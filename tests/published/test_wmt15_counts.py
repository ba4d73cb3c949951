"""The published totals of the WMT15 campaign."""

import csv

import numpy as np
import polars as pl
import pytest

from adjudge.data.comparisons import by_pair, compare
from adjudge.data.summary import summarise
from adjudge.data.table_files import read
from adjudge.data.win_counts import count

LANGUAGES = {
    "ces": "Czech",
    "deu": "German",
    "eng": "English",
    "fin": "Finnish",
    "fre": "French",
    "rus": "Russian",
}


@pytest.fixture(scope="module")
def wmt15(shared_data) -> pl.DataFrame:
    return read(str(shared_data / "wmt15" / "wmt15.xml.gz"))


@pytest.fixture(scope="module")
def official(shared_data) -> dict[tuple[str, str], tuple[int, int]]:
    """Comparisons and ties by form and language pair; the same in the intra and inter rows."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    with (shared_data / "wmt15" / "official-agreement.tsv").open() as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            if row["kind"] == "inter":
                key = row["form"], row["language_pair"]
                found[key] = int(row["total"]), int(row["ties"])
    return found


def test_rankings_and_judges(published, wmt15):
    table = published("WMT15", "campaign", "WMT15")
    table.row("rankings", "29,017", wmt15["ranking"].n_unique())
    assert wmt15["judge"].n_unique() == 132
    assert sum(summary.skipped for summary in summarise(wmt15)) == 757


@pytest.mark.parametrize("form", ["expanded", "collapsed"])
def test_totals_and_ties(wmt15, official, form):
    found = {}
    for pair, part in by_pair(wmt15):
        comparisons = compare(part, form)
        source, target = (LANGUAGES[code] for code in pair.split("-"))
        ties = int(np.count_nonzero(comparisons.outcome == 0))
        found[form, f"{source}-{target}"] = len(comparisons), ties
        counts = count(comparisons)
        assert counts.comparisons.sum() == 2 * len(comparisons)
        assert counts.ties.sum() == 2 * ties
    assert found == {key: value for key, value in official.items() if key[0] == form}


@pytest.mark.parametrize("form", ["expanded", "collapsed"])
def test_summary_says_the_same(wmt15, official, form):
    for summary in summarise(wmt15, form):
        source, target = (LANGUAGES[code] for code in summary.pair.split("-"))
        assert (summary.comparisons, summary.ties) == official[form, f"{source}-{target}"]
