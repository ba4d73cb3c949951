"""Features of single tokens, one module a family, each with its `FAMILY`."""
