"""List of campaigns, and a campaign's dashboard with parts that refresh themselves."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.people.access import visible_campaigns
from adjudge.campaigns.people.crowd import UNSIGNED, crowd_of
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.results.controls import mark_controls
from adjudge.campaigns.results.progress import JudgeProgress
from adjudge.campaigns.results.texts import has_texts
from adjudge.campaigns.setup import campaign_state
from adjudge.campaigns.store.audit import recorded
from adjudge.web.organiser import dashboard_numbers
from adjudge.web.organiser.accounts import organiser_of
from adjudge.web.organiser.analyses import Analysis
from adjudge.web.organiser.result_tables import shown


@require_GET
def campaigns(request: HttpRequest) -> HttpResponse:
    """Campaigns this organiser may see, the newest first."""
    organiser = organiser_of(request)
    archived = "archived" in request.GET
    visible = visible_campaigns(organiser).order_by("-created").select_related("project")
    rows = [
        (campaign, dashboard_numbers.live(campaign).value)
        for campaign in visible.filter(archived__isnull=not archived)
    ]
    context = {
        "campaigns": rows,
        "archived": archived,
        "in_archive": visible.exclude(archived=None).count(),
        "administrator": organiser.is_administrator,
    }
    return render(request, "web/organiser/campaigns.html", context)


@require_GET
def dashboard(request: HttpRequest, pk: int) -> HttpResponse:
    """Dashboard page; slow parts are loaded afterwards."""
    campaign = get_object_or_404(Campaign, pk=pk)
    ranked = [name for name in campaign.protocols if PROTOCOLS.named(name).kind == "judgements"]
    context = {
        "reports": ranked if len(campaign.protocols) > 1 else [None] * len(ranked),
        "controls": campaign.design.controls > 0,
        "has_texts": has_texts(campaign),
        **_live(campaign, dashboard_numbers.last_analysis(campaign)),
    }
    return render(request, "web/organiser/dashboard.html", context)


@require_GET
def live_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Progress, groups and judges."""
    campaign = get_object_or_404(Campaign, pk=pk)
    context = {"renewed": True, **_live(campaign, dashboard_numbers.analysis(campaign).value)}
    return render(request, "web/organiser/live.html", context)


@require_GET
def analysis_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Ranking and agreement."""
    analysis = dashboard_numbers.analysis(get_object_or_404(Campaign, pk=pk))
    context = {
        "tables": [shown(heading, table) for heading, table in analysis.value.tables],
        "missing": analysis.value.missing,
        "age": max(0, round((timezone.now() - analysis.at).total_seconds())),
    }
    return render(request, "web/organiser/analysis.html", context)


def _live(campaign: Campaign, analysis: Analysis | None) -> dict[str, Any]:
    live = dashboard_numbers.live(campaign)
    kappa = analysis.kappa if analysis else {}
    keys = dict(campaign.judges.values_list("name", "pk"))
    crowd = crowd_of(campaign)
    return {
        "campaign": campaign,
        "progress": live.value.progress,
        "groups": live.value.groups,
        "protocols": live.value.protocols,
        "judges": [
            (keys[judge.judge], judge, kappa.get(judge.judge), share_too_fast(judge))
            for judge in live.value.judges
            if judge.judge in keys
        ],
        "flagged": [judge for judge in live.value.judges if judge.flag],
        "alike": [judge for judge in live.value.judges if judge.same],
        "unsigned": UNSIGNED if crowd is not None and not crowd.signed else None,
        "at": live.at,
    }


def share_too_fast(judge: JudgeProgress) -> float | None:
    """Percentage of a judge's rankings that were too fast."""
    return 100 * judge.too_fast / judge.rankings if judge.rankings else None


@require_POST
def set_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Close or reopen a campaign."""
    campaign, who = get_object_or_404(Campaign, pk=pk), request.user.get_username()
    if request.POST.get("state") == Campaign.State.CLOSED:
        with recorded(campaign, who, "closed the campaign"):
            campaign_state.close(campaign)
        messages.success(request, _("The campaign is closed: no more work is given out."))
    else:
        with recorded(campaign, who, "opened the campaign again"):
            campaign_state.reopen(campaign)
        messages.success(request, _("The campaign is open."))
    return redirect("dashboard", pk)


@require_POST
def find_controls(request: HttpRequest, pk: int) -> HttpResponse:
    """Search for controls in the consensus of trusted judges."""
    campaign = get_object_or_404(Campaign, pk=pk)
    with recorded(campaign, request.user.get_username(), "looked for controls") as details:
        details["controls"] = controls = mark_controls(campaign)
    said = ngettext("%d control found.", "%d controls found.", controls) % controls
    messages.success(request, said)
    return redirect("dashboard", pk)
