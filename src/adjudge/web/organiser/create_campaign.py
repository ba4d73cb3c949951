"""Page that creates a campaign: check, preview, create."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns.people.access import record_creation
from adjudge.web.judging.crowd import preview
from adjudge.web.middleware import ends_in_time
from adjudge.web.organiser.campaign_form import CampaignForm
from adjudge.web.organiser.design_fields import preset_values
from adjudge.web.organiser.uploads import limited

ENOUGH_TO_SEE = 3  # segments: the example and its context


@require_GET
def form_page(request: HttpRequest) -> HttpResponse:
    """Empty form."""
    context = {"form": CampaignForm(), "presets": preset_values()}
    return render(request, "web/organiser/create.html", context)


# Not `csrf_protect` alone: it reads the body, which `limited` must see first (urls.py).
@require_POST
@limited
@csrf_protect
@ends_in_time
def check(request: HttpRequest) -> HttpResponseBase:
    """Show the errors of the form, or a preview with a button that creates the campaign."""
    form = CampaignForm(request.POST, request.FILES)
    page = _example(request, form) if form.is_valid() else None
    context: dict[str, Any] = {"form": form, "page": page}
    if form.is_valid():
        pairs = form.texts
        texts = next(iter(pairs.values()))
        context |= {"texts": texts, "documents": len(set(texts.documents)), "pairs": list(pairs)}
    return render(request, "web/organiser/checked.html", context)


@require_POST
@limited
@csrf_protect
@ends_in_time
def create(request: HttpRequest) -> HttpResponseBase:
    """Create the campaign or project completely, then go to its dashboard; or show the errors."""
    form = CampaignForm(request.POST, request.FILES)
    who = request.user.get_username()
    campaigns = form.make(lambda made: record_creation(made, who, who)) if form.is_valid() else []
    if not campaigns:
        return render(request, "web/organiser/checked.html", {"form": form, "page": None})
    project = campaigns[0].project
    place = ("dashboard", campaigns[0].pk) if project is None else ("project", project.pk)
    address = reverse(place[0], args=[place[1]])
    return HttpResponse(status=204, headers={"HX-Redirect": address})


def _example(request: HttpRequest, form: CampaignForm) -> str | None:
    """Judging page of an example campaign that is rolled back."""
    with transaction.atomic():
        campaigns = form.make_example(ENOUGH_TO_SEE)
        if not campaigns:
            return None
        page = preview(request, campaigns[0], _("This is what judges will see. Nothing is saved."))
        transaction.set_rollback(True)
    return page.content.decode()
