"""Form fields for all values of a design, in groups."""

from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, get_args

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import PRESETS, Design

_Words = tuple[Promise, Promise | str]

GROUPS: Mapping[Promise, Mapping[str, _Words]] = {
    _("What is on a screen"): {
        "block": (_("Translations on a screen"), _("2 to 6")),
        "long_words": (_("A sentence is long from"), _("source words; empty: all are alike")),
        "long_block": (_("Translations for a long sentence"), ""),
        "run": (_("Consecutive segments in a task"), _("judged by one person")),
        "reference": (_("The reference as a system"), _("off, as often as a system, or rarer")),
        "reference_rate": (_("How often, if rarer"), _("times a system")),
        "balance": (_("How translations are drawn"), ""),
        "plain_tie": (
            _("Two may simply be alike"),
            _("side by side, besides both fine and both wrong"),
        ),
        "error_categories": (_("Errors have a category"), _("none (ESA) or those of MQM")),
    },
    _("For agreement"): {
        "repeats": (_("Share judged twice by the same judge"), _("0 to 1")),
        "repeat_gap": (_("Items in between, at least"), ""),
        "common": (_("Share from the pool common to all"), _("0 to 1")),
        "common_judges": (_("Judges of a common task, at most"), ""),
    },
    _("How much"): {
        "target": (_("Rankings wanted in all"), _("empty: until it is closed")),
        "quota_per_system": (_("Items owed for each system entered"), ""),
        "abandoned_hours": (_("Unfinished work returns after"), _("hours")),
    },
    _("Quality control"): {
        "trusted_groups": (_("Trusted groups"), _("separated by commas")),
        "controlled_groups": (_("Controlled groups"), _("separated by commas")),
        "controls": (_("Share of controls among their items"), _("0 to 1")),
        "control_margin": (_("A control needs a majority above"), _("trusted judges")),
        "controls_met": (_("Controls met before a verdict"), ""),
        "controls_failed": (_("Failed if more than this share"), _("0 to 1")),
        "on_failure": (_("Who fails is"), ""),
        "fastest_reading": (_("Too fast above"), _("characters a second")),
    },
}
WORDS: Mapping[str, _Words] = {
    name: words for group in GROUPS.values() for name, words in group.items()
}


class Names(forms.CharField):
    """Field for names separated by commas."""

    def prepare_value(self, value: Any) -> Any:
        """Format as text."""
        return ", ".join(value) if isinstance(value, tuple | list) else value

    def clean(self, value: Any) -> Any:
        """Parse into the form used by designs."""
        return tuple(name.strip() for name in super().clean(value).split(",") if name.strip())


def design_fields() -> dict[str, forms.Field]:
    """Form fields of all values, required unless the design can do without."""
    form_fields: dict[str, forms.Field] = {}
    for field in fields(Design):
        label, help_text = WORDS[field.name]
        choices = get_args(field.type)
        told: dict[str, Any] = {"label": label, "help_text": help_text}
        told["required"] = NoneType not in choices
        if field.name.endswith("_groups"):
            form_fields[field.name] = Names(**told | {"required": False})
        elif all(isinstance(choice, str) for choice in choices) and choices:
            form_fields[field.name] = forms.ChoiceField(**told, choices=[(c, c) for c in choices])
        elif field.type is bool:
            answers = [(str(False), _("no")), (str(True), _("yes"))]
            form_fields[field.name] = forms.TypedChoiceField(
                **told, choices=answers, coerce=lambda answer: answer == str(True)
            )
        elif field.type is float:
            step = forms.NumberInput({"step": "any"})
            form_fields[field.name] = forms.FloatField(**told, widget=step)
        else:
            form_fields[field.name] = forms.IntegerField(**told)
    return form_fields


def preset_values() -> dict[str, dict[str, Any]]:
    """Field values of every preset, as text."""
    return {
        name: {
            value: ", ".join(said) if isinstance(said, list) else "" if said is None else str(said)
            for value, said in design.to_json().items()
        }
        for name, design in PRESETS.items()
    }
