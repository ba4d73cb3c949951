"""All that follows from the judgements of one language pair."""
