"""Admission of workers from a crowd platform, as `adjudge campaign crowd` does."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.people.crowd import (
    UNSIGNED,
    Crowd,
    address_of,
    crowd_of,
    open_to_crowd,
    platform_name,
    signed_addresses,
)
from adjudge.campaigns.store.audit import recorded
from adjudge.core.errors import AdjudgeError, in_plain_words


class CrowdForm(forms.Form):
    """Form for the admission of workers."""

    platform = forms.ChoiceField(
        label=gettext_lazy("Platform"),
        choices=(("prolific", "Prolific"), ("mturk", "Mechanical Turk")),
    )
    items = forms.IntegerField(label=gettext_lazy("Items a task"), min_value=1, initial=3)
    tasks = forms.IntegerField(
        label=gettext_lazy("Tasks you order on the platform"), min_value=1, initial=100
    )
    completion_code = forms.CharField(
        label=gettext_lazy("Completion code (Prolific)"), required=False, max_length=100
    )
    group = forms.CharField(label=gettext_lazy("Group"), initial="crowd", max_length=100)
    workers = forms.CharField(
        label=gettext_lazy("Workers of Mechanical Turk, one a line"),
        required=False,
        widget=forms.Textarea({"rows": 6}),
        help_text=gettext_lazy("Each gets a signed address. Prolific signs its workers itself."),
    )
    unsigned = forms.BooleanField(
        label=gettext_lazy("Unsigned: let in everybody who says they are a worker"),
        required=False,
        help_text=gettext_lazy(UNSIGNED),
    )

    def open(self, campaign: Campaign, who: str, site: str) -> dict[str, str] | None:
        """Open the campaign to workers; return entry addresses by audience, or None after an
        error.
        """
        told = dict(self.cleaned_data)
        workers = [
            name for line in told.pop("workers").splitlines() if (name := platform_name(line))
        ]
        unsigned = told.pop("unsigned")
        try:
            if told["platform"] == "mturk" and bool(workers) == unsigned:
                raise AdjudgeError(
                    "Mechanical Turk does not sign who comes: name the workers, or let in "
                    "everybody who says they are one"
                )
            what = {"platform": told["platform"], "tasks": told["tasks"], "signed": not unsigned}
            with recorded(campaign, who, "let workers in", **what):
                crowd = open_to_crowd(campaign, **told, signed=not unsigned)
                if workers:
                    return signed_addresses(crowd, workers, site)
            return {"": address_of(crowd, site)}
        except AdjudgeError as error:
            self.add_error(None, in_plain_words(str(error)))
            return None


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Form, with the addresses once it is filled in."""
    campaign = get_object_or_404(Campaign, pk=pk)
    form = CrowdForm(request.POST or None, initial=_as_asked(crowd_of(campaign)))
    addresses = None
    if form.is_valid():
        site = request.build_absolute_uri("/")
        addresses = form.open(campaign, request.user.get_username(), site)
    crowd = crowd_of(campaign)
    warning = UNSIGNED if crowd is not None and not crowd.signed else None
    context = {"campaign": campaign, "form": form, "addresses": addresses, "warning": warning}
    return render(request, "web/organiser/crowd_platform.html", context)


def _as_asked(crowd: Crowd | None) -> dict[str, object]:
    if crowd is None:
        return {}
    names = ("platform", "items", "tasks", "completion_code", "group")
    return {**{name: getattr(crowd, name) for name in names}, "unsigned": not crowd.signed}
