"""`adjudge plot`: one figure of the report as a file, for a paper or a slide."""

import re
import sys
from collections.abc import Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from adjudge.cli.options import on_any, on_judgements
from adjudge.cli.parser import argument, option
from adjudge.core.errors import as_options
from adjudge.ranking.options import FigureOptions

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


def _known(name: str | None) -> None:
    """Refuse what names no figure, and say which there are."""
    from adjudge.core.errors import AdjudgeError, instead_of
    from adjudge.report.figures import FIGURES

    if name is None:
        raise AdjudgeError(f"name the figure to draw; there are: {', '.join(FIGURES)}")
    if name not in FIGURES:
        raise AdjudgeError(f"there is no figure {name!r}; {instead_of(name, list(FIGURES))}")


def drawable(path: str | None) -> None:
    """Refuse a path whose ending names no kind of image, before anything is read."""
    from adjudge.report.drawing.rendering import ending_of

    if path is not None:
        ending_of(path)


Name = Annotated[
    str | None,
    argument(
        metavar="NAME",
        check=_known,
        choices_from="adjudge.report.figures:FIGURES",
        help="The figure (docs/figures.md); without one, their names.",
    ),
]
Image = Annotated[
    str | None,
    option(
        "--output",
        "-o",
        check=drawable,
        help="Where it goes: .svg, .pdf or .png; several language pairs put theirs before "
        "the ending [NAME.svg].",
    ),
]


def _plot(
    judgements: "Judgements",
    options: FigureOptions,
    name: Name = None,
    output: Image = None,
) -> None:
    """Draw one figure of the report, a file for each language pair."""
    from adjudge.core.errors import NotEnoughData

    pairs = judgements.pairs
    paths = _paths(output or f"{name}.svg", pairs)
    reasons = []
    for pair, path in zip(pairs, paths, strict=True):
        drawn = judgements.select(pair=pair).plot(name or "", **options.items())
        try:
            drawn.save(path)
        except NotEnoughData as why:
            reasons.append(f"{pair}: no figure {name}: {why}")
        else:
            print(path)
    if len(reasons) == len(paths):
        raise NotEnoughData("; ".join(reasons))
    for reason in reasons:
        print(as_options(reason), file=sys.stderr)


_of_judgements, _of_times = on_judgements(_plot), on_any(_plot)


@wraps(_of_judgements)
def plot(**options: Any) -> None:
    # Only time can be told of several protocols, and of scores and edits, at once.
    from adjudge.report.figures import FIGURES

    draw = _of_times if FIGURES.named(options["name"]).of_times else _of_judgements
    draw(**options)


def _paths(output: str, pairs: Sequence[str]) -> list[str]:
    """A file for each language pair, its name before the ending where there are several."""
    from adjudge.core.errors import AdjudgeError

    if len(pairs) == 1:
        return [output]
    file = Path(output)
    names = [re.sub(r"[^\w.+-]+", "-", pair) for pair in pairs]
    if len(set(names)) < len(names):
        raise AdjudgeError(
            "language pairs with like names would share a file; choose one with `pair`"
        )
    return [str(file.with_name(f"{file.stem}.{name}{file.suffix}")) for name in names]
