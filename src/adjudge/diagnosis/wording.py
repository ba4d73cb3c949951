"""How sentences name things: outputs and numbers."""

from adjudge.data.outputs import systems_of


def output_name(output: str) -> str:
    """An output by the systems that made it."""
    return ", ".join(systems_of(output))


def counted(number: int, noun: str) -> str:
    """`1 judge`, `2 judges`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
