"""`adjudge diagnose`: what in the judgements could mislead, the worst first."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Shared,
    TableFormats,
    on_judgements,
    show,
)

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

Only = Annotated[list[str], typer.Option("--only", help="Only this finding, in detail.")]
Details = Annotated[bool, typer.Option("--details", help="The tables behind every finding.")]
Trusted = Annotated[
    str | None,
    typer.Option("--trusted", help="The group of judges that makes controls [researcher]."),
]
MethodName = Annotated[
    str, typer.Option("--method", help="The count method whose order is at stake.")
]


@app.command(rich_help_panel=Panel.trust)
@on_judgements
def diagnose(
    judgements: "Judgements",
    only: Only = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    details: Details = False,
    trusted: Trusted = None,
    method: MethodName = "expected-wins",
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Diagnose the judgements: what could mislead, how much it matters, and what to do.

    A warning is a trouble on which the order hangs: without it another system comes first, or two
    systems change places that direct comparisons had told apart.
    """
    answers = judgements.diagnose(
        only, details=details, trusted=trusted, method=method, outputs=outputs.value
    )
    show([answers], to, output)
