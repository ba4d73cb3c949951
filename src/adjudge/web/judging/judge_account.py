"""A judge's own page: the campaigns this browser is signed in to, one link for all of them, and
an account for those who want one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
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
    together,
)
from adjudge.web.judging.entrance import forget_judges, judges_in, not_signed_in, sign_in

LONGEST_PASSWORD = 1000


class AccountForm(forms.Form):
    """An e-mail and a password."""

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
        """None that is easily guessed."""
        password = str(self.cleaned_data["password"])
        validate_password(password)
        return password


def sign_in_person(request: HttpRequest, person: Person) -> HttpResponse:
    """Sign them in as every judge they are, and show their campaigns."""
    if judges := judges_of_person(person):
        sign_in(request, *judges)
    return redirect("mine")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    """The judge's campaigns; asks for what they want to do about links and accounts."""
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
    """Sign out; what could not be sent stays in the browser."""
    forget_judges(request)
    return redirect("home")
