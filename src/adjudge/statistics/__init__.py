"""The one place for uncertainty: units, drawing, replicates, intervals, ranks and clusters."""

from adjudge.statistics.bootstrap import Bootstrapped, bootstrap
from adjudge.statistics.resampling import UNITS, Resampling, Unit
from adjudge.statistics.standings import Standings, standings

__all__ = ["UNITS", "Bootstrapped", "Resampling", "Standings", "Unit", "bootstrap", "standings"]
