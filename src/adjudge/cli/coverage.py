"""`adjudge coverage`: how often intervals hold the truth, on simulated campaigns."""

from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import Format, Output, Seed, TableFormats, emit
from adjudge.cli.rank import EngineAddress, Level, Replicates, Workers

Campaigns = Annotated[int, typer.Option(min=2, help="Simulated campaigns for each row.")]


@app.command()
def coverage(
    campaigns: Campaigns = 200,
    replicates: Replicates = 500,
    level: Level = 0.95,
    seed: Seed = 1,
    workers: Workers = 1,
    engine: EngineAddress = None,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Check by simulation which resampling unit gives intervals that hold what they promise."""
    from adjudge.parallel import Engine, progress
    from adjudge.report.tables.coverage import coverage_table
    from adjudge.simulation.coverage import SITUATIONS, UNITS
    from adjudge.simulation.coverage import coverage as cover

    where = Engine(workers, engine)
    situations = progress(list(SITUATIONS.items()))
    results = [
        cover(design, UNITS, campaigns, replicates, level, seed, where) for design in situations
    ]
    emit([coverage_table(dict(zip(SITUATIONS, results, strict=True)))], to, output)
