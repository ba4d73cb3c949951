"""`adjudge diagnose`: what in the judgements could mislead, the worst first."""

from typing import TYPE_CHECKING, Annotated

from adjudge.cli.options import Format, Output, on_judgements, show
from adjudge.cli.parser import option
from adjudge.core.options import Outputs

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

Only = Annotated[list[str], option("--only", help="Only this finding, in detail.")]
Details = Annotated[bool, option("--details", help="The tables behind every finding.")]
Trusted = Annotated[
    str | None,
    option("--trusted", help="The group of judges that makes controls [researcher]."),
]
MethodName = Annotated[str, option("--method", help="The count method whose order is at stake.")]


@on_judgements
def diagnose(
    judgements: "Judgements",
    only: Only = [],  # noqa: B006  (it is only read)
    details: Details = False,
    trusted: Trusted = None,
    method: MethodName = "expected-wins",
    outputs: Outputs = "expanded",
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Diagnose the judgements: what could mislead, how much it matters, and what to do.

    A warning is a trouble on which the order hangs: without it another system comes first, or two
    systems change places that direct comparisons had told apart.
    """
    answers = judgements.diagnose(
        only, details=details, trusted=trusted, method=method, outputs=outputs
    )
    show([answers], to, output)
