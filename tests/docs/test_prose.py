"""The rules of tools/lint_prose.py, on examples and on the packages that keep them."""

from pathlib import Path

import pytest

import lint_prose

REFUSED = (
    "What a thousandth of an event of each cell moves it.",
    "How far judges agree.",
    "Whether lower is better.",
    "Is it a ZIP archive?",
    "None that is easily guessed.",
    "All that a report says.",
    "Those that vary.",
    "As many as there are.",
    "The mean of the scores.",
    "A segment of the test set.",
    "Every system of a campaign.",
    "Of every class.",
)
ACCEPTED = (
    "Numerical derivative per cell count.",
    "Reject weak passwords.",
    "Isolate a name.",  # begins with "Is", but is another word
    "Allow empty outputs.",
    "Area under the curve.",
    "N-best list of a decoder.",
)


def module(folder: Path, docstring: str) -> Path:
    """Write a module with a function of this docstring."""
    path = folder / "module.py"
    path.write_text(f'def function() -> None:\n    """{docstring}"""\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("docstring", REFUSED)
def test_a_riddle_or_an_article_is_refused(docstring: str, tmp_path: Path) -> None:
    path = module(tmp_path, docstring)
    assert [str(flaw) for flaw in lint_prose.openings(path)] == [f"{path}:2: {docstring}"]


@pytest.mark.parametrize("docstring", ACCEPTED)
def test_a_verb_or_a_noun_phrase_is_accepted(docstring: str, tmp_path: Path) -> None:
    assert not list(lint_prose.openings(module(tmp_path, docstring)))


def test_banned_phrases_are_found_across_a_line_break(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("One field is missing;\nmend\nit. Amend its text.\n", encoding="utf-8")
    assert [str(flaw) for flaw in lint_prose.phrases(page)] == [f"{page}:2: mend it"]


def test_what_is_clean_stays_clean(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (lint_prose.main(), capsys.readouterr().out) == (0, "")
    monkeypatch.setattr(lint_prose, "_BANNED", lint_prose.re.compile("Adjudge"))
    assert lint_prose.main() == 1
    assert "docs/index.md:1: Adjudge" in capsys.readouterr().out
