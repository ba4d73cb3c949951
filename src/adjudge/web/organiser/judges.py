"""Pages for the judges of a campaign: invitations, administration, remarks.

Organisers invite and administer judges here.

Remarks of judges are comments on items, messages, and reasons for skipping.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import polars as pl
from django import forms
from django.contrib import messages
from django.db.models import Count, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.people import judges
from adjudge.campaigns.people.invitation import Invitation, invite, replace_link, revoke_link
from adjudge.campaigns.people.remarks import said_in, skip_reasons
from adjudge.campaigns.results.side_by_side import answers_beside
from adjudge.campaigns.store.audit import recorded
from adjudge.core.errors import AdjudgeError, NotEnoughData, in_plain_words
from adjudge.web.organiser import dashboard_numbers, links
from adjudge.web.organiser.dashboard import share_too_fast
from adjudge.web.organiser.downloads import download, stem
from adjudge.web.organiser.links import same_person
from adjudge.web.organiser.pasted_invitations import read_people

MOST_ITEMS = 1_000_000


class InviteForm(forms.Form):
    """Form for judges to invite, with common settings."""

    names = forms.CharField(
        label=gettext_lazy("Who"),
        required=False,
        help_text=gettext_lazy("Names or e-mails, one a line: Ann, or Ann <ann@example.org>"),
        widget=forms.Textarea({"rows": 4, "autofocus": True}),
    )
    table = forms.FileField(
        label=gettext_lazy("Or a table"),
        required=False,
        help_text=gettext_lazy("CSV with the columns name and email"),
    )
    group = forms.CharField(
        label=gettext_lazy("Group"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("researchers, crowd, …"),
        widget=forms.TextInput({"list": "groups"}),
    )
    quota = forms.IntegerField(
        label=gettext_lazy("Items each should judge"),
        required=False,
        min_value=1,
        max_value=MOST_ITEMS,
        help_text=gettext_lazy("empty: as many as they like, or what they owe for their systems"),
    )
    own_systems = forms.MultipleChoiceField(
        label=gettext_lazy("Systems they entered, which they never judge"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, campaign: Campaign, *args: Any) -> None:
        super().__init__(*args)
        self.campaign = campaign
        systems = campaign.systems.filter(is_reference=False).order_by("name")
        self.fields["own_systems"].choices = [(system.name, system.name) for system in systems]  # type: ignore[attr-defined]
        if len(campaign.protocols) > 1:
            self.fields["protocols"] = forms.MultipleChoiceField(
                label=gettext_lazy("Ask them only in these ways"),
                required=False,
                widget=forms.CheckboxSelectMultiple,
                choices=[(name, name) for name in campaign.protocols],
                help_text=gettext_lazy("none chosen: in all of them"),
            )

    def clean(self) -> None:
        """Parse people from the lines and from the table."""
        upload = self.cleaned_data.get("table")
        told = self.cleaned_data.get("names", "")
        try:
            if upload is not None:
                told = f"{told}\n{upload.read().decode('utf-8-sig')}".strip()
            self.people = read_people(told)
        except UnicodeDecodeError:
            self.add_error("table", _("This is no text in UTF-8."))
        except AdjudgeError as error:
            self.add_error("table" if upload is not None else "names", str(error))

    def invitations(self, who: str) -> list[Invitation]:
        """Invite all of them, or none after an error."""
        given = self.cleaned_data
        told = {
            "group": given["group"],
            "own_systems": given["own_systems"],
            "protocols": given.get("protocols", []),
            "quota": given["quota"],
        }
        details = {name: value for name, value in told.items() if value}
        names = [person.name for person in self.people]
        try:
            with recorded(self.campaign, who, "invited", judges=names, **details):
                return [
                    invite(self.campaign, person.name, email=person.email, **told)
                    for person in self.people
                ]
        except AdjudgeError as error:
            self.add_error("names", in_plain_words(str(error)))
            return []


@require_http_methods(["GET", "POST"])
def invite_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Invite judges, then show their links."""
    campaign = get_object_or_404(Campaign, pk=pk)
    form = InviteForm(campaign, request.POST or None, request.FILES or None)
    invitations = form.invitations(request.user.get_username()) if form.is_valid() else []
    if invitations:
        return links.keep(request, invitations)
    groups = campaign.judges.exclude(group="").values_list("group", flat=True).distinct()
    context = {"campaign": campaign, "form": form, "groups": sorted(groups)}
    return render(request, "web/organiser/invite.html", context)


def _judge(pk: int, judge: int) -> Judge:
    return get_object_or_404(Judge.objects.select_related("campaign"), pk=judge, campaign=pk)


@require_GET
def judge_page(request: HttpRequest, pk: int, judge: int) -> HttpResponse:
    """Page of a judge, with possible actions."""
    who = _judge(pk, judge)
    rows = dashboard_numbers.live(who.campaign).value.judges
    row = next((row for row in rows if row.judge == who.name), None)
    context = {
        "campaign": who.campaign,
        "judge": who,
        "row": row,
        "share_too_fast": share_too_fast(row) if row else None,
        "kappa": dashboard_numbers.analysis(who.campaign).value.kappa.get(who.name),
        "own": who.own_systems.order_by("name"),
        "alike": same_person(request, who),
    }
    return render(request, "web/organiser/judge.html", context)


ANSWERS_A_PAGE = 20


@require_GET
def answers_page(request: HttpRequest, pk: int, judge: int) -> HttpResponse:
    """Answers of a judge compared with those of others on the same segments."""
    who = _judge(pk, judge)
    given = request.GET.get("page", "1")
    page = int(given) if given.isdecimal() and 1 <= int(given) <= MOST_ITEMS else 1
    answers, total = answers_beside(who, (page - 1) * ANSWERS_A_PAGE, ANSWERS_A_PAGE)
    context = {"campaign": who.campaign, "judge": who, "answers": answers, "total": total}
    context |= {"earlier": page + 1 if page * ANSWERS_A_PAGE < total else None, "later": page - 1}
    return render(request, "web/organiser/answers.html", context)


def _extend(judge: Judge, said: Mapping[str, str]) -> str:
    items = said.get("items", "")
    if not items.isdecimal() or not 1 <= int(items) <= MOST_ITEMS:
        raise AdjudgeError(_("Say how many items more."))
    judges.extend(judge, int(items))
    return _("The quota is now %d.") % (judge.quota or 0)


def _pause(judge: Judge, said: Mapping[str, str]) -> str:
    judges.pause(judge, said.get("reason", ""))
    return _("Paused: no new work until you resume.")


def _resume(judge: Judge, said: Mapping[str, str]) -> str:
    judges.resume(judge)
    return _("Back at work, and in the analysis.")


def _exclude(judge: Judge, said: Mapping[str, str]) -> str:
    judges.exclude(judge, said.get("reason", ""))
    return _("Excluded from the analysis; everything they judged is kept.")


def _revoke(judge: Judge, said: Mapping[str, str]) -> str:
    revoke_link(judge)
    return _("The link no longer works.")


ACTIONS: Mapping[str, Callable[[Judge, Mapping[str, str]], str]] = {
    "pause": _pause,
    "resume": _resume,
    "exclude": _exclude,
    "extend": _extend,
    "revoke": _revoke,
}


@require_POST
def act(request: HttpRequest, pk: int, judge: int, action: str) -> HttpResponse:
    """Perform an action on a judge, and report the result or the reason for refusal."""
    who = _judge(pk, judge)
    if action not in ACTIONS:
        raise Http404
    said = {name: request.POST[name][:500] for name in ("reason", "items") if name in request.POST}
    by, done = request.user.get_username(), judges.IN_THE_LOG[action]
    try:
        with recorded(who.campaign, by, done, judge=who.name, **said):
            message = ACTIONS[action](who, said)
        messages.success(request, message)
    except AdjudgeError as error:
        messages.error(request, in_plain_words(str(error)))
    return redirect("judge", pk, judge)


@require_POST
def new_link(request: HttpRequest, pk: int, judge: int) -> HttpResponse:
    """Replace a judge's link."""
    who = _judge(pk, judge)
    by = request.user.get_username()
    with recorded(who.campaign, by, "replaced a judge's link", judge=who.name):
        invitation = replace_link(who)
    return links.keep(request, [invitation])


STOPPED_FOR = timedelta(days=2)


def stopped(campaign: Campaign) -> list[Judge]:
    """Judges with an e-mail address who have work left but have been inactive for a while."""
    since = timezone.now() - STOPPED_FOR
    waiting = campaign.judges.filter(state=Judge.State.ACTIVE, created__lt=since).exclude(email="")
    waiting = waiting.filter(Q(mailed=None) | Q(mailed__lt=since)).annotate(
        last=Max("assignments__finished"),
        done=Count("assignments", filter=Q(assignments__finished__isnull=False)),
    )
    waiting = waiting.filter(Q(last=None) | Q(last__lt=since))
    return [judge for judge in waiting if judge.quota is None or judge.done < judge.quota]


@require_POST
def remind(request: HttpRequest, pk: int) -> HttpResponse:
    """Create new links for inactive judges, with a text to send."""
    campaign = get_object_or_404(Campaign, pk=pk)
    waiting = stopped(campaign)
    if not waiting:
        messages.info(request, _("Nobody with an e-mail has stopped."))
        return redirect("dashboard", pk)
    names = [judge.name for judge in waiting]
    with recorded(campaign, request.user.get_username(), "replaced judges' links", judges=names):
        invitations = [replace_link(judge) for judge in waiting]
    return links.keep(request, invitations, links.REMINDER)


SHOWN = 50  # the newest; all are in the file


@require_GET
def part(request: HttpRequest, pk: int) -> HttpResponse:
    """Remarks on the dashboard; with `?judge=…`, on a judge's page."""
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
    """All remarks as CSV."""
    campaign = get_object_or_404(Campaign, pk=pk)
    rows = [asdict(said) for said in said_in(campaign)]

    def make(path: str) -> None:
        if not rows:
            raise NotEnoughData(_("Judges have written nothing yet."))
        pl.DataFrame(rows).drop("judge_key").write_csv(path)

    return download(request, f"{stem(campaign.name)}-comments.csv", make)
