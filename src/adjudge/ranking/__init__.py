"""Comparisons to an order: one module a method, rankings with their uncertainty."""

from adjudge.ranking.method import METHODS, Method
from adjudge.ranking.ranked import Ranking, rank
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.standings import Ranges

__all__ = ["METHODS", "Method", "Ranges", "Ranking", "Resampling", "Unit", "rank"]
