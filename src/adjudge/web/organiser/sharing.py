"""Whom a campaign is shared with, and the log of what was done with it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from adjudge.campaigns.models import Access, AuditEntry, Campaign
from adjudge.campaigns.people.access import may_change, share, unshare
from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.web.organiser.accounts import organiser_of

ENTRIES = 100  # of the log, on a page
_ROLES = [
    (Access.Role.ANALYST.value, gettext_lazy("analyst: reads everything but the seed")),
    (Access.Role.OWNER.value, gettext_lazy("owner: may change everything")),
]


class SharingForm(forms.Form):
    """An organiser, and what they may do."""

    organiser = forms.ChoiceField(label=gettext_lazy("Organiser"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=_ROLES)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        names = User.objects.filter(is_staff=True).order_by("username")
        self.fields["organiser"].choices = [(u.username, u.username) for u in names]  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
def access(request: HttpRequest, pk: int) -> HttpResponse:
    """Who may see the campaign, and its seed."""
    campaign = get_object_or_404(Campaign, pk=pk)
    ending = request.POST.get("end")
    form = SharingForm(request.POST if request.method == "POST" and not ending else None)
    by = request.user.get_username()
    if ending or form.is_valid():
        try:
            if ending:
                unshare(campaign, ending, by)
            else:
                share(campaign, form.cleaned_data["organiser"], form.cleaned_data["role"], by)
            messages.success(request, _("Changed."))
        except AdjudgeError as error:
            messages.error(request, in_plain_words(str(error)))
        if not may_change(organiser_of(request), campaign):  # they gave up their own role
            return redirect("campaigns")
        return redirect("access", pk)
    shared = campaign.access.order_by("role", "organiser")
    context = {"campaign": campaign, "form": form, "shared": shared}
    return render(request, "web/organiser/access.html", context)


@require_GET
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """What was done with the campaign, the latest first."""
    campaign = get_object_or_404(Campaign, pk=pk)
    return _log_page(request, campaign.audit.all(), campaign)


@require_GET
def whole_log(request: HttpRequest) -> HttpResponse:
    """What was done with all campaigns, also with those that are gone."""
    return _log_page(request, AuditEntry.objects.all(), None)


def _log_page(
    request: HttpRequest, entries: QuerySet[AuditEntry], campaign: Campaign | None
) -> HttpResponse:
    pages = Paginator(entries.order_by("-at", "-pk"), ENTRIES)
    page = pages.get_page(request.GET.get("page"))
    context = {"campaign": campaign, "page": page}
    return render(request, "web/organiser/log.html", context)
