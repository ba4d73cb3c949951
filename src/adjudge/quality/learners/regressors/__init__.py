"""Learners of numbers."""
