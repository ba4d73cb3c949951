"""The order that violates the fewest comparisons, and the proof that it does."""
