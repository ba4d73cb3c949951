"""`adjudge beer`: a metric trained on what people preferred."""

from pathlib import Path
from typing import Annotated, Literal

from adjudge.cli.metrics import Reference, SystemFile, texts_from
from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import option
from adjudge.core.options import Seed

VariantChoice = Literal["2014", "2.0"]


def beer(
    human: Annotated[
        list[str],
        option("--human", help="Judgements or scores by people, in any format (repeatable)."),
    ],
    model: Annotated[str, option(metavar="FILE", help="Write the weights here.")],
    system: SystemFile = [],  # noqa: B006  (it is only read)
    reference: Reference = [],  # noqa: B006
    testset: Annotated[
        str | None, option(help="Instead: a WMT XML file or an mt-metrics-eval folder.")
    ] = None,
    pair: Annotated[
        list[str], option(help="Language pair; of a folder by default all, else repeatable.")
    ] = [],  # noqa: B006
    variant: Annotated[
        VariantChoice, option(help="The features: of BEER 2014 or of BEER 2.0.")
    ] = "2014",
    tokenize: Annotated[str, option(help="How lines become words.")] = "13a",
    lowercase: Annotated[
        bool, option("--lowercase/--case", help="Whether case does not matter, or does.")
    ] = True,
    modules: Annotated[
        str, option(help="Which words match: exact, stem, synonym, paraphrase, with + .")
    ] = "exact",
    language: Annotated[
        str, option(help="The language of the texts, for stems: en, de or another.")
    ] = "en",
    resources: Annotated[str, option(help="METEOR's jar, for synonyms.")] = "",
    paraphrases: Annotated[str, option(help="METEOR's table, for paraphrases.")] = "",
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Train BEER on what people preferred; score with it by `metrics -m "beer(model=FILE)"`."""
    from adjudge.api.beer import train_beer
    from adjudge.core.errors import AdjudgeError

    if testset is None and len(pair) > 1:
        raise AdjudgeError("several --pair need a --testset that has them")
    pairs = pair or _pairs_of(testset)
    trained = train_beer(
        [texts_from(system, reference, testset, None, each) for each in pairs or [""]],
        human,
        variant=variant,
        tokenize=tokenize,
        lowercase=lowercase,
        modules=modules,
        language=language,
        resources=resources,
        paraphrases=paraphrases,
        seed=seed,
    )
    trained[0].save(model)
    show([trained], to, output)


def _pairs_of(testset: str | None) -> list[str]:
    """The language pairs of a folder."""
    if testset is None or not Path(testset).is_dir():
        return []
    from adjudge.text.reading import pairs_of

    return pairs_of(testset)
