"""Assignment of work to judges, and submission of answers."""
