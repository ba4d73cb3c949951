"""Comparisons to an order: one module a method, rankings with their uncertainty."""
