"""Meta-evaluation: which metric agrees with people, and how sure that is."""
