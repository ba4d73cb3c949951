"""Thot, a phrase-based decoder, as two scripts; nothing here imports them."""
