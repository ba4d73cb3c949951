"""Uncertainty: resampling units, replicates, intervals, rank ranges and clusters."""
