"""What a judgement is: the table, its integer-coded comparisons, and every file format."""

from adjudge.judgements.comparisons import Comparisons, compare
from adjudge.judgements.counts import WinCounts, count
from adjudge.judgements.files import read, write
from adjudge.judgements.schema import SCHEMA, judgements
from adjudge.judgements.selection import Selection, select, with_source
from adjudge.judgements.streaming import counts_from_file

__all__ = [
    "SCHEMA",
    "Comparisons",
    "Selection",
    "WinCounts",
    "compare",
    "count",
    "counts_from_file",
    "judgements",
    "read",
    "select",
    "with_source",
    "write",
]
