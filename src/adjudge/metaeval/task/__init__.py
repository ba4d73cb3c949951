"""A metrics task from texts to submissions: the package for participants, checks, unblinding."""
