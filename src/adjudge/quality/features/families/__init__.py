"""Features of whole translations, one module a family, each with its `FAMILY`."""
