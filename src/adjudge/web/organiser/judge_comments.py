"""What judges write: comments on items, messages, and why they skipped something."""

from dataclasses import asdict

import polars as pl
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.people.remarks import said_in, skip_reasons
from adjudge.core.errors import NotEnoughData
from adjudge.web.organiser.downloads import download, stem

SHOWN = 50  # the newest; all are in the file


@require_GET
def part(request: HttpRequest, pk: int) -> HttpResponse:
    """A part of the dashboard; with `?judge=…`, of a judge's page."""
    campaign = get_object_or_404(Campaign, pk=pk)
    key = request.GET.get("judge", "")
    judge = get_object_or_404(Judge, campaign=campaign, pk=int(key)) if key.isdecimal() else None
    said = said_in(campaign, judge)
    context = {
        "campaign": campaign,
        "judge": judge,
        "said": said[:SHOWN],
        "more": max(0, len(said) - SHOWN),
        "reasons": [] if judge else skip_reasons(campaign)[:SHOWN],
    }
    return render(request, "web/organiser/said.html", context)


@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponseBase:
    """All of it as CSV."""
    campaign = get_object_or_404(Campaign, pk=pk)
    rows = [asdict(said) for said in said_in(campaign)]

    def make(path: str) -> None:
        if not rows:
            raise NotEnoughData(_("Judges have written nothing yet."))
        pl.DataFrame(rows).drop("judge_key").write_csv(path)

    return download(request, f"{stem(campaign.name)}-comments.csv", make)
