"""What several methods, or one that is fitted, are made of."""
