"""Judges and systems with known truth."""

from adjudge.simulation.campaign import Campaign, simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.simulation.truth import Truth

__all__ = ["Campaign", "Design", "Judges", "Tasks", "Truth", "simulate"]
