"""Metric-assisted ranking: people judge some segments, a metric all, the order uses both."""
