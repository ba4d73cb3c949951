"""Creating a campaign: the form, and what is wrong with it, told beside each field."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db import DataError, IntegrityError
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import PRESETS, Design, design_named
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.setup.creation import check_name, create_campaign
from adjudge.campaigns.setup.tutorial import NO_TUTORIAL, Tutorial, check_tutorial, read_tutorial
from adjudge.errors import AdjudgeError, InputError, in_plain_words
from adjudge.files.input_file import InputFile
from adjudge.texts import TestSet
from adjudge.texts.from_files import read_files
from adjudge.texts.segments import read_phrases
from adjudge.texts.wmt_xml import read_dataset
from adjudge.web.judging.screens import check_pages
from adjudge.web.organiser.design_fields import GROUPS, design_fields
from adjudge.web.organiser.protocol_fields import (
    check_screens,
    chosen_protocols,
    protocol_fields,
    protocol_rows,
)
from adjudge.web.organiser.uploads import UploadFolder, upload_folder

LONGEST_SYSTEM = 200  # characters of a name, as stored
_ENDING = re.compile(r"\.(txt|xml|sgm|sgml|tsv)$", re.IGNORECASE)


class Files(forms.FileField):
    """Several files."""

    def __init__(self, **told: Any) -> None:
        widget = forms.ClearableFileInput
        chooser = type("Chooser", (widget,), {"allow_multiple_selected": True})
        super().__init__(widget=chooser, **told)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """A list, perhaps empty."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(Files, self).clean(file, initial) for file in files if file]


class CampaignForm(forms.Form):
    """All that `adjudge campaign create` takes."""

    name = forms.CharField(label=_("Name"), max_length=200)
    source_language = forms.CharField(
        label=_("Source language"), max_length=35, required=False, help_text=_("such as en")
    )
    target_language = forms.CharField(
        label=_("Target language"), max_length=35, required=False, help_text=_("such as de")
    )
    source = forms.FileField(
        label=_("Source"), required=False, help_text=_("Plain text, a segment a line, or WMT XML")
    )
    reference_text = forms.FileField(  # `reference` is a value of the design
        label=_("Reference"), required=False, help_text=_("Parallel to the source; may be left out")
    )
    systems = Files(
        label=_("Systems"),
        required=False,
        help_text=_("A file each; its name without the ending is the system's name"),
    )
    documents = forms.FileField(
        label=_("Documents"),
        required=False,
        help_text=_("The document of each segment, a line each"),
    )
    testset = forms.FileField(
        label=_("Or all in one"),
        required=False,
        help_text=_("A WMT XML file with source and systems"),
    )
    segments = forms.FileField(
        label=_("Or phrases"),
        required=False,
        help_text=_("Six columns, as SegRanks has them; with systems, they say whose a phrase is"),
    )
    show_reference = forms.BooleanField(
        label=_("Judges see the reference"), required=False, initial=True
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
        """A name that is free."""
        name = str(self.cleaned_data["name"])
        try:
            check_name(name)
        except AdjudgeError as error:
            raise forms.ValidationError(in_plain_words(str(error))) from None
        return name

    def clean(self) -> None:
        """Read the texts and the design; the readers say what is wrong."""
        check_screens(self)
        if not self.errors:
            with upload_folder() as folder:
                try:
                    self.texts = self._texts(folder)
                    self.design = Design.from_json(self._design_values())
                    self.practice = self._tutorial(folder)
                except AdjudgeError as error:
                    self._blame(folder.field_of(error), folder.words_of(error))

    def make(self, first: int | None = None) -> Campaign | None:
        """Create the campaign (of the `first` segments only); None: something is wrong."""
        given = self.cleaned_data
        try:
            check_pages(given["protocol"])
            return create_campaign(
                given["name"],
                self.texts if first is None else _beginning(self.texts, first),
                self.design,
                protocols=chosen_protocols(given),
                show_reference=None if given["show_reference"] else False,
                instructions=given["instructions"],
                tutorial=self.practice,
            )
        except AdjudgeError as error:
            self._blame(None, in_plain_words(str(error)))
        except (DataError, IntegrityError):  # what only the database notices
            self._blame(None, "a document or a name is there twice or too long; rename it")
        return None

    def protocols(self) -> list[tuple[Any, forms.BoundField]]:
        """Every protocol's box with the field for its screens."""
        return protocol_rows(self)

    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The design's fields under their headings."""
        return [(heading, [self[name] for name in names]) for heading, names in GROUPS.items()]

    def _blame(self, field: str | None, words: str) -> None:
        """Put an error beside its field, if it names one."""
        named = re.match(r"design: (\w+) (is|and) ", words)
        if named and named[1] in self.fields:
            field, words = named[1], words.removeprefix("design: ")
        self.add_error(field, words)

    def _design_values(self) -> Mapping[str, Any]:
        return {name: self.cleaned_data[name] for name in design_fields()}

    def _tutorial(self, folder: UploadFolder) -> Tutorial:
        path = _stored(folder, "tutorial", self.cleaned_data)
        tutorial = NO_TUTORIAL if path is None else read_tutorial(path)
        check_tutorial(tutorial, self.cleaned_data["protocol"], self.design)
        return tutorial

    def _texts(self, folder: UploadFolder) -> TestSet:
        given = self.cleaned_data
        if sum(bool(given[name]) for name in ("source", "testset", "segments")) != 1:
            raise AdjudgeError(
                "give a source and systems, or one file with all of them, or phrases"
            )
        if given["testset"]:
            return read_dataset(InputFile(folder.store("testset", given["testset"])))
        if given["segments"]:
            return read_phrases(
                folder.store("segments", given["segments"]),
                _systems(folder, given["systems"]),
                _stored(folder, "documents", given),
                (given["source_language"], given["target_language"]),
            )
        return read_files(
            folder.store("source", given["source"]),
            _stored(folder, "reference_text", given),
            _systems(folder, given["systems"]),
            _stored(folder, "documents", given),
            (given["source_language"], given["target_language"]),
        )


def _stored(folder: UploadFolder, field: str, given: Mapping[str, Any]) -> str | None:
    return folder.store(field, given[field]) if given[field] else None


def _systems(folder: UploadFolder, uploads: "Sequence[UploadedFile[bytes]]") -> dict[str, str]:
    """The files by the names of their systems."""
    files: dict[str, str] = {}
    for upload in uploads:
        path = folder.store("systems", upload)
        name = _ENDING.sub("", path.rpartition("/")[2])
        if len(name) > LONGEST_SYSTEM:
            raise InputError("its name is too long for a system; rename it", file=path)
        if name in files:
            raise InputError(f"is the second file of a system {name}; rename it", file=path)
        files[name] = path
    return files


def _beginning(texts: TestSet, first: int) -> TestSet:
    """The first segments, all else alike."""
    return replace(
        texts,
        source=texts.source[:first],
        reference=texts.reference and texts.reference[:first],
        documents=texts.documents[:first],
        names=texts.names[:first],
        systems={name: outputs[:first] for name, outputs in texts.systems.items()},
        parts=texts.parts[:first],
    )
