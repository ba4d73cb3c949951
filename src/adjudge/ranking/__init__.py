"""Comparisons to an order: one module a method, resampling, rank ranges and clusters."""

from adjudge.ranking.method import METHODS, Method, Resampling, Unit
from adjudge.ranking.ranked import Ranking, rank

__all__ = ["METHODS", "Method", "Ranking", "Resampling", "Unit", "rank"]
