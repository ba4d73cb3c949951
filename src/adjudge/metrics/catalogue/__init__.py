"""Metrics, one module each, registered by `METRIC`."""
