"""Findings, one module per finding (or family), registered by `FINDING`."""
