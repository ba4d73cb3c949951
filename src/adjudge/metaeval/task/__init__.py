"""Metrics tasks from texts to submissions: participants' package, checks, unblinding."""
