"""Judges and systems with known truth."""
