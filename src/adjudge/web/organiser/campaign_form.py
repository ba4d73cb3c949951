"""Form that creates a campaign, with errors beside the fields."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.db import DataError, IntegrityError
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import PRESETS, Design, design_named
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.setup.creation import Finish, check_name, create_campaign, judged_outputs
from adjudge.campaigns.setup.empty_outputs import refuse_empty
from adjudge.campaigns.setup.projects import create_project
from adjudge.campaigns.setup.tutorial import NO_TUTORIAL, Tutorial, check_tutorial, read_tutorial
from adjudge.core.errors import AdjudgeError, in_plain_words
from adjudge.text.testset import TestSet
from adjudge.web.judging.screens import check_pages
from adjudge.web.organiser.design_fields import GROUPS, design_fields
from adjudge.web.organiser.form_texts import Blame, FormTexts, Pairs
from adjudge.web.organiser.protocol_fields import (
    check_screens,
    chosen_protocols,
    protocol_fields,
    protocol_rows,
)
from adjudge.web.organiser.uploads import UploadFolder, upload_folder

# The fields of the texts: for which of the ways they come, and for which they must be there.
TEXT_FIELDS: Mapping[str, tuple[str, str]] = {
    "source": ("files", "files"),
    "reference_text": ("files", ""),
    "archive": ("archive", "archive"),
    "segments": ("phrases", "phrases"),
    "systems": ("files phrases", "files"),
    "documents": ("files phrases", ""),
    "allow_empty": ("files archive phrases", ""),
}


class Files(forms.FileField):
    """Field for several files."""

    def __init__(self, **told: Any) -> None:
        widget = forms.ClearableFileInput
        chooser = type("Chooser", (widget,), {"allow_multiple_selected": True})
        super().__init__(widget=chooser, **told)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return a list, perhaps empty."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(Files, self).clean(file, initial) for file in files if file]


def allow_empty_field() -> forms.BooleanField:
    """Checkbox that must be ticked for empty outputs."""
    return forms.BooleanField(
        label=_("Allow empty outputs"),
        required=False,
        help_text=_("judges then have to score them; a blank line is one"),
    )


class CampaignForm(forms.Form):
    """Form for all parameters of `adjudge campaign create`."""

    name = forms.CharField(label=_("Name"), max_length=200)
    source_language = forms.CharField(
        label=_("Source language"), max_length=35, required=False, help_text=_("such as en")
    )
    target_language = forms.CharField(
        label=_("Target language"), max_length=35, required=False, help_text=_("such as de")
    )
    texts_from = forms.ChoiceField(
        label=_("How the texts come"),
        choices=[
            ("files", _("Files")),
            ("archive", _("One archive")),
            ("phrases", _("Phrases")),
        ],
        initial="files",
        widget=forms.RadioSelect,
    )
    source = forms.FileField(
        label=_("Source"), required=False, help_text=_("Plain text, a segment a line, or WMT XML")
    )
    reference_text = forms.FileField(  # `reference` is a value of the design
        label=_("Reference"), required=False, help_text=_("Parallel to the source; may be left out")
    )
    archive = forms.FileField(
        label=_("Archive"),
        required=False,
        help_text=_(
            "A WMT XML file with source and systems, or a ZIP archive with source.txt, "
            "reference.txt, documents.tsv and a folder systems; reference and documents may be "
            "left out. With a folder for each language pair, such as en-de, it becomes a project"
        ),
    )
    segments = forms.FileField(
        label=_("Phrases"),
        required=False,
        help_text=_("Six columns, as SegRanks has them"),
    )
    systems = Files(
        label=_("Systems"),
        required=False,
        help_text=_("A file each; its name without the ending is the system's name"),
    )
    documents = forms.FileField(
        label=_("Documents"),
        required=False,
        help_text=_("The document of each segment, a line each; may be left out"),
    )
    allow_empty = allow_empty_field()
    show_reference = forms.TypedChoiceField(
        label=_("Judges see the reference"),
        required=False,
        choices=[("", _("as the protocol has it")), ("yes", _("yes")), ("no", _("no"))],
        help_text=_("never beside itself, where it is one of the translations"),
        coerce=lambda answer: answer == "yes",
        empty_value=None,
    )
    contact = forms.CharField(
        label=_("Whom judges may ask"),
        required=False,
        max_length=200,
        help_text=_("a name, an e-mail address, a page; at the foot of their pages"),
    )
    instructions = forms.CharField(
        label=_("Instructions for judges"),
        required=False,
        help_text="Markdown",
        max_length=50_000,
        widget=forms.Textarea({"rows": 6}),
    )
    tutorial = forms.FileField(
        label=_("Tutorial"),
        required=False,
        help_text=_("Practice items as JSON, three or so; may be left out"),
    )
    preset = forms.ChoiceField(
        label=_("Preset"), choices=[(name, name) for name in PRESETS], initial="recommended"
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields |= protocol_fields() | design_fields()
        self.initial = {**design_named("recommended").to_json(), **self.initial}

    def clean_name(self) -> str:
        """Reject an existing name."""
        name = str(self.cleaned_data["name"])
        try:
            check_name(name)
        except AdjudgeError as error:
            raise forms.ValidationError(in_plain_words(str(error))) from None
        return name

    def clean(self) -> None:
        """Read the texts, the design and the tutorial; report all errors at once."""
        check_screens(self)
        self.pairs: Pairs = {}
        with upload_folder() as folder:

            def blame(field: str | None, error: AdjudgeError) -> None:
                self._blame(field, folder.words_of(error))

            if "texts_from" in self.cleaned_data:
                self.pairs = FormTexts(self.cleaned_data, folder, blame).read()
            self.design = self._design()
            self._refuse_empty(blame)
            try:
                self.practice = self._tutorial(folder)
            except AdjudgeError as error:
                blame("tutorial", error)

    def _refuse_empty(self, blame: Blame) -> None:
        """Check all texts for empty outputs, since the example has only the first ones."""
        if self.cleaned_data["allow_empty"] or "protocol" not in self.cleaned_data:
            return
        asked = [PROTOCOLS.named(name) for name in self.cleaned_data["protocol"]]
        for pair, texts in self.pairs.items():
            try:
                outputs = judged_outputs(texts, self.design, asked)
            except AdjudgeError:
                continue  # said when the campaign is made
            try:
                refuse_empty(outputs, texts)
            except AdjudgeError as error:
                blame("allow_empty", AdjudgeError(f"{pair}: {error}" if pair else str(error)))

    def make(self, finish: Finish) -> list[Campaign]:
        """Create the campaign, or one for each language pair; empty after an error."""
        texts = list(self.texts.values())
        if len(texts) == 1:
            return self._made(lambda told: [create_campaign(texts=texts[0], finish=finish, **told)])
        return self._made(lambda told: create_project(pairs=self.texts, finish=finish, **told))

    def make_example(self, first: int) -> list[Campaign]:
        """Create a campaign of the `first` segments of the first language pair."""
        texts = _beginning(next(iter(self.texts.values())), first)
        return self._made(lambda told: [create_campaign(texts=texts, **told)])

    def _made(self, make: Callable[[dict[str, Any]], list[Campaign]]) -> list[Campaign]:
        given = self.cleaned_data
        told = {
            "name": given["name"],
            "design": self.design,
            "protocols": chosen_protocols(given),
            "show_reference": given["show_reference"],
            "instructions": given["instructions"],
            "contact": given["contact"],
            "tutorial": self.practice,
            "allow_empty": given["allow_empty"],
        }
        try:
            check_pages(given["protocol"])
            return make(told)
        except AdjudgeError as error:
            self._blame(None, in_plain_words(str(error)))
        except (DataError, IntegrityError):  # what only the database notices
            self._blame(None, "a document or a name is there twice or too long; rename it")
        return []

    @property
    def texts(self) -> Pairs:
        """Texts by pair, with the given languages as default."""
        given = self.cleaned_data
        languages = (given["source_language"], given["target_language"])
        return {
            pair: texts
            if texts.source_language or texts.target_language
            else replace(texts, source_language=languages[0], target_language=languages[1])
            for pair, texts in self.pairs.items()
        }

    def protocols(self) -> list[tuple[Any, forms.BoundField]]:
        """Checkboxes of protocols with the fields for their screens."""
        return protocol_rows(self)

    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """Fields of the design under their headings."""
        return [(heading, [self[name] for name in names]) for heading, names in GROUPS.items()]

    def fields_of_texts(self) -> list[tuple[forms.BoundField, str, str]]:
        """Fields of texts, with the input methods they apply to and are required for."""
        return [(self[name], ways, needed) for name, (ways, needed) in TEXT_FIELDS.items()]

    def _blame(self, field: str | None, words: str) -> None:
        """Attach an error to its field, if it names one."""
        named = re.match(r"design: (\w+) (is|and) ", words)
        if named and named[1] in self.fields:
            field, words = named[1], words.removeprefix("design: ")
        self.add_error(field, words)

    def _design(self) -> Design:
        """Build the design; each invalid value is reported separately."""
        cleaned = self.cleaned_data
        given = {name: cleaned[name] for name in design_fields() if name in cleaned}
        sound = design_named("recommended")
        values = {}
        for name, value in given.items():
            try:
                Design.from_json({**sound.to_json(), "repeats": 0, "common": 0, name: value})
                values[name] = value
            except AdjudgeError as error:
                self._blame(name, in_plain_words(str(error)))
        try:
            return Design.from_json({**sound.to_json(), **values})
        except AdjudgeError as error:
            self._blame(None, in_plain_words(str(error)))
            return sound

    def _tutorial(self, folder: UploadFolder) -> Tutorial:
        upload = self.cleaned_data.get("tutorial")
        tutorial = read_tutorial(folder.store("tutorial", upload)) if upload else NO_TUTORIAL
        if "protocol" in self.cleaned_data:
            check_tutorial(tutorial, self.cleaned_data["protocol"], self.design)
        return tutorial


def _beginning(texts: TestSet, first: int) -> TestSet:
    """Test set of the first segments."""
    return replace(
        texts,
        source=texts.source[:first],
        reference=texts.reference and texts.reference[:first],
        documents=texts.documents[:first],
        names=texts.names[:first],
        systems={name: outputs[:first] for name, outputs in texts.systems.items()},
        parts=texts.parts[:first],
    )
