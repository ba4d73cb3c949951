"""Why the store says no; `code` is for programs, the message for people."""

from typing import TYPE_CHECKING

from adjudge.core.errors import AdjudgeError

if TYPE_CHECKING:
    from django.utils.functional import Promise


class Refused(AdjudgeError):
    """An answer that was not accepted; nothing of it is stored.

    The reason is for organisers and programmers. `sentence` is what the judge reads, in their
    language, where the protocol has one for the code (`Protocol.refusals`).
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.sentence: Promise | None = None
        super().__init__(reason)


class NoItem(AdjudgeError):
    """There is nothing for this judge to do now.

    Codes: `early` (it has not begun), `closed`, `paused`, `excluded`, `quota` (the judge has done
    their share), `enough` (the campaign has what it asked for), `exhausted` (the judge has seen
    every segment).
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)
