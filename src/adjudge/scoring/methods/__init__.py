"""Official analyses, one module each."""
