"""Projects: one dashboard, one report, one export for all language pairs."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from adjudge.campaigns.models import Campaign, Project
from adjudge.campaigns.people.access import may_change, visible_campaigns
from adjudge.campaigns.people.invitation import Invitation
from adjudge.campaigns.people.people import PersonalLink, invite_to_all
from adjudge.campaigns.results.projects import kinds_of_all, table_of_all
from adjudge.campaigns.store.audit import record
from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.data.formats import FORMATS
from adjudge.data.writable_formats import writable
from adjudge.web.organiser import dashboard_numbers, links
from adjudge.web.organiser.accounts import organiser_of
from adjudge.web.organiser.cache import cached
from adjudge.web.organiser.downloads import Offer, download_table, stem
from adjudge.web.organiser.pasted_invitations import read_people
from adjudge.web.organiser.reports import Judged, write_report
from adjudge.web.pages import notice


def _project(request: HttpRequest, key: int) -> tuple[Project, list[Campaign]]:
    """Find the project, and those of its campaigns that this organiser may see."""
    project = get_object_or_404(Project, pk=key)
    visible = visible_campaigns(organiser_of(request))
    campaigns = list(visible.filter(project=project).order_by("name"))
    if not campaigns:
        raise Http404
    return project, campaigns


def _version(campaigns: list[Campaign]) -> tuple[object, ...]:
    return tuple((campaign.pk, dashboard_numbers.version(campaign)) for campaign in campaigns)


@require_GET
def page(request: HttpRequest, project: int) -> HttpResponse:
    """Progress of every language pair."""
    chosen, campaigns = _project(request, project)
    rows = [(campaign, dashboard_numbers.live(campaign).value) for campaign in campaigns]
    progress = [live.progress for _, live in rows]
    context = {
        "project": chosen,
        "campaigns": rows,
        "rankings": sum(part.rankings for part in progress),
        "target": sum(part.target or 0 for part in progress),
        "active": sum(part.active_judges for part in progress),
        "judges": len({judge.judge for _, live in rows for judge in live.judges}),
        "changes": any(may_change(organiser_of(request), campaign) for campaign in campaigns),
    }
    return render(request, "web/organiser/project.html", context)


@require_GET
def downloads_part(request: HttpRequest, project: int) -> HttpResponse:
    """Downloads of all pairs together."""
    chosen, campaigns = _project(request, project)

    def compute() -> list[Offer]:
        kinds = kinds_of_all(campaigns)
        return [Offer(kind, writable(table_of_all(campaigns, kind, True))) for kind in kinds]

    name = ("project-downloads", chosen.pk, tuple(campaign.pk for campaign in campaigns))
    offers = cached(name, dashboard_numbers.ANALYSIS_FOR, compute, _version(campaigns)).value
    context = {"project": chosen, "offers": [offer for offer in offers if offer.formats]}
    return render(request, "web/organiser/project_downloads.html", context)


@require_GET
def table(request: HttpRequest, project: int, kind: str, format_name: str) -> HttpResponseBase:
    """Judgements of all pairs in one file."""
    chosen, campaigns = _project(request, project)
    form = FORMATS.get(format_name)
    known = [name for name in kinds_of_all(campaigns) if name == kind]
    if form is None or form.write is None or form.kind != kind or not known:
        raise Http404
    return download_table(request, table_of_all(campaigns, known[0]), form, stem(chosen.name))


@require_GET
def report(request: HttpRequest, project: int) -> HttpResponseBase:
    """Report of all ranked pairs, computed at most once a minute."""
    from adjudge.report.page import content_security_policy

    chosen, campaigns = _project(request, project)

    def compute() -> bytes:
        if "judgements" not in kinds_of_all(campaigns):
            raise AdjudgeError(_("nothing is ranked in this project"))
        table = table_of_all(campaigns, "judgements")
        judged = Judged(table, stem(chosen.name), chosen.name)
        with TemporaryDirectory(prefix="adjudge-report-") as folder:
            return write_report(judged, None, "html", Path(folder)).read_bytes()

    name = ("project-report", chosen.pk, tuple(campaign.pk for campaign in campaigns))
    try:
        kept = cached(name, dashboard_numbers.ANALYSIS_FOR, compute, _version(campaigns))
    except AdjudgeError as error:
        return notice(request, _("No report yet"), in_plain_words(str(error)), status=409)
    response = HttpResponse(kept.value)
    response.headers["Content-Security-Policy"] = content_security_policy()
    return response


class PairsForm(forms.Form):
    """Form for judges and the language pairs they know."""

    names = forms.CharField(
        label=gettext_lazy("Who"),
        help_text=gettext_lazy("Names or e-mails, one a line: Ann, or Ann <ann@example.org>"),
        widget=forms.Textarea({"rows": 4}),
    )
    pairs = forms.MultipleChoiceField(
        label=gettext_lazy("The language pairs they know"), widget=forms.CheckboxSelectMultiple
    )
    group = forms.CharField(label=gettext_lazy("Group"), max_length=100, required=False)
    quota = forms.IntegerField(
        label=gettext_lazy("Items of each pair"), required=False, min_value=1, max_value=1_000_000
    )

    def __init__(self, campaigns: list[Campaign], given: Any) -> None:
        super().__init__(given)
        self.campaigns = campaigns
        self.fields["pairs"].choices = [(str(c.pk), c.pair) for c in campaigns]  # type: ignore[attr-defined]

    def clean(self) -> None:
        """Parse the people."""
        try:
            self.people = read_people(self.cleaned_data.get("names", ""))
        except AdjudgeError as error:
            self.add_error("names", str(error))

    def invitations(self, who: str) -> list[Invitation | PersonalLink]:
        """Invite all of them, or none after an error."""
        given = self.cleaned_data
        chosen = [campaign for campaign in self.campaigns if str(campaign.pk) in given["pairs"]]
        told = {"group": given["group"], "quota": given["quota"]}
        try:
            with transaction.atomic():
                for campaign in chosen:
                    names = [person.name for person in self.people]
                    record(campaign, who, "invited", {"judges": names})
                return [
                    invite_to_all(chosen, person.name, email=person.email, **told)
                    for person in self.people
                ]
        except AdjudgeError as error:
            self.add_error("names", in_plain_words(str(error)))
            return []


@require_http_methods(["GET", "POST"])
def invite_page(request: HttpRequest, project: int) -> HttpResponse:
    """Invite judges to the pairs they know, with one link per judge."""
    chosen, campaigns = _project(request, project)
    organiser = organiser_of(request)
    own = [campaign for campaign in campaigns if may_change(organiser, campaign)]
    if not own:
        raise PermissionDenied
    form = PairsForm(own, request.POST or None)
    invitations = form.invitations(organiser.name) if form.is_valid() else []
    if invitations:
        return links.keep(request, invitations)
    return render(request, "web/organiser/project_invite.html", {"project": chosen, "form": form})
