"""Changes to an existing campaign: design, more texts, archive, delete."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.setup import changes
from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.text.reading import read_column, read_pairs
from adjudge.text.segments import read_phrases
from adjudge.web.organiser.campaign_form import Files, allow_empty_field
from adjudge.web.organiser.design_fields import GROUPS, design_fields
from adjudge.web.organiser.uploads import UploadFolder, limited, upload_folder

_TIME = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class ChangeForm(forms.Form):
    """Form for changeable settings."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    opens = forms.DateTimeField(
        label=gettext_lazy("Work begins"),
        required=False,
        widget=_TIME,
        help_text=gettext_lazy("UTC; empty: at once"),
    )
    ends = forms.DateTimeField(
        label=gettext_lazy("Work ends"),
        required=False,
        widget=_TIME,
        help_text=gettext_lazy("UTC; empty: when it is closed"),
    )
    instructions = forms.CharField(
        label=gettext_lazy("Instructions for judges"),
        required=False,
        help_text="Markdown",
        max_length=50_000,
        widget=forms.Textarea({"rows": 8}),
        strip=False,
    )

    def __init__(self, campaign: Campaign, given: Any) -> None:
        stored = {name: getattr(campaign, name) for name in self.base_fields}
        super().__init__(given, initial={**campaign.design.to_json(), **stored})
        self.campaign = campaign
        self.fields |= {k: v for k, v in design_fields().items() if k not in changes.FIXED}

    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """Fields of the design under their headings."""
        return [
            (heading, [self[name] for name in names if name in self.fields])
            for heading, names in GROUPS.items()
        ]

    def change(self, who: str) -> list[str] | None:
        """Change the campaign; return the changed values, or None after an error."""
        told = dict(self.cleaned_data)
        told["instructions"] = told["instructions"].replace("\r\n", "\n")
        try:
            return changes.change(self.campaign, who, **told)
        except AdjudgeError as error:
            self.add_error(None, in_plain_words(str(error)))
            return None


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Form with the current settings."""
    campaign = get_object_or_404(Campaign, pk=pk)
    form = ChangeForm(campaign, request.POST or None)
    if form.is_valid():
        changed = form.change(request.user.get_username())
        if changed is not None:
            said = _("Changed: %s.") % ", ".join(changed) if changed else _("Nothing is changed.")
            messages.success(request, said.replace("_", " "))
            return redirect("campaign-settings", pk)
    context = {"campaign": campaign, "form": form, "goes": changes.what_goes(campaign)}
    context["texts"] = TextsForm()
    return render(request, "web/organiser/settings.html", context)


class TextsForm(forms.Form):
    """Form for new systems, or new documents."""

    systems = Files(
        label=gettext_lazy("New systems"),
        required=False,
        help_text=gettext_lazy(
            "A file each, parallel to the source; balanced drawing lets them catch up"
        ),
    )
    archive = forms.FileField(
        label=gettext_lazy("New documents"),
        required=False,
        help_text=gettext_lazy(
            "A ZIP archive with source.txt, a folder systems, perhaps documents.tsv and, if the "
            "campaign has one, reference.txt; of phrases, their six columns"
        ),
    )
    allow_empty = allow_empty_field()


@require_POST
@limited
@csrf_protect
def add_texts(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Add texts, all or none."""
    campaign = get_object_or_404(Campaign, pk=pk)
    form = TextsForm(request.POST, request.FILES)
    who = request.user.get_username()
    if not form.is_valid() or not (form.cleaned_data["systems"] or form.cleaned_data["archive"]):
        messages.error(request, _("Choose files to add."))
        return redirect("campaign-settings", pk)
    with upload_folder() as folder:
        try:
            _add(campaign, who, folder, form.cleaned_data)
            messages.success(request, _("Added."))
        except AdjudgeError as error:
            messages.error(request, folder.words_of(error))
    return redirect("campaign-settings", pk)


def _add(campaign: Campaign, who: str, folder: UploadFolder, given: dict[str, Any]) -> None:
    empty = given["allow_empty"]
    if given["systems"]:
        files = folder.systems("systems", given["systems"])
        texts = {name: read_column(path).texts for name, path in files.items()}
        changes.add_systems(campaign, who, texts, empty)
    if given["archive"]:
        path = folder.store("archive", given["archive"], packed=True)
        languages = (campaign.source_language, campaign.target_language)
        if not folder.is_packed(path):
            changes.add_segments(campaign, who, read_phrases(path, {}, None, languages), empty)
            return
        pairs = read_pairs(folder.unpacked("archive", path))
        if len(pairs) > 1:
            raise AdjudgeError(_("The archive has several language pairs; give one."))
        changes.add_segments(campaign, who, next(iter(pairs.values())), empty)


@require_POST
def archive(request: HttpRequest, pk: int) -> HttpResponse:
    """Archive or unarchive a campaign."""
    campaign = get_object_or_404(Campaign, pk=pk)
    act: Callable[[Campaign, str], None] = (
        changes.bring_back if campaign.archived else changes.archive
    )
    act(campaign, request.user.get_username())
    told = _("The campaign is in the archive.") if campaign.archived else _("The campaign is back.")
    messages.success(request, told)
    return redirect("campaign-settings", pk)


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the campaign, if its name is typed as confirmation."""
    campaign = get_object_or_404(Campaign, pk=pk)
    try:
        changes.delete(campaign, request.user.get_username(), request.POST.get("confirm", ""))
    except AdjudgeError as error:
        messages.error(request, in_plain_words(str(error)))
        return redirect("campaign-settings", pk)
    messages.success(request, _("The campaign is deleted."))
    return redirect("campaigns")
