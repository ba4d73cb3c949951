"""Every word the judges' pages say can be translated; what is not is in English, and is listed."""

import gettext
import re
import shutil
import subprocess
import sys
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import adjudge

pytestmark = pytest.mark.slow

SOURCE = Path(adjudge.__file__).parent
TOOL = Path(__file__).parents[2] / "tools" / "messages.py"
LANGUAGES = ("cs", "de", "es", "fr")
PLACES = re.compile(r"%\d|%\(\w+\)s|%s")

_spec = spec_from_file_location("messages", TOOL)
assert _spec is not None
assert _spec.loader is not None
messages = module_from_spec(_spec)
_spec.loader.exec_module(messages)


def _catalogue(source: Path, language: str, ending: str) -> Path:
    return source / "web" / "locale" / language / "LC_MESSAGES" / f"django.{ending}"


def _written(language: str, source: Path = SOURCE) -> dict[str, str]:
    entries = messages.entries(_catalogue(source, language, "po").read_text())
    return {word: translation for word, (translation, _) in entries.items()}


def _compiled(language: str, source: Path = SOURCE) -> gettext.GNUTranslations:
    with _catalogue(source, language, "mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def _run(source: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(TOOL), str(source)], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The pages and protocols, to be changed."""
    kept = shutil.ignore_patterns("__pycache__")
    for folder in ("web", "campaigns"):
        shutil.copytree(SOURCE / folder, tmp_path / folder, ignore=kept)
    return tmp_path


def _files(source: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in source.rglob("*") if file.is_file()}


def test_the_words_of_templates_of_pages_and_of_protocols_are_gathered():
    words = messages.said(SOURCE)
    for word in (
        "Rank the translations",
        "Saving…",
        "Nothing is chosen yet.",
        "The text is too long.",
    ):
        assert word in words
    assert "Judges see the reference" not in words, "an organiser's word"
    assert "Judges see the reference" in messages.said(SOURCE, organisers=True)


def test_on_a_tree_without_changes_it_changes_nothing(copy):
    before = _files(copy)
    lines = _run(copy)
    assert _files(copy) == before
    assert [line.partition(":")[0] for line in lines if line.endswith(" translated")] == [
        *LANGUAGES
    ]


def test_a_word_without_a_translation_is_listed_and_shown_in_english(copy):
    page = copy / "web" / "templates" / "web" / "judging" / "how_to.html"
    page.write_text(page.read_text() + """{% translate "A new 'word" %}""")
    before = _catalogue(copy, "de", "po").read_text()
    lines = _run(copy)
    assert "de: not translated: A new 'word" in lines
    assert [line for line in lines if "not translated: A new" in line] == [
        f"{language}: not translated: A new 'word" for language in LANGUAGES
    ]
    after = _catalogue(copy, "de", "po").read_text()
    assert after == before + '\nmsgid "A new \'word"\nmsgstr ""\n'  # all else stays in its place
    assert _compiled("de", copy).gettext("A new 'word") == "A new 'word"
    assert _compiled("de", copy).gettext("Submit") == "Absenden"
    assert _run(copy) == lines


def test_a_word_that_nobody_says_any_more_is_taken_out(copy):
    words = copy / "web" / "judging" / "words.py"
    words.write_text(words.read_text().replace('_("Saving…")', '_("Saved")'))
    _run(copy)
    assert "Saving…" not in _written("de", copy)
    kept = [word for word in _written("de") if word != "Saving…"]
    assert list(_written("de", copy)) == kept


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_gathered_and_compiled(language):
    written = _written(language)
    everything = set(messages.said(SOURCE, organisers=True))
    assert set(messages.said(SOURCE)) <= set(written) - {""} <= everything
    translated = {word: text for word, text in written.items() if text}
    assert dict(_compiled(language)._catalog) == translated  # type: ignore[attr-defined]
    missing = [word for word in written if word not in translated]
    if missing:  # listed, not refused: whoever adds a word need not speak four languages
        warnings.warn(f"{language}: not translated: {'; '.join(missing)}", stacklevel=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_for_numbers_are_kept(language):
    for word, translated in _written(language).items():
        if word and translated:
            assert sorted(PLACES.findall(word)) == sorted(PLACES.findall(translated)), word


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
