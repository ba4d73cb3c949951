"""`adjudge rank`: the official table, one for each language pair."""

from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.global_options import suggest
from adjudge.cli.options import (
    CheckpointFile,
    Format,
    Output,
    as_words,
    on_judgements,
    show,
)
from adjudge.ranking.options import RankOptions

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


@on_judgements
def rank(
    judgements: "Judgements",
    options: RankOptions,
    checkpoint: CheckpointFile = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Rank the systems: score, interval, rank range and cluster, for each language pair."""
    from adjudge.core.files.checkpoint import resumable

    with resumable(checkpoint):
        ranking = judgements.rank(**options.items())
    show([ranking], to, output)
    rereadable = all(Path(name).exists() for name, _ in judgements.source.files)  # no pipe
    if output == "-" and to == "table" and rereadable:
        all_apart = all(len(set(part.cluster)) == len(part.systems) for part in ranking)
        again = as_words(judgements.source)
        suggest(*(("report", *again, "-o", "report.html") if all_apart else ("plan", *again)))
