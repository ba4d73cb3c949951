"""Rankings as pairwise comparisons, coded as integers, and their win counts."""

from adjudge.comparisons.comparisons import Comparisons, compare
from adjudge.comparisons.counts import WinCounts, count
from adjudge.comparisons.streaming import counts_from_file

__all__ = ["Comparisons", "WinCounts", "compare", "count", "counts_from_file"]
