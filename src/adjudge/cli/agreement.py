"""`adjudge agreement`: how far judges agree."""

from typing import TYPE_CHECKING

from adjudge.agreement.options import AgreementOptions
from adjudge.cli.options import Format, Output, on_judgements, show

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


@on_judgements
def agreement(
    judgements: "Judgements",
    options: AgreementOptions,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """How far judges agree with each other (inter) and with themselves (intra)."""
    show([judgements.agreement(**options.items())], to, output)
