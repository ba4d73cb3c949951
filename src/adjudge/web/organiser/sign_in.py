"""Signing in and out."""

from django import forms
from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from adjudge.web import limits
from adjudge.web.organiser.accounts import LONGEST_NAME
from adjudge.web.security import client_address


class SignInForm(forms.Form):
    """A name and a password."""

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
    """Ask for a name and a password; too many wrong ones, and nobody may try for a while."""
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
    """Sign in, or say why not."""
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
    """Where to go then; only to pages of this server."""
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
