"""`adjudge coverage`: how often intervals hold the truth, on simulated campaigns."""

from typing import Annotated

from adjudge.cli.options import CheckpointFile, Format, Output, show
from adjudge.cli.parser import option
from adjudge.core.options import EngineAddress, Level, Replicates, Seed, Workers

Judges = Annotated[list[int], option(help="How many judges (repeatable, as all of these).")]
Documents = Annotated[list[int], option(help="How many documents.")]
Effects = Annotated[list[str], option(help="How judges and documents differ: none, mild, strong.")]
Workloads = Annotated[list[str], option(help="How much judges do: even, heavy (tails).")]
Overlap = Annotated[list[str], option(help="Common pools and repeats: none, pools.")]
Systems = Annotated[list[int], option(help="How many systems.")]
Rankings = Annotated[list[int], option(help="How many rankings.")]
Truths = Annotated[list[str], option("--truth", help="distinct, pairs (of equals), equal.")]
Methods = Annotated[list[str], option("--method", help="See `adjudge methods`.")]
Units = Annotated[list[str], option("--unit", help="As for `adjudge rank`.")]
Campaigns = Annotated[int, option(help="Simulated campaigns for each situation.")]
DesignFile = Annotated[
    str | None, option("--design", metavar="FILE", help="Grids of these, in TOML or JSON.")
]
Like = Annotated[
    str | None, option(metavar="FILE", help="Judgements: design and effects as there.")
]
PrintDesign = Annotated[
    bool, option("--print-design", help="Print the design file of docs/coverage.md.")
]


def coverage(
    judges: Judges = [],  # noqa: B006  (it is only read)
    documents: Documents = [],  # noqa: B006
    effects: Effects = [],  # noqa: B006
    workloads: Workloads = [],  # noqa: B006
    overlap: Overlap = [],  # noqa: B006
    systems: Systems = [],  # noqa: B006
    rankings: Rankings = [],  # noqa: B006
    truth: Truths = [],  # noqa: B006
    method: Methods = [],  # noqa: B006
    unit: Units = [],  # noqa: B006
    design: DesignFile = None,
    like: Like = None,
    print_design: PrintDesign = False,
    campaigns: Campaigns = 200,
    replicates: Replicates = 500,
    level: Level = 0.95,
    seed: Seed = 1,
    checkpoint: CheckpointFile = None,
    workers: Workers = 1,
    engine: EngineAddress = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Check by simulation whether intervals, rank ranges and clusters hold what they promise."""
    if print_design:
        from adjudge.simulation.situations import whole_design

        print(whole_design(), end="")
        return
    from adjudge.api.coverage import coverage as cover

    result = cover(
        judges=judges or None,
        documents=documents or None,
        effects=effects or None,
        workloads=workloads or None,
        overlap=overlap or None,
        systems=systems or None,
        rankings=rankings or None,
        truth=truth or None,
        method=method or None,
        unit=unit or None,
        design=design,
        like=like,
        campaigns=campaigns,
        replicates=replicates,
        level=level,
        seed=seed,
        checkpoint=checkpoint,
        workers=workers,
        engine=engine,
    )
    show([result], to, output)
