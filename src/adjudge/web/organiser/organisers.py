"""Accounts of organisers: one's own password, and for administrators everybody's."""

from collections.abc import Callable, Mapping

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.web import limits
from adjudge.web.organiser.accounts import (
    LONGEST_NAME,
    make_organiser,
    remove_organiser,
    set_administrator,
)
from adjudge.web.pages import notice
from adjudge.web.security import client_address


class NewOrganiserForm(forms.Form):
    """Somebody who shall organise."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)

    def clean_name(self) -> str:
        """A name that is free."""
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
    """Every organiser, and a form for a new one."""
    form = NewOrganiserForm(request.POST or None)
    if form.is_valid():
        try:
            return _shown_once(request, form.cleaned_data["name"])
        except AdjudgeError as error:
            form.add_error("name", in_plain_words(str(error)))
    people = User.objects.filter(is_staff=True).order_by("username")
    return render(request, "web/organiser/organisers.html", {"form": form, "organisers": people})


def _shown_once(request: HttpRequest, name: str) -> HttpResponse:
    """A new password, which is stored nowhere."""
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
    """Do something about an account, and say what was done or why not."""
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
