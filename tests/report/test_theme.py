"""The colours of figures: text and shapes stand out, and a page knows them all."""

import re
from pathlib import Path

import numpy as np
import pytest

from adjudge.report import page
from adjudge.report.drawing.theme import DARK, LIGHT, PROPERTIES, Theme


def _contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio."""

    def luminance(colour: str) -> float:
        parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out_from_what_it_stands_on(theme: Theme):
    for ground in (theme.paper, theme.band):
        for text in (theme.ink, theme.soft, theme.accent, theme.second):
            assert _contrast(text, ground) >= 4.5, (text, ground)
        for shape in (*theme.systems, theme.other, theme.alarm):
            assert _contrast(shape, ground) >= 3, (shape, ground)
    for share in np.linspace(0, 1, 50):
        for ground, text in (theme.heat_of(share), theme.lean_of(share)):
            assert _contrast(text, ground) >= 4.5, (share, ground)


def test_a_page_knows_every_colour():
    for (name, _), (_, property_) in zip(DARK.colours(), PROPERTIES.colours(), strict=True):
        assert property_ == f"var({name})"


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_words_of_the_page_stand_out(scheme: int):
    style = (Path(page.__file__).parent / "report.css").read_text()
    colours = {
        name: (light, dark)[scheme]
        for name, light, dark in re.findall(
            r"--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style
        )
    }
    for ground in ("page", "card"):
        for text in ("ink", "soft", "accent", "warning", "noted", "found"):
            assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
