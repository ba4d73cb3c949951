"""Tuning: weights of features that make the best candidates win (Macháček 2014 §3.3)."""
