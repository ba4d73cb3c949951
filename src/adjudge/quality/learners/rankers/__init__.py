"""Learners for the better of two candidates."""
