"""Predictions beside the truth: the tables of WMT13 §6.8, one module a task."""
