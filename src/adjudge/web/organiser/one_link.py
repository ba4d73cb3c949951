"""One link for somebody who judges in several campaigns of an organiser."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from adjudge.campaigns.models import Judge
from adjudge.campaigns.people.access import may_change, visible_campaigns
from adjudge.campaigns.people.people import one_link_from_organisers
from adjudge.campaigns.store.audit import record
from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.web.organiser import links
from adjudge.web.organiser.accounts import organiser_of


def same_person(request: HttpRequest, judge: Judge) -> list[Judge]:
    """The judge and who seems to be the same in other campaigns that this organiser may change:
    by e-mail, or by name where no e-mail is known."""
    organiser = organiser_of(request)
    campaigns = [c for c in visible_campaigns(organiser) if may_change(organiser, c)]
    known_by = {"email": judge.email} if judge.email else {"name": judge.name, "email": ""}
    alike = Judge.objects.filter(campaign__in=campaigns, **known_by)
    return list(alike.select_related("campaign", "person").order_by("campaign__name"))


@require_POST
def make(request: HttpRequest, pk: int, judge: int) -> HttpResponse:
    """One link for all of them; the judge's own links go on working."""
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
    return links.keep(request, [invitation])
