"""Colour themes of all figures, light and dark, safe for colour-blind readers.

Systems take the colours of Okabe and Ito (2008), darkened or lightened until they stand out
from the page; beyond the first six a system is grey and known by its label. Shares go from faint
to strong in one hue, and what may lean either way from orange through grey to blue.

In a page the colours are CSS custom properties, `--fig-` and the name of the field (with a number
where there are several: `--fig-heat-0`), which the page's style sheet defines from `colours`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

COLOURED = 6  # systems with a colour of their own
STEPS = 9  # of each scale


@dataclass(frozen=True)
class Theme:
    """Colours by role."""

    paper: str
    ink: str
    soft: str  # text that can wait
    line: str  # rules and grids
    band: str  # every other cluster
    accent: str
    second: str  # beside the accent, where two things are compared
    alarm: str
    other: str  # systems beyond the coloured ones
    strong_ink: str  # text on the strong ends of a scale
    systems: tuple[str, ...]
    heat: tuple[str, ...]  # from nothing to everything
    lean: tuple[str, ...]  # from one side through the middle to the other

    def colours(self) -> Iterator[tuple[str, str]]:
        """Colours with the names of their custom properties."""
        for role in fields(self):
            value = getattr(self, role.name)
            name = f"--fig-{role.name.replace('_', '-')}"
            if isinstance(value, str):
                yield name, value
            else:
                yield from ((f"{name}-{i}", colour) for i, colour in enumerate(value))

    def system(self, place: int) -> str:
        """Colour of the system at this place of the ranking (from 0)."""
        return self.systems[place] if place < COLOURED else self.other

    def heat_of(self, share: float) -> tuple[str, str]:
        """Colours of a share from 0 to 1, and of text on it."""
        step = min(int(share * STEPS), STEPS - 1)
        return self.heat[step], self.strong_ink if step >= 5 else self.ink

    def lean_of(self, share: float) -> tuple[str, str]:
        """Colours of a share that is neutral at one half, and of text on it."""
        step = min(int(share * STEPS), STEPS - 1)
        return self.lean[step], self.strong_ink if abs(step - 4) >= 3 else self.ink


LIGHT = Theme(
    paper="#ffffff",
    ink="#1d2126",
    soft="#5a626c",
    line="#d4d8dd",
    band="#f4f5f7",
    accent="#0b5cad",
    second="#b85200",
    alarm="#b3261e",
    other="#868e98",
    strong_ink="#ffffff",
    systems=("#0072b2", "#d55e00", "#008f68", "#b4508f", "#b97f00", "#3a94cf"),
    heat=(
        "#f3f7fc",
        "#dfebf7",
        "#c7dcf0",
        "#a9cbe8",
        "#85b6e0",
        "#3576b4",
        "#2666a6",
        "#17508f",
        "#0a3a75",
    ),
    lean=(
        "#8c4a00",
        "#ab5e10",
        "#e9a866",
        "#f8dcbb",
        "#eff0f1",
        "#d0e2f3",
        "#8ebce3",
        "#2c73b3",
        "#0a4a8f",
    ),
)

DARK = Theme(
    paper="#1d2125",
    ink="#e8eaed",
    soft="#a9b1ba",
    line="#3f464e",
    band="#252a30",
    accent="#7db7f2",
    second="#f0a35e",
    alarm="#ff9a9a",
    other="#8a939d",
    strong_ink="#0d1b2a",
    systems=("#4da3e0", "#f0803c", "#2bc49a", "#e08cbc", "#f0b840", "#9fd8fa"),
    heat=(
        "#222a32",
        "#233342",
        "#264059",
        "#2a4d70",
        "#305d8a",
        "#5f9bd6",
        "#7fb3e6",
        "#a3cbf2",
        "#cde4fb",
    ),
    lean=(
        "#f7b26b",
        "#d98d45",
        "#8a5626",
        "#553f2a",
        "#32383f",
        "#27425c",
        "#2b5b88",
        "#5a9ad6",
        "#9ccbf7",
    ),
)


def _properties() -> Theme:
    """Theme of custom properties instead of colours."""
    named = iter(f"var({name})" for name, _ in LIGHT.colours())
    roles: dict[str, Any] = {}
    for role in fields(Theme):
        value = getattr(LIGHT, role.name)
        single = isinstance(value, str)
        roles[role.name] = next(named) if single else tuple(next(named) for _ in value)
    return Theme(**roles)


PROPERTIES = _properties()
