"""Features of whole translations, one module per family, registered by `FAMILY`."""
