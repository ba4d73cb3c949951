"""Endpoints for monitoring: liveness, readiness, and metrics.

| address    | says |
|------------|------|
| `/healthz` | the process answers; the database is not asked |
| `/readyz`  | the database answers and its tables are up to date; 503 otherwise |
| `/metrics` | counts of each campaign, as Prometheus reads them, for administrators or with the token in `ADJUDGE_METRICS_TOKEN` |
"""  # noqa: E501

from collections.abc import Iterator
from hmac import compare_digest

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from adjudge.campaigns.results.totals import Totals, totals_of_campaigns

_TEXT = "text/plain; charset=utf-8"
_METRICS = "text/plain; version=0.0.4; charset=utf-8"  # the name of Prometheus's text format
_HELP = {
    "answers": ("counter", "Answers stored, the standing ones"),
    "skips": ("counter", "Items that judges would rather not judge"),
    "too_fast": ("counter", "Answers faster than anyone reads"),
    "judges": ("gauge", "Judges who were invited"),
    "active_judges": ("gauge", "Judges who answered in the last ten minutes"),
    "open_items": ("gauge", "Items that judges have and have not finished"),
}


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """Liveness: the process answers."""
    return HttpResponse("ok\n", content_type=_TEXT)


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Readiness: the database answers, and its schema is current."""
    try:
        executor = MigrationExecutor(connection)
        behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return HttpResponse("the database does not answer\n", status=503, content_type=_TEXT)
    if behind:
        said = "the tables are of another version; start adjudge serve, which updates them\n"
        return HttpResponse(said, status=503, content_type=_TEXT)
    return HttpResponse("ok\n", content_type=_TEXT)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Counts of each campaign; the page is hidden from others."""
    if not _may_measure(request):
        raise Http404
    return HttpResponse("".join(_lines(totals_of_campaigns())), content_type=_METRICS)


def _may_measure(request: HttpRequest) -> bool:
    token, user = settings.METRICS_TOKEN, request.user
    given = request.headers.get("Authorization", "")
    if token and compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    return isinstance(user, User) and user.is_staff and user.is_superuser


def _lines(campaigns: list[Totals]) -> Iterator[str]:
    for name, (kind, help_text) in _HELP.items():
        full = f"adjudge_{name}_total" if kind == "counter" else f"adjudge_{name}"
        yield f"# HELP {full} {help_text}\n# TYPE {full} {kind}\n"
        for totals in campaigns:
            label = totals.campaign.translate(_ESCAPED)
            yield f'{full}{{campaign="{label}"}} {getattr(totals, name)}\n'


_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
