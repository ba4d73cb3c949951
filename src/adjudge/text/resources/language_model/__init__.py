"""N-gram language models: modified Kneser–Ney smoothing, ARPA files, batch scoring of texts."""
