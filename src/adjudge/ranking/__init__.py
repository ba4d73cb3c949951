"""Comparisons to an order: one module a method, resampling, rank ranges and clusters."""

from adjudge.ranking.method import Method, Resampling, Unit, all_methods, method_named
from adjudge.ranking.ranked import Ranking, rank

__all__ = ["Method", "Ranking", "Resampling", "Unit", "all_methods", "method_named", "rank"]
