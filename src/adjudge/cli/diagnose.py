"""`adjudge diagnose`: what in the judgements could mislead, the worst first."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Shared,
    TableFormats,
    emit,
    on_judgements,
)

if TYPE_CHECKING:
    import polars as pl

Only = Annotated[list[str], typer.Option("--only", help="Only this finding, in detail.")]
Details = Annotated[bool, typer.Option("--details", help="The tables behind every finding.")]
Trusted = Annotated[
    str | None,
    typer.Option("--trusted", help="The group of judges that makes controls [researcher]."),
]
MethodName = Annotated[
    str, typer.Option("--method", help="The count method whose order is at stake.")
]


@app.command()
@on_judgements
def diagnose(
    table: "pl.DataFrame",
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
    from adjudge.cli.progress import progress
    from adjudge.comparisons.comparisons import by_pair
    from adjudge.diagnosis import diagnose as diagnose_pair
    from adjudge.errors import AdjudgeError
    from adjudge.ranking import METHODS
    from adjudge.ranking.method import CountMethod
    from adjudge.report.tables import tables_for

    chosen = METHODS.named(method)
    if not isinstance(chosen, CountMethod):
        raise AdjudgeError(f"{method} does not rank from win counts; choose expected-wins")
    results = [
        diagnosis
        for _, part in progress(by_pair(table), table["pair"].n_unique())
        for diagnosis in diagnose_pair(part, only, chosen, outputs.value, trusted)
    ]
    emit(tables_for(results, details=details or bool(only)), to, output)
