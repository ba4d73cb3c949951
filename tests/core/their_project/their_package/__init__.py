"""One item of every kind."""
