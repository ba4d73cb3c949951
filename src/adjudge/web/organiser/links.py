"""Links that were just made: shown again on reload, copied, downloaded, mailed.

Only hashes of tokens are stored with campaigns. The links themselves wait in the organiser's
session, until they sign out or a day has passed, and cannot be read there: the secret for that is
a cookie of the page, which only the organiser's browser keeps.
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

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, get_connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns.models import Assignment, Campaign, Judge
from adjudge.campaigns.people.invitation import Invitation
from adjudge.campaigns.people.people import PersonalLink
from adjudge.campaigns.store.audit import record

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
    """A link, whose it is, and where it leads."""

    judges: list[int]
    name: str
    email: str
    campaign: str
    link: str


def keep(
    request: HttpRequest, invitations: Sequence[Invitation | PersonalLink], text: str = TEMPLATE
) -> HttpResponse:
    """Keep links for their page, and go there."""
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
    """What a mail calls it: a campaign, or the language pairs of a project."""
    projects = {campaign.project for campaign in campaigns}
    (project, *others) = projects
    if len(campaigns) > 1 and project is not None and not others:
        return f"{project.name} ({', '.join(campaign.pair for campaign in campaigns)})"
    return ", ".join(campaign.name for campaign in campaigns)


def _mixed(data: bytes, secret: bytes) -> bytes:
    """The data made unreadable with a secret that is used for nothing else; or readable again."""
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
    """The links: to copy, to download, to mail."""
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
    """The links as CSV."""
    stream = StringIO()
    rows = csv.writer(stream)
    rows.writerow(["judge", "email", "campaign", "link"])
    links, _text = _list(request, key)
    rows.writerows([link.name, link.email, link.campaign, link.link] for link in links)
    told = {"Content-Disposition": 'attachment; filename="links.csv"'}
    return HttpResponse(stream.getvalue(), content_type="text/csv; charset=utf-8", headers=told)


@require_POST
def send(request: HttpRequest, key: str) -> HttpResponse:
    """Mail every link to whoever it is for."""
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
    """The text with each `{value}` put in; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
