"""Links that were just made: shown again on reload, copied, downloaded, mailed.

Only hashes of tokens are stored with campaigns. The links themselves wait in the organiser's
session, until they sign out or a day has passed.
"""

import csv
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, get_connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.people.invitation import Invitation
from adjudge.campaigns.store.audit import record

KEPT_FOR = timedelta(days=1)
MOST_LISTS = 20  # in a session
_SESSION = "links"
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
    """A link, whose it is, and of which campaign."""

    judge: int
    name: str
    email: str
    campaign: str
    link: str


def keep(request: HttpRequest, invitations: Sequence[Invitation], text: str = TEMPLATE) -> str:
    """Keep links for their page; the key of it."""
    base = request.build_absolute_uri("/")
    links = [
        Link(i.judge.pk, i.judge.name, i.judge.email, i.judge.campaign.name, i.link(base))
        for i in invitations
    ]
    kept = _kept(request)
    key = secrets.token_urlsafe(8)
    kept[key] = {
        "at": timezone.now().isoformat(),
        "text": text,
        "links": [asdict(link) for link in links],
    }
    request.session[_SESSION] = dict(list(kept.items())[-MOST_LISTS:])
    return key


def _kept(request: HttpRequest) -> dict[str, Any]:
    since = timezone.now() - KEPT_FOR
    kept = request.session.get(_SESSION, {})
    return {k: v for k, v in kept.items() if datetime.fromisoformat(v["at"]) > since}


def _list(request: HttpRequest, key: str) -> tuple[list[Link], str]:
    stored = _kept(request).get(key)
    if stored is None:
        raise Http404
    return [Link(**link) for link in stored["links"]], stored["text"]


@require_GET
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The links: to copy, to download, to mail."""
    links, text = _list(request, key)
    context = {
        "key": key,
        "links": links,
        "several": len({link.campaign for link in links}) > 1,
        "subject": SUBJECT,
        "text": text,
        "sends": settings.SENDS_MAIL,
        "addressed": sum(bool(link.email) for link in links),
        "back": Campaign.objects.filter(judges=links[0].judge).first(),
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
            judge = Judge.objects.select_related("campaign").get(pk=link.judge)
            values = {"name": link.name, "campaign": link.campaign, "link": link.link}
            values["done"] = str(judge.assignments.filter(finished__isnull=False).count())
            mail = EmailMessage(
                " ".join(filled(subject, values).split()), filled(text, values), to=[link.email]
            )
            mail.connection = connection
            mail.send()
            judge.mailed = timezone.now()
            judge.save(update_fields=["mailed"])
            record(judge.campaign, who, "mailed a link", {"judge": link.name})
    return len(links)


def filled(text: str, values: dict[str, str]) -> str:
    """The text with each `{value}` put in; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
