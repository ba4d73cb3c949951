"""How far judges agree: coefficients, and the conventions that feed them."""
