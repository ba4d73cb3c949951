"""How work is given out to judges and their answers are taken."""
