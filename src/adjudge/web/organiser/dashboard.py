"""The list of campaigns and a campaign's dashboard, whose parts renew themselves."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns import management
from adjudge.campaigns.controls import mark_controls
from adjudge.campaigns.export import kinds_of
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.progress import JudgeProgress
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.judgements.formats import FORMATS
from adjudge.report.tables import Table
from adjudge.web.organiser import numbers
from adjudge.web.organiser.analysing import Analysis


@dataclass(frozen=True)
class Cell:
    """A cell of a table on a page."""

    text: str
    number: bool


def rows_of(table: Table) -> list[tuple[list[Cell], bool]]:
    """The cells of each row, and whether a line follows it."""
    right = [column.numeric(table.rows) for column in table.columns]
    return [
        ([Cell(*cell) for cell in zip(cells, right, strict=True)], i in table.lines_after)
        for i, cells in enumerate(table.cells())
    ]


@require_GET
def campaigns(request: HttpRequest) -> HttpResponse:
    """Every campaign, the newest first."""
    found = [(one, numbers.live(one).value) for one in Campaign.objects.order_by("-created")]
    return render(request, "web/organiser/campaigns.html", {"campaigns": found})


@require_GET
def dashboard(request: HttpRequest, pk: int) -> HttpResponse:
    """The page; what takes time comes in afterwards."""
    campaign = get_object_or_404(Campaign, pk=pk)
    kinds = kinds_of(campaign)
    ranked = [name for name in campaign.protocols if PROTOCOLS.named(name).kind == "judgements"]
    context = {
        "formats": [
            chosen
            for chosen in FORMATS.values()
            if chosen.write and chosen.kind == "judgements" and "judgements" in kinds
        ],
        "tables": [kind for kind in kinds if kind != "judgements"],
        "reports": ranked if len(campaign.protocols) > 1 else [None] * len(ranked),
        "controls": campaign.plan.controls > 0,
        **_live(campaign, numbers.last_analysis(campaign)),
    }
    return render(request, "web/organiser/dashboard.html", context)


@require_GET
def live_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Progress, groups and judges."""
    campaign = get_object_or_404(Campaign, pk=pk)
    context = {"renewed": True, **_live(campaign, numbers.analysis(campaign).value)}
    return render(request, "web/organiser/live.html", context)


@require_GET
def analysis_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Ranking and agreement."""
    found = numbers.analysis(get_object_or_404(Campaign, pk=pk))
    context = {
        "tables": [
            (heading, table, _headings(table), rows_of(table))
            for heading, table in found.value.tables
        ],
        "missing": found.value.missing,
        "age": max(0, round((timezone.now() - found.at).total_seconds())),
    }
    return render(request, "web/organiser/analysis.html", context)


def _headings(table: Table) -> list[Cell]:
    return [Cell(column.heading, column.numeric(table.rows)) for column in table.columns]


def _live(campaign: Campaign, analysis: Analysis | None) -> dict[str, Any]:
    found = numbers.live(campaign)
    kappa = analysis.kappa if analysis else {}
    keys = dict(campaign.judges.values_list("name", "pk"))
    return {
        "campaign": campaign,
        "progress": found.value.progress,
        "groups": found.value.groups,
        "protocols": found.value.protocols,
        "judges": [
            (keys[judge.judge], judge, kappa.get(judge.judge), share_too_fast(judge))
            for judge in found.value.judges
            if judge.judge in keys
        ],
        "flagged": [judge for judge in found.value.judges if judge.flag],
        "at": found.at,
    }


def share_too_fast(judge: JudgeProgress) -> float | None:
    """The part of a judge's rankings that were too fast, in percent."""
    return 100 * judge.too_fast / judge.rankings if judge.rankings else None


@require_POST
def set_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a campaign, or open it again."""
    campaign = get_object_or_404(Campaign, pk=pk)
    if request.POST.get("state") == Campaign.State.CLOSED:
        management.close(campaign)
        messages.success(request, _("The campaign is closed: no more work is given out."))
    else:
        management.reopen(campaign)
        messages.success(request, _("The campaign is open."))
    return redirect("dashboard", pk)


@require_POST
def find_controls(request: HttpRequest, pk: int) -> HttpResponse:
    """Look for controls in what trusted judges agree on."""
    found = mark_controls(get_object_or_404(Campaign, pk=pk))
    said = ngettext("%d control found.", "%d controls found.", found) % found
    messages.success(request, said)
    return redirect("dashboard", pk)
