"""Links for judges and owners: creation, display, download, mail, sharing.

New links are shown again on reload, and can be copied, downloaded and mailed.

Only hashes of tokens are stored with campaigns. The links themselves are stored encrypted in the
organiser's session until they sign out or a day has passed; the key is a cookie of the page, which
only the organiser's browser keeps.

One link for somebody who judges in several campaigns of an organiser.

Whom a campaign is shared with, and the log of what was done with it.
"""

import csv
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import shake_256
from io import StringIO
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, get_connection
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adjudge.campaigns.models import Access, Assignment, AuditEntry, Campaign, Judge
from adjudge.campaigns.people.access import may_change, share, unshare, visible_campaigns
from adjudge.campaigns.people.invitation import Invitation
from adjudge.campaigns.people.people import PersonalLink, one_link_from_organisers
from adjudge.campaigns.store.audit import record
from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.web.organiser.accounts import organiser_of

KEPT_FOR = timedelta(days=1)
MOST_LISTS = 20  # in a session
_SESSION = "links"
_COOKIE = "adjudge-links"
SUBJECT = "Please judge: {campaign}"
TEMPLATE = """Dear {name},

thank you for judging translations ({campaign}). This is your personal link, please keep it for
yourself:

{link}

You can stop at any time; the same link brings you back to where you were.
"""
REMINDER = """Dear {name},

your judgements for {campaign} are not complete yet ({done} done so far). This link brings you
back to where you were; an earlier one no longer works:

{link}
"""


@dataclass(frozen=True)
class Link:
    """Link with its owner and its target."""

    judges: list[int]
    name: str
    email: str
    campaign: str
    link: str


def keep(
    request: HttpRequest, invitations: Sequence[Invitation | PersonalLink], text: str = TEMPLATE
) -> HttpResponse:
    """Store links for their page, and redirect there."""
    base = request.build_absolute_uri("/")
    links = [
        Link(
            [judge.pk for judge in invitation.judges],
            invitation.judges[0].name,
            invitation.judges[0].email,
            _where([judge.campaign for judge in invitation.judges]),
            invitation.link(base),
        )
        for invitation in invitations
    ]
    kept = _kept(request)
    key, secret = secrets.token_urlsafe(8), secrets.token_bytes(32)
    kept[key] = {
        "at": timezone.now().isoformat(),
        "text": text,
        "links": _mixed(json.dumps([asdict(link) for link in links]).encode(), secret).hex(),
    }
    request.session[_SESSION] = dict(list(kept.items())[-MOST_LISTS:])
    response = redirect("links", key)
    response.set_cookie(
        _COOKIE,
        secret.hex(),
        max_age=KEPT_FOR,
        path=reverse("links", args=[key]),
        secure=request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return response


def _where(campaigns: Sequence[Campaign]) -> str:
    """Name used in a mail: a campaign, or the language pairs of a project."""
    projects = {campaign.project for campaign in campaigns}
    (project, *others) = projects
    if len(campaigns) > 1 and project is not None and not others:
        return f"{project.name} ({', '.join(campaign.pair for campaign in campaigns)})"
    return ", ".join(campaign.name for campaign in campaigns)


def _mixed(data: bytes, secret: bytes) -> bytes:
    """Encrypt or decrypt data with a one-time secret."""
    stream = shake_256(secret).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))


def _kept(request: HttpRequest) -> dict[str, Any]:
    since = timezone.now() - KEPT_FOR
    kept = request.session.get(_SESSION, {})
    return {k: v for k, v in kept.items() if datetime.fromisoformat(v["at"]) > since}


def _list(request: HttpRequest, key: str) -> tuple[list[Link], str]:
    stored = _kept(request).get(key)
    if stored is None:
        raise Http404
    try:
        secret = bytes.fromhex(request.COOKIES.get(_COOKIE, ""))
        links = json.loads(_mixed(bytes.fromhex(stored["links"]), secret))
    except ValueError:  # another list's secret, or none
        raise Http404 from None
    return [Link(**link) for link in links], stored["text"]


@require_GET
def page(request: HttpRequest, key: str) -> HttpResponse:
    """Page of the links, to copy, download and mail."""
    links, text = _list(request, key)
    first = Campaign.objects.filter(judges=links[0].judges[0]).select_related("project").first()
    several = any(len(link.judges) > 1 for link in links)
    context = {
        "key": key,
        "links": links,
        "several": several,
        "subject": SUBJECT,
        "text": text,
        "sends": settings.SENDS_MAIL,
        "addressed": sum(bool(link.email) for link in links),
        "back": first,
        "project": first.project if first and several else None,
    }
    return render(request, "web/organiser/links.html", context)


@require_GET
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Links as CSV."""
    stream = StringIO()
    rows = csv.writer(stream)
    rows.writerow(["judge", "email", "campaign", "link"])
    links, _text = _list(request, key)
    rows.writerows([link.name, link.email, link.campaign, link.link] for link in links)
    told = {"Content-Disposition": 'attachment; filename="links.csv"'}
    return HttpResponse(stream.getvalue(), content_type="text/csv; charset=utf-8", headers=told)


@require_POST
def send(request: HttpRequest, key: str) -> HttpResponse:
    """Mail every link to its owner."""
    links, _text = _list(request, key)
    if not settings.SENDS_MAIL:
        raise Http404
    subject, text = request.POST.get("subject", ""), request.POST.get("text", "")
    if "{link}" not in text:
        messages.error(request, _("The text needs {link}, where each one's link goes."))
        return redirect("links", key)
    addressed = [link for link in links if link.email]
    try:
        sent = _mail(addressed, subject, text, request.user.get_username())
    except OSError as error:  # also what SMTP servers refuse
        messages.error(request, _("The mail server refuses: %s") % error)
    else:
        said = ngettext("%d mail is on its way.", "%d mails are on their way.", sent) % sent
        messages.success(request, said)
    return redirect("links", key)


def _mail(links: Sequence[Link], subject: str, text: str, who: str) -> int:
    with get_connection() as connection:
        for link in links:
            judges = Judge.objects.filter(pk__in=link.judges).select_related("campaign")
            done = Assignment.objects.filter(judge__in=link.judges, finished__isnull=False).count()
            values = {"name": link.name, "campaign": link.campaign, "link": link.link}
            values["done"] = str(done)
            mail = EmailMessage(
                " ".join(filled(subject, values).split()), filled(text, values), to=[link.email]
            )
            mail.connection = connection
            mail.send()
            for judge in judges:
                record(judge.campaign, who, "mailed a link", {"judge": link.name})
            judges.update(mailed=timezone.now())
    return len(links)


def filled(text: str, values: dict[str, str]) -> str:
    """Replace each `{value}` in the text; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def same_person(request: HttpRequest, judge: Judge) -> list[Judge]:
    """Find judges whom this organiser may change and who are likely the same person.

    They have the same e-mail, or the same name if no e-mail is known.
    """
    organiser = organiser_of(request)
    campaigns = [c for c in visible_campaigns(organiser) if may_change(organiser, c)]
    known_by = {"email": judge.email} if judge.email else {"name": judge.name, "email": ""}
    alike = Judge.objects.filter(campaign__in=campaigns, **known_by)
    return list(alike.select_related("campaign", "person").order_by("campaign__name"))


@require_POST
def make(request: HttpRequest, pk: int, judge: int) -> HttpResponse:
    """Create one link for all of them; the judge's own links stay valid."""
    who = get_object_or_404(Judge.objects.select_related("campaign"), campaign=pk, pk=judge)
    judges = same_person(request, who)
    try:
        with transaction.atomic():
            invitation = one_link_from_organisers(judges)
            for every in judges:
                by = request.user.get_username()
                record(every.campaign, by, "made one link", {"judge": who.name})
    except AdjudgeError as error:
        messages.error(request, in_plain_words(str(error)))
        return redirect("judge", pk, judge)
    return keep(request, [invitation])


ENTRIES = 100  # of the log, on a page
_ROLES = [
    (Access.Role.ANALYST.value, gettext_lazy("analyst: reads everything but the seed")),
    (Access.Role.OWNER.value, gettext_lazy("owner: may change everything")),
]


class SharingForm(forms.Form):
    """Form for an organiser and their role."""

    organiser = forms.ChoiceField(label=gettext_lazy("Organiser"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=_ROLES)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        names = User.objects.filter(is_staff=True).order_by("username")
        self.fields["organiser"].choices = [(u.username, u.username) for u in names]  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
def access(request: HttpRequest, pk: int) -> HttpResponse:
    """Page of organisers with access to the campaign."""
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
    """Audit log of the campaign, the latest first."""
    campaign = get_object_or_404(Campaign, pk=pk)
    return _log_page(request, campaign.audit.all(), campaign)


@require_GET
def whole_log(request: HttpRequest) -> HttpResponse:
    """Audit log of all campaigns, including deleted ones."""
    return _log_page(request, AuditEntry.objects.all(), None)


def _log_page(
    request: HttpRequest, entries: QuerySet[AuditEntry], campaign: Campaign | None
) -> HttpResponse:
    pages = Paginator(entries.order_by("-at", "-pk"), ENTRIES)
    page = pages.get_page(request.GET.get("page"))
    context = {"campaign": campaign, "page": page}
    return render(request, "web/organiser/log.html", context)
