"""Evaluation of predictions: the tables of WMT13 §6.8, one module per task."""
