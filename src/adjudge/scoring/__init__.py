"""Scores to an order: normalisation, system scores with their uncertainty, agreement."""
