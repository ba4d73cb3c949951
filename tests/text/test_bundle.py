"""All resources of one parallel text: made, kept in a folder, read again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.text.resources.bundle import CARD, Recipe, Resources, cached, train

SOURCE = [["the", "cat"], ["the", "dog"], ["a", "cat"]]
TARGET = [["die", "katze"], ["der", "hund"], ["eine", "katze"]]
RECIPE = Recipe("0" * 64, "1" * 64, "none", True, order=2)


@pytest.fixture(scope="module")
def resources() -> Resources:
    return train(SOURCE, TARGET, RECIPE)


def test_a_folder_is_a_cache(resources: Resources, tmp_path: Path) -> None:
    folder = str(tmp_path / "new" / "folder")
    assert cached(folder, RECIPE) is None
    resources.save(folder)
    found = cached(folder, RECIPE)
    assert found is not None
    assert (found.recipe, found.sentences) == (RECIPE, 3)
    assert found.forward.translations("cat") == resources.forward.translations("cat")
    assert next(iter(found.forward.translations("cat"))) == "katze"
    assert next(iter(found.backward.translations("hund"))) == "dog"
    assert found.target_model.score(TARGET).sums().tolist() == pytest.approx(
        resources.target_model.score(TARGET).sums().tolist()
    )
    assert cached(folder, replace(RECIPE, order=3)) is None


def test_a_folder_half_written_is_no_cache(resources: Resources, tmp_path: Path) -> None:
    resources.save(str(tmp_path))
    (tmp_path / "forward.npz").write_bytes(b"cut")
    assert cached(str(tmp_path), RECIPE) is None
    with pytest.raises(InputError, match=r"forward\.npz"):
        Resources.load(str(tmp_path))
    (tmp_path / CARD).unlink()
    with pytest.raises(InputError, match="holds no resources"):
        Resources.load(str(tmp_path))


def test_cards_of_others(resources: Resources, tmp_path: Path) -> None:
    resources.save(str(tmp_path))
    card = json.loads((tmp_path / CARD).read_text())
    for wrong, says in (("[]", "is not a card"), (json.dumps(card | {"format": 99}), "version")):
        (tmp_path / CARD).write_text(wrong)
        with pytest.raises(InputError, match=says):
            Resources.load(str(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(AdjudgeError, match="cannot be made"):
        resources.save(str(tmp_path / "file"))


def test_lines_must_pair_up() -> None:
    with pytest.raises(BadParameter, match="3 lines, `target` has 2"):
        train(SOURCE, TARGET[:2], RECIPE)
