"""What a judgement, a score, an edit is: the tables and every file format."""

from adjudge.judgements.files import (
    Loaded,
    Source,
    read,
    read_any,
    read_edits,
    read_scores,
    write,
)
from adjudge.judgements.from_columns import from_comparisons, from_rankings, from_scores
from adjudge.judgements.judgement_table import SCHEMA, judgement_table
from adjudge.judgements.selection import Selection, select, select_edits, with_source

__all__ = [
    "SCHEMA",
    "Loaded",
    "Selection",
    "Source",
    "from_comparisons",
    "from_rankings",
    "from_scores",
    "judgement_table",
    "read",
    "read_any",
    "read_edits",
    "read_scores",
    "select",
    "select_edits",
    "with_source",
    "write",
]
