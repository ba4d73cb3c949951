"""`adjudge convert`: the same judgements in another format."""

import sys
from typing import TYPE_CHECKING, Annotated

from adjudge.cli.options import on_judgements
from adjudge.cli.parser import option

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

Where = Annotated[str, option("--output", "-o", help="The file to write; - is stdout.")]
To = Annotated[str | None, option("--to", metavar="FORMAT", help="Its format (docs/formats.md).")]


@on_judgements
def convert(judgements: "Judgements", *, output: Where, to: To = None) -> None:
    """Write the judgements in another format, chosen by the file's ending or --to."""
    lost = judgements.write(output, to)
    if lost:
        print(f"adjudge: {output}: its format has no place for {', '.join(lost)}", file=sys.stderr)
    if judgements.source.remark:
        print(f"adjudge: {output}: {judgements.source.remark}", file=sys.stderr)
