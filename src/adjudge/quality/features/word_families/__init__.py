"""Features of single tokens, one module per family, registered by `FAMILY`."""
