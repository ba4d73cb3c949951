"""Organisers: who they are, and that their pages are for them only."""

import secrets
from collections.abc import Callable
from functools import wraps

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode

from adjudge.campaigns.people.access import Organiser, end_all, may_change, visible_campaigns
from adjudge.core.errors import AdjudgeError, instead_of

# Methods that only look (RFC 9110 §9.2.1).
_LOOKING = ("GET", "HEAD", "OPTIONS")
View = Callable[..., HttpResponseBase]
LONGEST_NAME = 150  # as Django stores it


def make_organiser(
    name: str, password: str | None = None, administrator: bool | None = None
) -> str:
    """Add an organiser, or give one a new password; the password, made up if none is given.

    The first organiser of a database is an administrator, unless told otherwise.
    """
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise AdjudgeError(f"an organiser needs a name of at most {LONGEST_NAME} characters")
    user = User.objects.filter(username=name).first() or User(username=name)
    if password is None:
        password = secrets.token_urlsafe(12)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise AdjudgeError(f"choose another password: {' '.join(error.messages)}") from None
    user.set_password(password)
    user.is_staff = user.is_active = True
    first = not administrators().exists() and user.pk is None
    if administrator is not None or first:
        user.is_superuser = administrator is not False
    with transaction.atomic():
        user.save()
        _need_an_administrator()
    return password


def administrators() -> "QuerySet[User]":
    """Those who see every campaign and every account."""
    return User.objects.filter(is_staff=True, is_superuser=True)


def _need_an_administrator() -> None:
    """Refuse what would leave organisers and nobody to see after them."""
    if User.objects.filter(is_staff=True).exists() and not administrators().exists():
        raise AdjudgeError("somebody has to be an administrator; make another organiser one first")


@transaction.atomic
def set_administrator(user: User, administrator: bool) -> None:
    """Whether an organiser sees every campaign and every account."""
    user.is_superuser = administrator
    user.save(update_fields=["is_superuser"])
    _need_an_administrator()


@transaction.atomic
def remove_organiser(name: str, by: str) -> None:
    """An organiser may no longer sign in, and sees no campaign; what they did stays in the log."""
    user = require_organiser(name)
    end_all(name, by)
    user.delete()
    _need_an_administrator()


def require_organiser(name: str) -> User:
    """The organiser of that name, or an error that says who there are."""
    user = User.objects.filter(username=name, is_staff=True).first()
    if user is None:
        organisers = User.objects.filter(is_staff=True).order_by("username")
        names = list(organisers.values_list("username", flat=True))
        raise AdjudgeError(f"no organiser {name!r}; {instead_of(name, names)}")
    return user


def organiser_of(request: HttpRequest) -> Organiser:
    """Who is signed in."""
    user = request.user
    return Organiser(user.get_username(), isinstance(user, User) and user.is_superuser)


def for_administrators(view: View) -> View:
    """The view, for administrators; within `for_organisers`."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if not organiser_of(request).is_administrator:
            raise PermissionDenied
        return view(request, *args, **named)

    return wrapped


def with_access(view: View, owners_only: bool = False) -> View:
    """The view of a campaign (`pk`), for those who may see it; within `for_organisers`.

    Others are told that there is none. Only owners and administrators may change it, or see
    what is for owners only. Templates ask `request.may_change`.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        organiser = organiser_of(request)
        campaign = get_object_or_404(visible_campaigns(organiser), pk=named["pk"])
        changes = may_change(organiser, campaign)
        if not changes and (owners_only or request.method not in _LOOKING):
            raise PermissionDenied
        request.may_change = changes  # type: ignore[attr-defined]
        return view(request, *args, **named)

    return wrapped


def for_organisers(view: View) -> View:
    """The view, for organisers: others sign in first, or are refused."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return _to_sign_in(request)
        if not (isinstance(user, User) and user.is_staff):
            raise PermissionDenied
        response = view(request, *args, **named)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return wrapped


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):  # a part of a page: the page itself has to go there
        return HttpResponse(status=401, headers={"HX-Redirect": reverse("sign-in")})
    after = urlencode({"next": request.get_full_path()}) if request.method == "GET" else ""
    return redirect(f"{reverse('sign-in')}?{after}")
