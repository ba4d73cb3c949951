"""Comparisons to an order: one module a method, resampling, rank ranges and clusters."""
