"""`adjudge again`: a result made again from its signature."""

from typing import Annotated

from adjudge.cli.options import Files, Format, Output, show
from adjudge.cli.parser import argument, option

Line = Annotated[str, argument(metavar="SIGNATURE", help="The last line below a table, in quotes.")]


def again(
    signature: Line,
    files: Files = [],  # noqa: B006  (it is only read)
    metric_scores: Annotated[
        list[str],
        option(help="Where it needs them: files of scores by metrics (repeatable)."),
    ] = [],  # noqa: B006
    resources: Annotated[
        str | None,
        option(metavar="FOLDER", help="Of a model of quality: what it was trained with."),
    ] = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Make a result again from its signature and its files; refuse other files."""
    from adjudge.api.reproduce import again as make_again

    given = {"metric_scores": metric_scores, "resources": resources}
    more = {name: value for name, value in given.items() if value}
    show([make_again(signature, *files, **more)], to, output)
