"""Learners of which of two candidates is better."""
