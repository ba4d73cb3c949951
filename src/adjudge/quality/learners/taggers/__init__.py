"""Learners of word labels."""
