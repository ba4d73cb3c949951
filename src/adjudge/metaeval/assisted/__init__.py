"""Metric-assisted ranking: combine partial human judgements with metric scores for all segments."""
