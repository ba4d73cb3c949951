"""Labels of systems in figures: short, distinct, always in the same colour."""

import re
from collections.abc import Sequence

from adjudge.core.short_names import short_names
from adjudge.data.judgement_table import is_reference
from adjudge.data.outputs import shown_name
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import SIZE, text_width
from adjudge.report.drawing.theme import Theme

LONGEST = 170.0  # pixels
REFERENCE = "reference"

_THINNEST = 3.0  # pixels of a letter, so that a name of ten thousand is not measured

_NO_XML = re.compile("[^\\t\\n\\r -\\ud7ff\\ue000-\\ufffd\U00010000-\U0010ffff]")
_SPLITS = (0.5, 0.8, 0.2, 1.0, 0.0)  # how much of what is kept is the name's beginning


def labels_of(analysis: Analysis, longest: float = LONGEST) -> dict[str, str]:
    """Label of every system of a language pair, by its full name."""
    systems = analysis.judged.systems
    proper = [system for system in systems if not is_reference(system)]
    reference = [system for system in systems if is_reference(system)]
    called = [REFERENCE] if len(reference) == 1 else reference
    return {
        **dict(zip(proper, labels(proper, longest), strict=True)),
        **dict(zip(reference, called, strict=True)),
    }


def colours_of(analysis: Analysis, theme: Theme) -> dict[str, str]:
    """Colour of every system, by its full name: according to its rank."""
    proper = [system for system in analysis.ranking.systems if not is_reference(system)]
    colours = dict.fromkeys(analysis.judged.systems, theme.ink)  # the reference, if any
    return colours | {system: theme.system(place) for place, system in enumerate(proper)}


def labels(names: Sequence[str], longest: float = LONGEST, size: float = SIZE) -> list[str]:
    """Remove the shared parts of names, and truncate too wide ones in the middle."""
    plain = [_readable(name) for name in short_names(names)]
    for split in _SPLITS:
        short = [shortened(name, longest, size, split) for name in plain]
        if len(set(short)) == len(set(plain)):
            return short
    # Alike at either end and too long to tell apart in the middle: numbered.
    return [
        shortened(f"{number} {name}", longest, size, 0.8) for number, name in enumerate(plain, 1)
    ]


def shortened(name: str, longest: float = LONGEST, size: float = SIZE, split: float = 0.5) -> str:
    """Truncate the name in the middle to at most `longest` pixels."""
    most = int(longest / _THINNEST)
    if len(name) <= most and text_width(name, size) <= longest:
        return name
    kept = min(len(name) - 1, most)
    while kept > 1:
        head = round(kept * split)
        short = f"{name[:head]}…{name[len(name) - kept + head :]}"
        if text_width(short, size) <= longest:
            return short
        kept -= 1
    return "…"


def _readable(name: str) -> str:
    """Replace an output of several systems by their names, and characters invalid in SVG."""
    return _NO_XML.sub("�", shown_name(name))
