"""`adjudge simulate`: judgements whose truth is known."""

from typing import Annotated

from adjudge.cli.options import Format, emit
from adjudge.cli.parser import option
from adjudge.core.options import Seed


def simulate(
    output: Annotated[
        str,
        option(
            "--output", "-o", metavar="OUT", help="Where the judgements go; its ending says how."
        ),
    ],
    systems: Annotated[int, option(help="How many systems.")] = 12,
    judges: Annotated[int, option(help="How many judges.")] = 30,
    rankings: Annotated[int, option(help="How many rankings.")] = 3000,
    block: Annotated[
        int | None, option(help="How many outputs in a ranking [5, or all systems].")
    ] = None,
    documents: Annotated[int, option(help="How many documents, of some 12 segments.")] = 100,
    repeats: Annotated[float, option(help="Share of HITs the same judge gets again.")] = 0.1,
    pool: Annotated[float, option(help="Share of HITs several judges get.")] = 0.1,
    identical: Annotated[
        float, option(help="Share of segments on which two related systems agree.")
    ] = 0.2,
    careless: Annotated[float, option(help="Share of judges who click at random.")] = 0.0,
    biased: Annotated[float, option(help="SD of each judge's bias towards each system.")] = 0.0,
    document_effect: Annotated[
        float, option(help="SD of how well a system suits a document.")
    ] = 0.1,
    reference: Annotated[
        bool, option("--reference", help="Let the human reference be judged too.")
    ] = False,
    seed: Seed = 1,
    to: Annotated[str | None, option(help="The judgements' format, whatever the ending.")] = None,
    shown: Format = "table",
) -> None:
    """Simulate a campaign and save its judgements, with the truth beside them.

    The truth (the systems' qualities and expected wins, the judges) goes to a file named like
    OUT, but ending in .truth.json. docs/simulation.md tells the model.
    """
    from dataclasses import replace

    from adjudge.api.reading import simulate as run
    from adjudge.core.tables.results import tables_for
    from adjudge.simulation.campaign import Campaign, save, truth_file

    truth = truth_file(output, to)
    campaign = run(
        systems=systems,
        judges=judges,
        rankings=rankings,
        block=block,
        documents=documents,
        repeats=repeats,
        pool=pool,
        identical=identical,
        careless=careless,
        biased=biased,
        document_effect=document_effect,
        reference=reference,
        seed=seed,
    )
    save(Campaign(campaign.table, campaign.truth), output, to)
    (table,) = tables_for(Campaign(campaign.table, campaign.truth))
    note = f"Simulated judgements are in {output}, their truth in {truth}."
    emit([replace(table, notes=[note])], shown, "-")
