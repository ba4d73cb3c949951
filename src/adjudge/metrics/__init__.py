"""Automatic metrics: system outputs scored against references, with their uncertainty."""
