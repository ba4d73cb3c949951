"""One link for somebody who judges in several campaigns of an organiser."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from adjudge.campaigns.models import Judge
from adjudge.campaigns.people.access import may_change, visible_campaigns
from adjudge.campaigns.people.persons import one_link_from_organisers
from adjudge.campaigns.store.audit import record
from adjudge.errors import AdjudgeError, in_plain_words
from adjudge.web.organiser.accounts import organiser_of


def of_the_same_name(request: HttpRequest, judge: Judge) -> list[Judge]:
    """The judge and those called alike in other campaigns that this organiser may change."""
    organiser = organiser_of(request)
    campaigns = [c for c in visible_campaigns(organiser) if may_change(organiser, c)]
    alike = Judge.objects.filter(campaign__in=campaigns, name=judge.name)
    return list(alike.select_related("campaign", "person").order_by("campaign__name"))


@require_POST
def make(request: HttpRequest, pk: int, judge: int) -> HttpResponse:
    """One link for all of them, shown this once."""
    who = get_object_or_404(Judge.objects.select_related("campaign"), campaign=pk, pk=judge)
    judges = of_the_same_name(request, who)
    try:
        with transaction.atomic():
            made = one_link_from_organisers(judges)
            for every in judges:
                by = request.user.get_username()
                record(every.campaign, by, "made one link", {"judge": who.name})
    except AdjudgeError as error:
        messages.error(request, in_plain_words(str(error)))
        return redirect("judge", pk, judge)
    context = {
        "campaign": who.campaign,
        "judge": who,
        "judges": judges,
        "link": made.link(request.build_absolute_uri("/")),
    }
    return render(request, "web/organiser/one_link.html", context)
