"""Plain text, one segment a line (UTF-8, also gzip, bzip2, zstd and xz)."""

from adjudge.core.files.input_file import InputFile
from adjudge.text.testset import Column


def read_lines(file: InputFile) -> tuple[str, ...]:
    """The lines; only line feeds end one, for U+2028 and its like occur inside segments."""
    lines = file.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return tuple(line.removesuffix("\r").strip() for line in lines)


def read_plain(file: InputFile) -> Column:
    """A file of segments."""
    return Column(file.name, read_lines(file))
