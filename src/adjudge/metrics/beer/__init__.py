"""BEER's parts: its features, its model in a file, and how it is trained."""
