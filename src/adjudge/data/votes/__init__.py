"""Rankings as pairwise comparisons, coded as integers, and their win counts."""
