"""Accounts of judges: signing in, passwords, and a judge's own page.

A judge's own page lists the campaigns this browser is signed in to, and offers one link for all of
them and an account.

Accounts sign in by e-mail and password, with recovery of forgotten passwords.
"""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from adjudge.campaigns.models import Judge, Person
from adjudge.campaigns.people.own_progress import judge_progress
from adjudge.campaigns.people.people import (
    EmailTaken,
    judges_of_person,
    make_account,
    one_link,
    person_with,
    set_password,
    together,
)
from adjudge.web import limits
from adjudge.web.background import mail_later
from adjudge.web.judging.entrance import forget_judges, judges_in, not_signed_in, sign_in
from adjudge.web.middleware import client_address
from adjudge.web.pages import notice

LONGEST_PASSWORD = 1000


class AccountForm(forms.Form):
    """Form for e-mail and password."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=gettext_lazy("at least eight characters"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )

    def clean_password(self) -> str:
        """Reject weak passwords."""
        password = str(self.cleaned_data["password"])
        validate_password(password)
        return password


def sign_in_person(request: HttpRequest, person: Person) -> HttpResponse:
    """Sign in as all judges of a person, and show their campaigns."""
    if judges := judges_of_person(person):
        sign_in(request, *judges)
    return redirect("mine")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    """Page of the judge's campaigns, with forms for links and accounts."""
    judges = judges_in(request)
    if not judges:
        return not_signed_in(request)
    asked = request.POST.get("do", "")
    form = AccountForm(request.POST if asked == "account" else None)
    context: dict[str, Any] = {"form": form}
    if asked == "link":
        context["link"] = one_link(judges).link(request.build_absolute_uri("/"))
    elif asked == "join":
        together(judges)
    elif asked == "account" and form.is_valid() and _made(form, judges):
        messages.success(request, _("The password is saved."))
        return redirect("mine")
    emails = {judge.person.email for judge in judges if judge.person and judge.person.email}
    context |= {
        "judges": [(judge, judge_progress(judge)) for judge in judges],
        "email": next(iter(sorted(emails)), None),
        "apart": len({judge.person_id for judge in judges}) > 1,
    }
    return render(request, "web/judging/mine.html", context)


def _made(form: AccountForm, judges: list[Judge]) -> bool:
    try:
        make_account(judges, form.cleaned_data["email"], form.cleaned_data["password"])
    except EmailTaken:
        sentence = _("There is an account with this e-mail already. Sign in with it, then open "
                     "your link again.")  # fmt: skip
        form.add_error("email", ValidationError(sentence))
        return False
    return True


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Sign out; unsent answers stay in the browser."""
    forget_judges(request)
    return redirect("home")


LASTS = timedelta(hours=1)  # a link for a forgotten password
_SALT = "adjudge.forgotten"


class EmailForm(forms.Form):
    """Form for the address of a link."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email", "autofocus": True}),
    )


class SignInForm(EmailForm):
    """Form for signing in."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )


class PasswordForm(forms.Form):
    """Form for a new password."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=gettext_lazy("at least eight characters"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password", "autofocus": True}),
        validators=[validate_password],
    )


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_page(request: HttpRequest) -> HttpResponse:
    """Sign in by e-mail and password, with a limit on failed attempts."""
    form = SignInForm(request.POST or None)
    status = 200
    if form.is_valid():
        email, address = form.cleaned_data["email"].lower(), client_address(request)
        wait = limits.claim(f"judge/{email}", address)
        person = None if wait else person_with(email, form.cleaned_data["password"])
        if person is not None:
            limits.passed(f"judge/{email}", address)
            return sign_in_person(request, person)
        status = 429 if wait else 403
        said = limits.in_words(wait) if wait else _("E-mail and password do not fit together.")
        form.add_error(None, said)
    context = {"form": form, "what": "sign-in"}
    return render(request, "web/judging/account.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link for a new password without revealing whether the account exists."""
    title = _("Forgotten the password?")
    if not settings.SENDS_MAIL:
        return notice(request, title, _(
            "This server sends no mail. Ask the organisers for a new link: it lets you in, and "
            "there you can choose a new password."
        ))  # fmt: skip
    form = EmailForm(request.POST or None)
    if form.is_valid():
        email = form.cleaned_data["email"].lower()
        wait = limits.claim(f"forgotten/{email}", client_address(request))
        if wait:
            return notice(request, title, limits.in_words(wait), status=429)
        person = Person.objects.filter(email=email).first()
        if person is not None:
            mail_later(_letter(request, person).send)
        sentence = _("If there is an account with this e-mail, a link to a new password is on its "
                     "way to it.")  # fmt: skip
        return notice(request, title, sentence)
    return render(request, "web/judging/account.html", {"form": form, "what": "forgotten"})


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def new_password(request: HttpRequest, word: str) -> HttpResponse:
    """Choose a new password with a one-time link."""
    person = _whose(word)
    if person is None:
        said = _("It is too old, or it was used already. Ask for a new one.")
        return notice(request, _("This link does not work any more"), said, status=404)
    form = PasswordForm(request.POST or None)
    if form.is_valid():
        set_password(person, form.cleaned_data["password"])
        return sign_in_person(request, person)
    return render(request, "web/judging/account.html", {"form": form, "what": "new-password"})


def _letter(request: HttpRequest, person: Person) -> EmailMessage:
    word = signing.dumps([person.pk, _mark(person)], salt=_SALT)
    link = request.build_absolute_uri(reverse("new-password", args=[word]))
    text = _("Open this link within an hour to choose a new password: %s") % link
    return EmailMessage(_("Your new password for judging"), text, to=[str(person.email)])


def _whose(word: str) -> Person | None:
    """Person of a recovery token that is still valid."""
    try:
        key, mark = signing.loads(word, salt=_SALT, max_age=LASTS)
    except signing.BadSignature:
        return None
    person = Person.objects.filter(pk=key, email__isnull=False).first()
    return person if person and constant_time_compare(mark, _mark(person)) else None


def _mark(person: Person) -> str:
    """Fingerprint that changes with every change of password and reveals nothing of it."""
    return salted_hmac(_SALT, person.password).hexdigest()
