"""What the demonstration shows of its judgements."""

import shlex
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from adjudge.report.tables import Table


def result_tables(judgements: pl.DataFrame) -> "list[Table]":
    """The ranking and the agreement."""
    from adjudge.agreement.pairwise import agreement
    from adjudge.comparisons import compare
    from adjudge.ranking import Resampling, rank
    from adjudge.report.agreement import agreement_table
    from adjudge.report.ranking import ranking_table

    ranking = rank(compare(judgements), "expected-wins")
    by_segment = Resampling("segment")
    agreed = agreement_table(agreement(judgements, resampling=by_segment), by_segment)
    return [ranking_table(ranking), agreed]


def write_report_page(judged: str, page: str, title: str) -> None:
    """The report of the file `judged`, as `adjudge report` writes it."""
    from adjudge.analysis.analysis import Settings
    from adjudge.judgements import read
    from adjudge.report.contents import Input
    from adjudge.report.making import FORMS, make_report, write_report

    command = shlex.join(["adjudge", "report", judged, "--title", title, "--output", page])
    form = FORMS["html"]
    table = read(judged)
    report = make_report(table, Settings(), [Input.of(judged)], command, form.images, title)
    write_report(report, form, page)
