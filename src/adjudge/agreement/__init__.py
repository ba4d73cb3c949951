"""Agreement between judges: coefficients, and the conventions for counting pairs."""
