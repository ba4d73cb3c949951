"""`adjudge references`: what more references, and more sentences, bring to a metric."""

from typing import Annotated

from adjudge.cli.metrics import MetricOption, Reference, SystemFile, TestSetOption, texts_from
from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import option
from adjudge.cli.plot import drawable
from adjudge.core.options import Seed


def references(
    human: Annotated[
        list[str],
        option("--human", help="Judgements or scores by people, in any format."),
    ],
    system: SystemFile = [],  # noqa: B006  (it is only read)
    reference: Reference = [],  # noqa: B006
    testset: TestSetOption = None,
    pair: Annotated[str, option(help="Language pair, such as en-de.")] = "",
    metric: MetricOption = [],  # noqa: B006
    sentences: Annotated[list[int], option(help="Draw so many sentences (repeatable).")] = [],  # noqa: B006
    probes: Annotated[int, option(min=2, help="Draw so often.")] = 100,
    post_edits: Annotated[
        list[str],
        option("--post-edits", help="Edits of an understandability campaign (repeatable)."),
    ] = [],  # noqa: B006
    figure: Annotated[
        str | None,
        option("--figure", help="Draw it, too: .svg, .pdf or .png.", check=drawable),
    ] = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Correlation of metrics with people by number of references and of sentences (WMT13 §5)."""
    from adjudge.api.reference_questions import STUDIED

    texts = texts_from(system, reference, testset, None, pair)
    study = texts.references(
        human,
        metric or list(STUDIED),
        sentences=sentences,
        probes=probes,
        seed=seed,
        post_edits=post_edits,
    )
    if figure is not None:
        study.plot().save(figure)
    show([study], to, output)
