"""Ways from a pool to weights: one module each, with its `TUNER`."""
