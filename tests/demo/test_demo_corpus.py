"""The demo corpus is whole."""

from importlib.resources import files
from itertools import combinations

import pytest

from adjudge.text.testset import TestSet
from adjudge.web.demo.corpus import QUALITIES, corpus, quality

FOLDER = files("adjudge.web.demo") / "data"


@pytest.fixture(scope="module")
def texts() -> TestSet:
    return corpus()


def same(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    return sum(x == y for x, y in zip(a, b, strict=True))


def test_sixty_aligned_lines_of_six_systems(texts: TestSet) -> None:
    assert len(texts.systems) == 6
    stored = {file.name.removesuffix(".txt") for file in (FOLDER / "systems").iterdir()}
    assert stored == set(texts.systems) == set(QUALITIES)
    for lines in (texts.source, texts.reference or (), *texts.systems.values()):
        assert len(lines) == 60
        assert all(line == line.strip() != "" for line in lines)
        assert all("  " not in line for line in lines)


def test_documents_cover_every_line_once(texts: TestSet) -> None:
    rows = [line.split("\t") for line in (FOLDER / "documents.tsv").read_text().splitlines()]
    assert rows[0] == ["document", "first_line", "last_line"]
    covered = [i for _, first, last in rows[1:] for i in range(int(first), int(last) + 1)]
    assert covered == list(range(1, 61))
    assert len(texts.documents) == 60
    assert len(set(texts.documents)) == 12


def test_files_are_plain_utf8(texts: TestSet) -> None:
    for name in texts.systems:
        data = (FOLDER / "systems" / f"{name}.txt").read_bytes()
        assert data.endswith(b"\n")
        assert b"\r" not in data
        assert b"\xef\xbb\xbf" not in data


def test_related_systems_often_agree_and_others_now_and_then(texts: TestSet) -> None:
    related = ("baseline-smt", "baseline-smt-postedit")
    assert 0.35 * 60 <= same(*(texts.systems[name] for name in related)) <= 0.5 * 60
    others = [pair for pair in combinations(texts.systems, 2) if pair != related]
    shared = [same(texts.systems[a], texts.systems[b]) for a, b in others]
    assert max(shared) <= 0.2 * 60
    assert sum(shared) > 0


def test_no_system_is_the_reference(texts: TestSet) -> None:
    for lines in texts.systems.values():
        assert same(lines, texts.reference or ()) <= 0.25 * 60


def test_equal_texts_are_equally_good(texts: TestSet) -> None:
    for line in range(60):
        shown = {name: lines[line] for name, lines in texts.systems.items()}
        for text in shown.values():
            writers = tuple(name for name, written in shown.items() if written == text)
            best = max(QUALITIES[name] for name in writers)
            assert best <= quality(str(line + 1), writers, text) <= best + 1
