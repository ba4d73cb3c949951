"""`adjudge info`: what is in a file of judgements, scores or edits."""

from typing import TYPE_CHECKING

from adjudge.cli.options import Format, Output, on_judgements_or_edits, show
from adjudge.core.options import Outputs

if TYPE_CHECKING:
    from adjudge.api.edits import Edits
    from adjudge.api.judgements import Judgements


@on_judgements_or_edits
def info(
    judgements: "Judgements | Edits",
    outputs: Outputs = "expanded",
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Show what is in the judgements: pairs, protocols, systems, judges, rankings, ties, time."""
    from adjudge.api.edits import Edits
    from adjudge.core.errors import BadParameter

    if not isinstance(judgements, Edits):
        show([judgements.info(outputs)], to, output)
        return
    if outputs != "expanded":
        raise BadParameter("edits are of single outputs; leave `outputs` out")
    show([judgements.info()], to, output)
