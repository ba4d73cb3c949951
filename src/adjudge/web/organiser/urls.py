"""Addresses of the organiser's pages. All but signing in are for organisers only."""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from adjudge.web.organiser import creating, dashboard, downloads, judges, reports, signing_in
from adjudge.web.organiser.accounts import View, for_organisers
from adjudge.web.organiser.language import in_english

PAGES: list[tuple[str, View, str]] = [
    ("", dashboard.campaigns, "campaigns"),
    ("sign-out/", signing_in.sign_out, "sign-out"),
    ("new/", creating.form_page, "new-campaign"),
    ("backup/", downloads.full_backup, "backup"),
    ("<int:pk>/", dashboard.dashboard, "dashboard"),
    ("<int:pk>/live/", dashboard.live_part, "live"),
    ("<int:pk>/analysis/", dashboard.analysis_part, "analysis"),
    ("<int:pk>/state/", dashboard.set_state, "campaign-state"),
    ("<int:pk>/controls/", dashboard.find_controls, "find-controls"),
    ("<int:pk>/judgements/<str:format_name>/", downloads.judgements, "judgements"),
    ("<int:pk>/tables/<str:kind>/", downloads.table, "table"),
    ("<int:pk>/report/", reports.page, "report"),
    ("<int:pk>/report/<str:form_name>/", reports.files, "report-files"),
    ("<int:pk>/invite/", judges.invite_page, "invite"),
    ("<int:pk>/judges/<int:judge>/", judges.judge_page, "judge"),
    ("<int:pk>/judges/<int:judge>/link/", judges.new_link, "new-link"),
    ("<int:pk>/judges/<int:judge>/<str:action>/", judges.act, "judge-action"),
]
# These check the token themselves, after the size of the body.
UPLOADS: list[tuple[str, View, str]] = [
    ("new/check/", creating.check, "check-campaign"),
    ("new/create/", creating.create, "create-campaign"),
]


def _organisers(view: View) -> View:
    return for_organisers(in_english(view))


urlpatterns = [
    path("sign-in/", in_english(signing_in.sign_in), name="sign-in"),
    *(path(address, _organisers(view), name=name) for address, view, name in PAGES),
    *(path(a, csrf_exempt(_organisers(view)), name=name) for a, view, name in UPLOADS),
]
