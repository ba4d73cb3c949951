"""N-gram language models: modified Kneser–Ney, ARPA files, probabilities of whole texts at once."""
