"""Form fields for the choice of protocols and, for several, the screens of a batch."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.setup.batches import MOST_SCREENS


def protocol_fields() -> dict[str, forms.Field]:
    """Field `protocol`, and a number of screens for each protocol."""
    offered = sorted(PROTOCOLS.values(), key=lambda protocol: protocol.name != "ranking")
    fields: dict[str, forms.Field] = {
        "protocol": forms.MultipleChoiceField(
            label=_("How judges are asked"),
            choices=[(protocol.name, protocol.summary) for protocol in offered],
            initial=["ranking"],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": _("Choose at least one.")},
        )
    }
    for protocol in offered:
        fields[_field(protocol.name)] = forms.IntegerField(
            label=_("Screens of a batch"),
            required=False,
            min_value=1,
            max_value=MOST_SCREENS,
            initial=protocol.batch,
        )
    return fields


def check_screens(form: forms.Form) -> None:
    """Require batch sizes for several protocols; errors are reported beside the fields."""
    chosen = form.cleaned_data.get("protocol", [])
    for name in chosen if len(chosen) > 1 else ():
        field = _field(name)
        if form.cleaned_data.get(field) is None and field not in form.errors:
            form.add_error(field, _("Say how many screens of it come in a row."))


def chosen_protocols(given: Mapping[str, Any]) -> list[str]:
    """Chosen protocols, as argument of `create_campaign`."""
    names: list[str] = given["protocol"]
    return names if len(names) == 1 else [f"{name}:{given[_field(name)]}" for name in names]


def protocol_rows(form: forms.Form) -> list[tuple[Any, forms.BoundField]]:
    """Checkboxes of protocols with the fields for their screens."""
    boxes = form["protocol"].subwidgets
    return [(box, form[_field(str(box.data["value"]))]) for box in boxes]


def _field(protocol: str) -> str:
    return f"screens_{protocol.replace('-', '_')}"
