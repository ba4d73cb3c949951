"""Comparisons to an order: one module a method, rankings with their uncertainty."""

from adjudge.ranking.method import METHODS, Method
from adjudge.ranking.ranked import Ranking, rank
from adjudge.statistics.resampling import Resampling, Unit

__all__ = ["METHODS", "Method", "Ranking", "Resampling", "Unit", "rank"]
