"""`adjudge quality resources`: language models, counts and lexical tables from parallel text."""

from typing import Annotated

from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import argument, option


def resources(
    source: Annotated[str, argument(metavar="SOURCE", help="Plain text in the source language.")],
    target: Annotated[str, argument(metavar="TARGET", help="Its translation, line by line.")],
    folder: Annotated[
        str, option("--folder", metavar="FOLDER", help="Where the resources are kept.")
    ],
    tokenize: Annotated[
        str, option(help="How lines become tokens; none: they are tokenised.")
    ] = "13a",
    lowercase: Annotated[
        bool, option("--lowercase/--case", help="Whether case does not matter, or does.")
    ] = True,
    order: Annotated[int, option(help="Words in the longest n-grams of the models.")] = 3,
    iterations: Annotated[int, option(help="Passes of IBM Model 1 over the text.")] = 5,
    source_model: Annotated[
        str | None, option(metavar="ARPA", help="A language model to take instead.")
    ] = None,
    target_model: Annotated[
        str | None, option(metavar="ARPA", help="A language model to take instead.")
    ] = None,
    arpa: Annotated[
        bool, option("--arpa", help="Write the language models as ARPA files, too.")
    ] = False,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Learn what features need from parallel text; what is there already is not made again."""
    from adjudge.api.quality_resources import train_resources

    result = train_resources(
        source,
        target,
        folder,
        tokenize=tokenize,
        lowercase=lowercase,
        order=order,
        iterations=iterations,
        source_model=source_model,
        target_model=target_model,
        arpa=arpa,
    )
    show([result], to, output)
