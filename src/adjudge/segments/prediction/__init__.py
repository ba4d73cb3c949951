"""How good is a candidate that nobody ranked? Learnt from those that judges ranked."""
