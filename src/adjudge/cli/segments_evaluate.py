"""`adjudge segments evaluate`: a new system by the database of segments."""

from typing import Annotated

from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import argument, option
from adjudge.cli.segments import Confidence, Replicates, check_confidence
from adjudge.core.options import Seed


def evaluate(
    text: Annotated[str, argument(metavar="NEW", help="Its output, a line a sentence.")],
    database: Annotated[
        list[str],
        option(
            "--database",
            metavar="FILE",
            help="Ranked segments: a database, a campaign's export (repeatable).",
        ),
    ],
    pair: Annotated[str | None, option(help="The language pair, if there are more.")] = None,
    name: Annotated[str | None, option(help="Its name. [default: that of the file]")] = None,
    ask: Annotated[int, option(min=0, help="How many segments to ask judges next.")] = 300,
    write_next: Annotated[
        str | None,
        option(help="Write these segments.tsv, for `campaign create --segments`."),
    ] = None,
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """A new system by what others made: its score, its place, what to ask judges next."""
    from adjudge.api.reading import read

    check_confidence(confidence)
    judgements = read(*database)
    if pair is not None:
        judgements = judgements.select(pair=pair)
    result = judgements.segments().evaluate(
        text, name=name, ask=ask, replicates=replicates, seed=seed, level=confidence
    )
    if write_next is not None:
        result.write_next(write_next)
    show([result], to, output)
