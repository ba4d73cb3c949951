"""Wording of outputs and numbers in sentences."""

from adjudge.data.outputs import systems_of


def output_name(output: str) -> str:
    """Name an output by the systems that made it."""
    return ", ".join(systems_of(output))


def counted(number: int, noun: str) -> str:
    """Format a count: `1 judge`, `2 judges`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
