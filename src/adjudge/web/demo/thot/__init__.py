"""Thot, a phrase-based decoder, as two standalone scripts, which nothing here imports."""
