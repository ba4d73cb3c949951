"""Test sets: sources, references and what systems made of them, in every format they come in."""
