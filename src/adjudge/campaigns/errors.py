"""Refusals by the store; `code` is for programs, the message for people."""

from typing import TYPE_CHECKING

from adjudge.core.errors import AdjudgeError

if TYPE_CHECKING:
    from django.utils.functional import Promise


class Refused(AdjudgeError):
    """Rejected answer, of which nothing is stored.

    The reason is for organisers and programmers. `sentence` is the text for the judge, in their
    language, if the protocol has one for the code (`Protocol.refusals`).
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.sentence: Promise | None = None
        super().__init__(reason)


class NoItem(AdjudgeError):
    """No work for this judge at present.

    Codes: `early` (not started), `closed`, `paused`, `excluded`, `quota` (the judge has done their
    share), `enough` (the campaign has all requested answers), `exhausted` (the judge has seen every
    segment).
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)
