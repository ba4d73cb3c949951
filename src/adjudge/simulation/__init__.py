"""Simulated judges and systems with known truth."""
