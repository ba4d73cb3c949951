"""Judges: links, administration, crowd workers, simulated judges."""
