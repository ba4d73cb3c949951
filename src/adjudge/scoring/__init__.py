"""Scores to an order: normalisation, system scores with their uncertainty, agreement."""

from adjudge.scoring.normalisation import NORMALISATIONS
from adjudge.scoring.system_scores import SystemScores, system_scores

__all__ = ["NORMALISATIONS", "SystemScores", "system_scores"]
