"""What can go wrong for a user, each said in one line that names the remedy.

The command line prints an `AdjudgeError` on stderr and exits with code 2; anything else
that escapes is a bug and shows its traceback.
"""

from os import PathLike


class AdjudgeError(Exception):
    """The user can mend this; the message says how."""


class InputError(AdjudgeError):
    """A file that cannot be read as what it claims to be."""

    def __init__(
        self, reason: str, *, file: str | PathLike[str] | None = None, line: int | None = None
    ) -> None:
        self.reason = reason
        self.file = None if file is None else str(file)
        self.line = line
        super().__init__(reason)

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.file}: "
        if self.line is not None:
            where += f"line {self.line}: "
        return f"{where}{self.reason}"


class NotEnoughData(AdjudgeError):
    """The judgements are well formed but cannot answer the question asked."""
