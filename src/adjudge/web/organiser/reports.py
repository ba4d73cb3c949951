"""Current report of a campaign, as a page, LaTeX or Markdown.

It is computed from the download in Adjudge's own format, whose hash it names: `adjudge report` on
that file makes the same page.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import ZipFile

import polars as pl
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.results.tables import judgements_of
from adjudge.core.errors import AdjudgeError, NotEnoughData, in_plain_words
from adjudge.web.organiser.cache import cached
from adjudge.web.organiser.dashboard_numbers import ANALYSIS_FOR, version
from adjudge.web.organiser.downloads import download, stem
from adjudge.web.organiser.metrics import texts_to_report
from adjudge.web.pages import notice

if TYPE_CHECKING:
    from adjudge.api.texts import Texts


@require_GET
def page(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Report page, computed at most once a minute."""
    from adjudge.report.page import content_security_policy

    campaign = get_object_or_404(Campaign, pk=pk)
    protocol = _protocol(request, campaign)

    def compute() -> bytes:
        with TemporaryDirectory(prefix="adjudge-report-") as folder:
            return write_report(_judged(campaign), protocol, "html", Path(folder)).read_bytes()

    try:
        report = cached(("report", pk, protocol), ANALYSIS_FOR, compute, version(campaign))
    except AdjudgeError as error:
        return notice(request, _("No report yet"), in_plain_words(str(error)), status=409)
    response = HttpResponse(report.value)
    response.headers["Content-Security-Policy"] = content_security_policy()
    return response


@require_GET
def files(request: HttpRequest, pk: int, form_name: str) -> HttpResponseBase:
    """Report in LaTeX or Markdown with its figures, in one archive."""
    campaign = get_object_or_404(Campaign, pk=pk)
    if form_name not in ("latex", "markdown"):
        raise Http404

    def make(path: str) -> None:
        with TemporaryDirectory(prefix="adjudge-report-") as folder:
            write_report(_judged(campaign), _protocol(request, campaign), form_name, Path(folder))
            with ZipFile(path, "w") as archive:
                for file in sorted(Path(folder).rglob("*")):
                    archive.write(file, file.relative_to(folder))

    return download(request, f"{stem(campaign.name)}-report-{form_name}.zip", make)


def _protocol(request: HttpRequest, campaign: Campaign) -> str | None:
    """Protocol of the report; None if there is only one."""
    protocol = request.GET.get("protocol")
    if protocol is not None and protocol not in campaign.protocols:
        raise Http404
    return protocol


@dataclass(frozen=True)
class Judged:
    """Judgements of a report, the name of their file, and the title."""

    table: pl.DataFrame
    stem: str
    title: str
    texts: "Texts | None" = None  # for the part on metrics


def _judged(campaign: Campaign) -> Judged:
    texts = texts_to_report(campaign)
    return Judged(judgements_of(campaign), stem(campaign.name), campaign.name, texts)


def write_report(judged: Judged, protocol: str | None, form_name: str, folder: Path) -> Path:
    """Write the report of one protocol, with figures in separate files if the form needs them."""
    # Loaded here: a server that starts (again) should answer judges soon.
    from adjudge.api.reading import read_as
    from adjudge.api.report_texts import given_texts
    from adjudge.api.reports import write_report_of
    from adjudge.data.table_files import write
    from adjudge.report.analysis import Settings
    from adjudge.report.build import FORMS

    table = judged.table
    if not len(table) or table["rank"].null_count() == len(table):
        raise NotEnoughData(_("nothing is ranked yet"))
    name, output = f"{judged.stem}.jsonl", f"report{FORMS[form_name].ending}"
    with TemporaryDirectory(prefix="adjudge-judgements-") as own:
        file = str(Path(own, name))
        write(table, file, "jsonl")
        judgements = read_as("judgements", file)
    judgements = replace(judgements, source=judgements.source.called(name))
    if protocol is not None:
        judgements = judgements.select(protocol=protocol)
    place = folder / output
    given = given_texts(judged.texts, None)
    write_report_of(judgements, str(place), Settings(), judged.title, given=given, named=output)
    return place
