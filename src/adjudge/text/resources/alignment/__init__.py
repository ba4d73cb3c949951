"""Word alignment of parallel sentences."""
