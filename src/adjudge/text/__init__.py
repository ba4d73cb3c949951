"""Test sets: sources, references and system outputs, in every supported format."""
