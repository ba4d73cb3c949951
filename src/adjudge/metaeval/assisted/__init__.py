"""Metric-assisted ranking: people judged some segments, a metric scored all, the order uses both."""
