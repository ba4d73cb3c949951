"""Counts for ranking methods: comparisons and blocks as events in cells, and shares of them."""
