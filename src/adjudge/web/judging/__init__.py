"""Judges' pages: entrance, judging screen, and return to a crowd platform."""
