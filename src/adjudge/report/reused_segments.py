"""Short segments in a report: prediction of unseen systems from ranked segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.core.tables.table import Table
from adjudge.report.analysis import Analysis
from adjudge.segments.closest_ranks import ClosestRanks, closest_ranks
from adjudge.segments.database import databases
from adjudge.segments.examples import ExampleSentence, example_sentences
from adjudge.segments.leave_one_out import PUBLISHED, leave_each_out
from adjudge.segments.overall import rank_systems
from adjudge.segments.tables.segments import (
    example_table,
    left_out_tables,
    ranking_tables,
)
from adjudge.stats.resampling import Resampling

SEGMENTS = "segments"  # how the names of its tables begin
EXAMPLES = 6  # sentences


@dataclass(frozen=True)
class ReusedSegments:
    """Tables by name, data of the figure, and example sentences."""

    tables: Mapping[str, Table]
    closest: ClosestRanks
    examples: Sequence[ExampleSentence]


def reused_segments(analysis: Analysis) -> ReusedSegments:
    """Systems by their segments, leave-one-out evaluation, and examples."""
    settings = analysis.settings
    drawing = Resampling("auto", settings.replicates, settings.seed, settings.level)
    (database,) = databases(analysis.table)
    closest = closest_ranks(database)
    examples = example_sentences(database, closest, EXAMPLES, settings.seed)
    unseen = {
        f"{SEGMENTS}-{matching}": left_out_tables(leave_each_out(database, matching, drawing))[0]
        for matching in PUBLISHED
    }
    tables = {
        f"{SEGMENTS}-ranking": ranking_tables([rank_systems(database, drawing)])[0],
        **unseen,
        f"{SEGMENTS}-examples": example_table(database.pair, examples),
    }
    return ReusedSegments(tables, closest, examples)
