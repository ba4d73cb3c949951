"""Files of lines beside the data of quality estimation: other translations, parts of speech."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BesideLines:
    """The lines of a file, and its hash."""

    lines: tuple[str, ...]
    hash: str

    @property
    def tokens(self) -> list[list[str]]:
        """What stands between blanks, line by line."""
        return [line.split() for line in self.lines]


def lines_of(path: str) -> BesideLines:
    """Read a file."""
    from adjudge.files.input_file import InputFile
    from adjudge.texts.plain import read_lines

    file = InputFile(path)
    return BesideLines(read_lines(file), file.sha256)
