"""Screens of protocols: a template with two sides, and the script that it names.

They are where Django looks for templates and static files: in this package, or in the package of a
protocol that came by an entry point (`adjudge.web.settings`).
"""

import re
from collections.abc import Iterable

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.exceptions import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

from adjudge.core.errors import AdjudgeError

HELP = "docs/protocols.md says what a protocol needs"


def template_of(protocol: str) -> str:
    """Name of a protocol's template."""
    return f"web/judging/screens/{protocol}.html"


def check_pages(protocols: Iterable[str]) -> None:
    """Refuse a protocol without working pages."""
    for protocol in protocols:
        _check_script(protocol, _rendered(protocol))


def _rendered(protocol: str) -> str:
    """Render the side with the screen; the explanatory side must render too."""
    name = template_of(protocol)
    try:
        template = get_template(name)
        template.render({"how_to": True})
        return template.render({"how_to": False})
    except TemplateDoesNotExist as missing:
        raise AdjudgeError(
            f"protocol {protocol} cannot be shown to judges: there is no template {missing}; {HELP}"
        ) from None
    except TemplateSyntaxError as error:
        raise AdjudgeError(
            f"protocol {protocol} cannot be shown to judges: {name} is wrong ({error}); correct it"
        ) from None


def _check_script(protocol: str, page: str) -> None:
    screen = re.search(rf'<template data-screen="{protocol}" data-script="([^"]+)"', page)
    if screen is None:
        raise AdjudgeError(
            f"protocol {protocol} cannot be shown to judges: {template_of(protocol)} has no "
            f'<template data-screen="{protocol}" data-script="…">; {HELP}'
        )
    files = [screen[1], *re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)]
    for file in files:
        path = file.removeprefix(settings.STATIC_URL)
        if finders.find(path) is None:
            raise AdjudgeError(
                f"protocol {protocol} cannot be shown to judges: there is no static file {path}; "
                f"{HELP}"
            )
