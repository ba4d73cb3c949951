"""Test sets: sources, references and what systems made of them, in every format they come in."""

from adjudge.texts.testset import Part, PartOutput, TestSet, assemble

__all__ = ["Part", "PartOutput", "TestSet", "assemble"]
