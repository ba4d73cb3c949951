"""Tuning algorithms, one module each, registered by `TUNER`."""
