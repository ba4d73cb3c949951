"""Every word the judge's pages say is there in every language, and compiled.

After a change of words, in src/adjudge/web: `django-admin makemessages -a --no-location
--no-obsolete`, translate what is new in locale/*/LC_MESSAGES/django.po, then `django-admin
compilemessages` (Debian: gettext).
"""

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudge import web

WEB = Path(web.__file__).parent
LANGUAGES = ("cs", "de", "es", "fr")
PLACES = re.compile(r"%\d|%\(\w+\)s|%s")


def _said(of_organisers: bool = False) -> set[str]:
    """What templates and code mark as words of the judges' pages, or of all."""

    def files(pattern: str) -> Iterator[Path]:
        found = sorted(WEB.rglob(pattern))
        return (file for file in found if of_organisers or "organiser" not in file.parts)

    found: set[str] = set()
    for file in files("*.html"):
        tags = re.finditer(r"""\{% translate (["'])(.*?)\1""", file.read_text())
        # Django doubles percent signs of templates before it looks a word up.
        found |= {tag[2].replace("%", "%%") for tag in tags}
    for file in files("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                found.add(ast.literal_eval(node.args[0]))
    return found


def _written(language: str) -> dict[str, str]:
    """What the .po file says; these files have no plurals and no contexts."""
    text = (WEB / "locale" / language / "LC_MESSAGES" / "django.po").read_text()
    text = re.sub(r'"\n"', "", text)
    pairs = re.findall(r'^msgid "(.*)"\nmsgstr "(.*)"$', text, re.MULTILINE)
    assert len(pairs) == text.count("msgid ")
    assert "fuzzy" not in text
    return {ast.literal_eval(f'"{one}"'): ast.literal_eval(f'"{other}"') for one, other in pairs}


def _compiled(language: str) -> dict[str, str]:
    with (WEB / "locale" / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]


def test_there_is_something_to_say():
    assert len(_said()) > 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_complete_and_compiled(language):
    written = _written(language)
    assert _said() <= set(written) - {""} <= _said(of_organisers=True)
    assert all(written.values())
    assert _compiled(language) == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_for_numbers_are_kept(language):
    for said, translated in _written(language).items():
        if said:
            assert sorted(PLACES.findall(said)) == sorted(PLACES.findall(translated)), said


@pytest.mark.parametrize(
    ("asked", "language", "said"),
    [
        ("cs,en;q=0.5", "cs", "Odeslat"),
        ("de-AT", "de", "Absenden"),
        ("fr-CA,fr;q=0.9", "fr", "Envoyer"),
        ("es-MX", "es", "Enviar"),
        ("en-GB", "en", "Submit"),
        ("ja", "en", "Submit"),
    ],
)
def test_the_browser_chooses_the_language(campaign, visitor, asked, language, said):
    ada = visitor(campaign).enter()
    page = ada.client.get(ada.address, headers={"Accept-Language": asked})
    text = page.content.decode()
    assert f'<html lang="{language}"' in text
    assert said in text


def test_refusals_are_in_the_judges_language(campaign, visitor):
    ada = visitor(campaign).enter()
    ada.state["headers"]["Accept-Language"] = "cs"
    refused = ada.answer(ada.state["items"][0], [1, 2, 3, 9])
    assert refused.json() == {"code": "rank", "message": "Některé pořadí je mimo stupnici."}
