"""Statistical models behind the methods."""
