"""`tables_for`: the tables of every kind of result, by one call."""

from dataclasses import dataclass

import pytest

from adjudge.agreement.controls import agreement_by_controls
from adjudge.agreement.judges import agreement_by_judge, agreement_by_judges
from adjudge.agreement.pairwise import agreement
from adjudge.agreement.parts import agreement_by
from adjudge.core.errors import BadParameter
from adjudge.core.tables.render import FORMATS, render
from adjudge.core.tables.results import tables_for
from adjudge.data.comparisons import compare
from adjudge.data.item_times import time_items
from adjudge.data.summary import summarise_all
from adjudge.data.win_counts import count
from adjudge.diagnosis.diagnose import diagnose
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.method import METHODS
from adjudge.ranking.method_comparison import compare_methods
from adjudge.ranking.ranking_result import rank
from adjudge.simulation.planning import Goal, plan
from adjudge.stats.resampling import Resampling

FEW = Resampling("segment", replicates=10)

RESULTS = {
    "ranking": lambda table: rank(
        compare(table), METHODS.named("expected-wins"), Resampling(replicates=20)
    ),
    "head to head": lambda table: head_to_head(count(compare(table)), pair="src-tgt"),
    "methods": lambda table: compare_methods(compare(table), runs=1),
    "agreement": lambda table: agreement(table, resampling=FEW),
    "parts": lambda table: agreement_by(table, "block-size", resampling=FEW),
    "judges": lambda table: agreement_by_judge(table, resampling=FEW),
    "pairs of judges": agreement_by_judges,
    "controls": lambda table: agreement_by_controls(table, ["researcher"]),
    "diagnosis": diagnose,
    "times": time_items,
    "plan": lambda table: plan(compare(table), Goal(simulations=10)),
    "summaries": summarise_all,
}


@pytest.mark.parametrize("kind", RESULTS)
def test_every_result_is_shown_in_every_form(complete, kind):
    tables = tables_for(RESULTS[kind](complete), "adjudge:made|seed:1")
    assert tables
    assert all(table.signature == "adjudge:made|seed:1" for table in tables)
    for form in FORMATS:
        assert render(tables, form, 200).count("adjudge:made|seed:1") >= 1, form


def test_a_list_of_results_is_shown_together(complete):
    ranking = RESULTS["ranking"](complete)
    one, two = tables_for(ranking), tables_for([ranking, ranking])
    assert len(two) == 2 * len(one)
    assert tables_for([]) == []


def test_details_of_a_diagnosis_replace_its_summary_for_machines(complete):
    found = diagnose(complete, only="ties")
    summary, *behind = tables_for(found, details=True)
    assert summary.rows
    assert summary.machine_rows() == []
    assert {row["finding"] for table in behind for row in table.machine_rows()} == {"ties"}


def test_intervals_say_how_they_were_made_where_that_is_known(complete):
    agreed = RESULTS["agreement"](complete)
    (silent,), (told,) = tables_for(agreed), tables_for(agreed, resampling=FEW)
    assert "replicates" not in silent.title
    assert "replicates" not in silent.rows[0]
    assert "intervals for other segments like these, by these 12 judges" in told.title
    assert told.title.endswith("(10 replicates of segments)")
    assert told.rows[0]["replicates"] == 10
    (by_default,) = tables_for(agreed, resampling=Resampling(replicates=10))
    assert "replicates" not in by_default.title
    assert by_default.rows[0]["unit"] == "segment"


@dataclass
class Unknown:
    """A result that nobody made a table for."""


def test_a_result_without_a_table_is_refused_by_its_kind():
    with pytest.raises(BadParameter, match="Unknown"):
        tables_for(Unknown())
