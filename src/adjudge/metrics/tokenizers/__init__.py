"""Tokenizers, one module each, registered by `TOKENIZER`."""
