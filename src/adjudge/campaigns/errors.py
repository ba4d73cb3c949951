"""Why the store says no; `code` is for programs, the message for people."""

from adjudge.errors import AdjudgeError


class Refused(AdjudgeError):
    """An answer that was not accepted; nothing of it is stored."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)


class NoItem(AdjudgeError):
    """There is nothing for this judge to do now.

    Codes: `closed`, `paused`, `excluded`, `quota` (the judge has done their share), `enough`
    (the campaign has what it asked for), `exhausted` (the judge has seen every segment).
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)
