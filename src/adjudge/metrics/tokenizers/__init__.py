"""One module a tokenizer, each with its `TOKENIZER`."""
