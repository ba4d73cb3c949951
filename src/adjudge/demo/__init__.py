"""The project's own small corpus, and what simulated judges think of it."""

from adjudge.demo.texts import QUALITIES, corpus, quality, tutorial

__all__ = ["QUALITIES", "corpus", "quality", "tutorial"]
