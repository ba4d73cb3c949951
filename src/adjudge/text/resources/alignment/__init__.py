"""Which words of parallel sentences belong together."""
