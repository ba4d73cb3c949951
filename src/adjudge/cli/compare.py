"""`adjudge compare`: every two systems head to head."""

from typing import TYPE_CHECKING

from adjudge.cli.options import Format, Output, on_judgements, show
from adjudge.ranking.options import CompareOptions

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


@on_judgements
def compare(
    judgements: "Judgements",
    options: CompareOptions,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Compare every two systems: wins, ties, share ignoring ties, and a test."""
    show([judgements.compare(**options.items())], to, output)
