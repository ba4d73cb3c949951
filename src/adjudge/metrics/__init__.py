"""Automatic metrics: outputs of systems beside references, as numbers with their uncertainty."""
