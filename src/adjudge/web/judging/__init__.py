"""The judge's pages: the way in, the judging screen, and the way back to a crowd platform."""
