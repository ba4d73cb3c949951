"""Learners of the labels of words."""
