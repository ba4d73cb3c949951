"""Organisers: who they are, and that their pages are for them only."""

import secrets
from collections.abc import Callable
from functools import wraps

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from adjudge.errors import AdjudgeError

View = Callable[..., HttpResponseBase]
LONGEST_NAME = 150  # as Django stores it


def make_organiser(name: str, password: str | None = None) -> str:
    """Add an organiser, or give one a new password; the password, made up if none is given."""
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
    user.save()
    return password


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
