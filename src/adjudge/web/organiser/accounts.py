"""Accounts of organisers, and signing in and out.

Access to their pages is restricted to organisers.

Organisers change their own password, administrators everybody's.
"""

import secrets
from collections.abc import Callable, Mapping
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from adjudge.campaigns.people.access import Organiser, end_all, may_change, visible_campaigns
from adjudge.core.errors import AdjudgeError, in_plain_words, instead_of
from adjudge.web import limits
from adjudge.web.middleware import client_address
from adjudge.web.pages import notice

# Methods that only look (RFC 9110 §9.2.1).
_LOOKING = ("GET", "HEAD", "OPTIONS")
View = Callable[..., HttpResponseBase]
LONGEST_NAME = 150  # as Django stores it


def make_organiser(
    name: str, password: str | None = None, administrator: bool | None = None
) -> str:
    """Create an organiser or reset a password; return the password, generated if none is given.

    The first organiser of a database is an administrator by default.
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
    """Administrators, who see every campaign and every account."""
    return User.objects.filter(is_staff=True, is_superuser=True)


def _need_an_administrator() -> None:
    """Refuse to leave organisers without an administrator."""
    if User.objects.filter(is_staff=True).exists() and not administrators().exists():
        raise AdjudgeError("somebody has to be an administrator; make another organiser one first")


@transaction.atomic
def set_administrator(user: User, administrator: bool) -> None:
    """Grant or revoke access to every campaign and account."""
    user.is_superuser = administrator
    user.save(update_fields=["is_superuser"])
    _need_an_administrator()


@transaction.atomic
def remove_organiser(name: str, by: str) -> None:
    """Remove an organiser's account and access; their actions stay in the log."""
    user = require_organiser(name)
    end_all(name, by)
    user.delete()
    _need_an_administrator()


def require_organiser(name: str) -> User:
    """Find the organiser of that name; an error lists the existing ones."""
    user = User.objects.filter(username=name, is_staff=True).first()
    if user is None:
        organisers = User.objects.filter(is_staff=True).order_by("username")
        names = list(organisers.values_list("username", flat=True))
        raise AdjudgeError(f"no organiser {name!r}; {instead_of(name, names)}")
    return user


def organiser_of(request: HttpRequest) -> Organiser:
    """Signed-in organiser."""
    user = request.user
    return Organiser(user.get_username(), isinstance(user, User) and user.is_superuser)


def for_administrators(view: View) -> View:
    """Restrict a view to administrators; used within `for_organisers`."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if not organiser_of(request).is_administrator:
            raise PermissionDenied
        return view(request, *args, **named)

    return wrapped


def with_access(view: View, owners_only: bool = False) -> View:
    """Restrict a campaign view (`pk`) to those with access; used within `for_organisers`.

    Others get a 404. Only owners and administrators may change it, or see pages for owners only.
    Templates check `request.may_change`.
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
    """Restrict a view to organisers: others sign in first, or are refused."""

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


class SignInForm(forms.Form):
    """Form for signing in."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for name and password, with a limit on failed attempts."""
    after = _after(request)
    form = SignInForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        refusal, status = _try(request, **form.cleaned_data)
        if refusal is None:
            return redirect(after)
        form.add_error(None, refusal)
    context = {"form": form, "next": after}
    return render(request, "web/organiser/sign_in.html", context, status=status)


def _try(request: HttpRequest, name: str, password: str) -> tuple[str | None, int]:
    """Sign in, or return the reason for refusal."""
    address = client_address(request)
    wait = limits.claim(name, address)
    if wait:
        return limits.in_words(wait), 429
    user = authenticate(request, username=name, password=password)
    if user is None:
        return _("Name and password do not fit together."), 403
    limits.passed(name, address)
    login(request, user)
    return None, 302


def _after(request: HttpRequest) -> str:
    """Target after signing in, restricted to pages of this server."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    if url_has_allowed_host_and_scheme(wanted, hosts, require_https=request.is_secure()):
        return wanted
    return "/organise/"


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect("sign-in")


class NewOrganiserForm(forms.Form):
    """Form for a new organiser."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)

    def clean_name(self) -> str:
        """Reject an existing name."""
        name = str(self.cleaned_data["name"]).strip()
        if User.objects.filter(username=name).exists():
            raise forms.ValidationError(_("There is an organiser of that name."))
        return name


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def own_password(request: HttpRequest) -> HttpResponse:
    """Change one's own password; all other sessions of the account end."""
    user = get_object_or_404(User, username=request.user.get_username())
    form = PasswordChangeForm(user, request.POST or None)
    address = client_address(request)
    wait = limits.claim(user.username, address) if form.is_bound else None
    if wait:
        return notice(request, _("Too many tries"), limits.in_words(wait), status=429)
    if form.is_bound and "old_password" not in form.errors:
        limits.passed(user.username, address)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, _("The password is changed."))
        return redirect("campaigns")
    return render(request, "web/organiser/password.html", {"form": form})


@require_http_methods(["GET", "POST"])
def organisers(request: HttpRequest) -> HttpResponse:
    """List of organisers, with a form for a new one."""
    form = NewOrganiserForm(request.POST or None)
    if form.is_valid():
        try:
            return _shown_once(request, form.cleaned_data["name"])
        except AdjudgeError as error:
            form.add_error("name", in_plain_words(str(error)))
    people = User.objects.filter(is_staff=True).order_by("username")
    return render(request, "web/organiser/organisers.html", {"form": form, "organisers": people})


def _shown_once(request: HttpRequest, name: str) -> HttpResponse:
    """Show a new password once; it is stored nowhere."""
    context = {"name": name, "password": make_organiser(name)}
    return render(request, "web/organiser/new_password.html", context)


def _remove(user: User, by: str) -> str:
    remove_organiser(user.username, by)
    return _("%s is no organiser any more.") % user.username


def _promote(user: User, by: str) -> str:
    set_administrator(user, True)
    return _("%s is an administrator.") % user.username


def _demote(user: User, by: str) -> str:
    set_administrator(user, False)
    return _("%s is an administrator no more.") % user.username


ACTIONS: Mapping[str, Callable[[User, str], str]] = {
    "remove": _remove,
    "promote": _promote,
    "demote": _demote,
}


@require_POST
def act(request: HttpRequest, user: int, action: str) -> HttpResponse:
    """Perform an action on an account, and report the result or the reason for refusal."""
    account = get_object_or_404(User, pk=user, is_staff=True)
    if action == "password":
        return _shown_once(request, account.username)
    if action not in ACTIONS:
        raise Http404
    try:
        messages.success(request, ACTIONS[action](account, request.user.get_username()))
    except AdjudgeError as error:
        messages.error(request, in_plain_words(str(error)))
    return redirect("organisers")
