"""Addresses of the organisers' pages, all restricted to organisers except signing in.

An address with `pk` is of a campaign: for those who may see it; a form of it, for those who may
change it (`people.access`).
"""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from adjudge.web.organiser import (
    accounts,
    change_campaign,
    create_campaign,
    crowd_platform,
    dashboard,
    downloads,
    judges,
    links,
    metrics,
    projects,
    reports,
)
from adjudge.web.organiser import judges as judge_comments
from adjudge.web.organiser import links as one_link
from adjudge.web.organiser import links as sharing
from adjudge.web.organiser.accounts import View, for_administrators, for_organisers, with_access
from adjudge.web.organiser.language import in_english

PAGES: list[tuple[str, View, str]] = [
    ("", dashboard.campaigns, "campaigns"),
    ("sign-out/", accounts.sign_out, "sign-out"),
    ("new/", create_campaign.form_page, "new-campaign"),
    ("projects/<int:project>/", projects.page, "project"),
    ("projects/<int:project>/downloads/", projects.downloads_part, "project-downloads"),
    (
        "projects/<int:project>/tables/<str:kind>/<str:format_name>/",
        projects.table,
        "project-table",
    ),
    ("projects/<int:project>/report/", projects.report, "project-report"),
    ("projects/<int:project>/invite/", projects.invite_page, "project-invite"),
    ("links/<str:key>/", links.page, "links"),
    ("links/<str:key>/csv/", links.table, "links-table"),
    ("links/<str:key>/send/", links.send, "send-links"),
    ("password/", accounts.own_password, "password"),
    ("<int:pk>/", dashboard.dashboard, "dashboard"),
    ("<int:pk>/live/", dashboard.live_part, "live"),
    ("<int:pk>/analysis/", dashboard.analysis_part, "analysis"),
    ("<int:pk>/metrics/", metrics.part, "campaign-metrics"),
    ("<int:pk>/texts.zip", metrics.archive, "texts-archive"),
    ("<int:pk>/state/", dashboard.set_state, "campaign-state"),
    ("<int:pk>/controls/", dashboard.find_controls, "find-controls"),
    ("<int:pk>/downloads/", downloads.downloads_part, "downloads"),
    ("<int:pk>/payment.csv", downloads.payment, "payment"),
    ("<int:pk>/judges/<int:judge>/answers/", judges.answers_page, "judge-answers"),
    ("<int:pk>/designs/", downloads.designs, "designs"),
    ("<int:pk>/tables/<str:kind>/<str:format_name>/", downloads.table, "table"),
    ("<int:pk>/report/", reports.page, "report"),
    ("<int:pk>/report/<str:form_name>/", reports.files, "report-files"),
    ("<int:pk>/said/", judge_comments.part, "said"),
    ("<int:pk>/said.csv", judge_comments.table, "said-table"),
    ("<int:pk>/log/", sharing.log, "log"),
    ("<int:pk>/judges/<int:judge>/", judges.judge_page, "judge"),
    ("<int:pk>/judges/<int:judge>/link/", judges.new_link, "new-link"),
    ("<int:pk>/judges/<int:judge>/one-link/", one_link.make, "one-link"),
    ("<int:pk>/judges/<int:judge>/<str:action>/", judges.act, "judge-action"),
]
# These show what only owners may see, or forms that only they may send.
FOR_OWNERS: list[tuple[str, View, str]] = [
    ("<int:pk>/access/", sharing.access, "access"),
    ("<int:pk>/settings/", change_campaign.settings, "campaign-settings"),
    ("<int:pk>/crowd/", crowd_platform.page, "crowd-platform"),
    ("<int:pk>/remind/", judges.remind, "remind"),
    ("<int:pk>/archive/", change_campaign.archive, "archive-campaign"),
    ("<int:pk>/delete/", change_campaign.delete, "delete-campaign"),
    ("<int:pk>/invite/", judges.invite_page, "invite"),
]
FOR_ADMINISTRATORS: list[tuple[str, View, str]] = [
    ("backup/", downloads.full_backup, "backup"),
    ("log/", sharing.whole_log, "whole-log"),
    ("organisers/", accounts.organisers, "organisers"),
    ("organisers/<int:user>/<str:action>/", accounts.act, "organiser-action"),
]
# These check the token themselves, after the size of the body.
UPLOADS: list[tuple[str, View, str]] = [
    ("new/check/", create_campaign.check, "check-campaign"),
    ("new/create/", create_campaign.create, "create-campaign"),
    ("<int:pk>/texts/", change_campaign.add_texts, "add-texts"),
]


def _page(address: str, view: View, owners_only: bool = False) -> View:
    if "<int:pk>" in address:
        view = with_access(view, owners_only)
    return for_organisers(in_english(view))


urlpatterns = [
    path("sign-in/", in_english(accounts.sign_in), name="sign-in"),
    *(path(a, _page(a, view), name=name) for a, view, name in PAGES),
    *(path(a, _page(a, view, owners_only=True), name=name) for a, view, name in FOR_OWNERS),
    *(path(a, _page(a, for_administrators(v)), name=name) for a, v, name in FOR_ADMINISTRATORS),
    *(path(a, csrf_exempt(_page(a, view)), name=name) for a, view, name in UPLOADS),
]
