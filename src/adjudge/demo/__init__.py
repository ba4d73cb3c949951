"""The project's own small corpus, and what simulated judges think of it."""

from adjudge.demo.texts import QUALITIES, corpus, quality

__all__ = ["QUALITIES", "corpus", "quality"]
