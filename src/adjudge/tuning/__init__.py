"""Tuning of feature weights on n-best lists (Macháček 2014 §3.3)."""
