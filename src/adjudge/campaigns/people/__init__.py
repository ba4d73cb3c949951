"""Judges: their links, what organisers do about them, crowd workers, simulated judges."""
