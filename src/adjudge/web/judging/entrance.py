"""Authentication of judges by session or pass.

A personal link is exchanged for a session, so that its token is in no later address. Crowd
platforms show pages in a frame, where browsers keep cookies away: there a signed pass, renewed with
every page, stands for the session. Both hold the hash of the judge's token, so that replacing or
revoking a link ends them.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from adjudge.campaigns.models import Judge
from adjudge.web.pages import notice

PASS_HEADER = "X-Judge-Pass"
PASS_LASTS = timedelta(hours=24)
PASS = "pass"  # in the address of a page in a frame, and the cookie of browsers that keep one there
_JUDGES = "judges"  # in the session: the key of a judge -> hash of the token
_SALT = "adjudge.judge"

JudgeView = Callable[[HttpRequest, Judge], HttpResponse]


def sign_in(request: HttpRequest, judge: Judge, *others: Judge) -> str:
    """Remember the judge, and others of the same person, in a new session; unchanged sessions are
    not rewritten.
    """
    known = request.session.get(_JUDGES, {})
    judges = {**known, **{one.key: one.token_hash for one in (judge, *others)}}
    if judges != known:
        if request.session.session_key:
            request.session.cycle_key()  # prevents session fixation
        request.session[_JUDGES] = judges
    return judge.key


def sign_out(request: HttpRequest, judge: Judge) -> None:
    """Forget the judge; end the session if nobody else is signed in with it."""
    judges = {k: hash_ for k, hash_ in request.session.get(_JUDGES, {}).items() if k != judge.key}
    request.session[_JUDGES] = judges
    if not judges and not request.user.is_authenticated:
        request.session.flush()


def judges_in(request: HttpRequest) -> list[Judge]:
    """Judges signed in here, without those of ended links."""
    tokens = [token for token in request.session.get(_JUDGES, {}).values() if token]
    judges = Judge.objects.filter(token_hash__in=tokens, campaign__making=None)
    judges = judges.select_related("campaign", "person")
    return list(judges.order_by("campaign__name", "pk"))


def forget_judges(request: HttpRequest) -> None:
    """Sign out all judges; an organiser in the same browser stays signed in."""
    request.session.pop(_JUDGES, None)
    request.session.cycle_key()


def pass_of(judge: Judge) -> str:
    """Signed pass that replaces a cookie in frames."""
    return signing.TimestampSigner(salt=_SALT).sign(judge.token_hash or "")


def judge_with_pass(given: str) -> Judge | None:
    """Judge of a pass that has not expired."""
    try:
        token_hash = signing.TimestampSigner(salt=_SALT).unsign(given, max_age=PASS_LASTS)
    except signing.BadSignature:
        return None
    return _with_token(token_hash)


def judges_in_frame(request: HttpRequest) -> list[Judge]:
    """Judges of all passes that this browser shows in frames."""
    shown = (request.GET.get(PASS, ""), request.COOKIES.get(PASS, ""))
    return [judge for judge in map(judge_with_pass, shown) if judge is not None]


def keep_pass(request: HttpRequest, response: HttpResponse, judge: Judge) -> None:
    """Store the pass in a partitioned cookie, for reloads in browsers that support it."""
    response.set_cookie(
        PASS,
        pass_of(judge),
        PASS_LASTS,
        path=request.path,
        secure=request.is_secure(),
        httponly=True,
    )
    if request.is_secure():
        response.cookies[PASS]["samesite"] = "None; Partitioned"


def by_session(view: JudgeView) -> Callable[[HttpRequest, str], HttpResponse]:
    """Restrict a view to judges with a session."""

    @wraps(view)
    def wrapped(request: HttpRequest, key: str) -> HttpResponse:
        judge = _with_token(request.session.get(_JUDGES, {}).get(key))
        if judge is None:
            return not_signed_in(request)
        return _not_stored(view(request, judge))

    return wrapped


def by_pass(view: JudgeView) -> Callable[[HttpRequest], HttpResponse]:
    """Restrict a view to judges with a pass."""

    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        judge = judge_with_pass(request.headers.get(PASS_HEADER, ""))
        if judge is None:
            return not_signed_in(request)
        return _not_stored(view(request, judge))

    return wrapped


def _with_token(token_hash: str | None) -> Judge | None:
    if not token_hash:
        return None
    judges = Judge.objects.select_related("campaign").filter(campaign__making=None)
    return judges.filter(token_hash=token_hash).first()


def _not_stored(response: HttpResponse) -> HttpResponse:
    """Disable caching, so that going back shows the current page."""
    response.headers["Cache-Control"] = "no-store"
    return response


def not_signed_in(request: HttpRequest, status: int = 401) -> HttpResponse:
    """Page with instructions for getting in."""
    return notice(
        request,
        _("You are not signed in"),
        _(
            "Open your personal link again. Answers that this browser could not send are kept "
            "in it and will be sent then."
        ),
        status=status,
        code="session",
    )
