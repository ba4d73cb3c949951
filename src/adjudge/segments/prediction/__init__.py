"""Prediction of the quality of an unranked candidate, learned from ranked ones."""
