"""Decoder command: reads a file of weights, writes an n-best list.

    python decode.py --weights {weights} --list {nbest}

`{weights}` stands for the path of the weights, `{nbest}` for that of the list; without the latter
the list is read from standard output. The command is split as a shell would split it, but no shell
runs it.
"""

import shlex
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from adjudge.core.errors import AdjudgeError, BadParameter

WEIGHTS, NBEST = "{weights}", "{nbest}"
_SAID = 300  # characters of a decoder's last words


class DecoderFailed(AdjudgeError):
    """Decoder that could not be run, or reported failure."""


@dataclass(frozen=True)
class Decoder:
    """Command line of a decoder."""

    command: str

    def __post_init__(self) -> None:
        if WEIGHTS not in " ".join(self._words):
            raise BadParameter(
                f"`decoder` has no {WEIGHTS} in it; write where the command takes its file of "
                f"weights, as in: decode --weights {WEIGHTS} --list {NBEST}"
            )

    @cached_property
    def _words(self) -> list[str]:
        try:
            return shlex.split(self.command)
        except ValueError as error:
            raise BadParameter(f"`decoder` cannot be split into words: {error}") from None

    def run(self, weights: Path, nbest: Path, log: Path) -> None:
        """Run the decoder; its messages go to the log."""
        words = [
            word.replace(WEIGHTS, str(weights)).replace(NBEST, str(nbest)) for word in self._words
        ]
        printed = NBEST not in " ".join(self._words)
        with log.open("wb") as said, nbest.open("wb") as stream:
            try:
                code = subprocess.run(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=stream if printed else said,
                    stderr=said,
                    check=False,
                ).returncode
            except OSError as error:
                raise DecoderFailed(
                    f"the decoder {words[0]!r} cannot be started ({error.strerror}); check the "
                    "command"
                ) from None
        if code != 0:
            how = f"ended with code {code}" if code > 0 else f"was killed by signal {-code}"
            raise DecoderFailed(f"the decoder {how}{_last_words(log)}; all it said is in {log}")
        if not nbest.stat().st_size:
            where = "printed nothing" if printed else f"wrote nothing to {NBEST}"
            raise DecoderFailed(f"the decoder {where}{_last_words(log)}; all it said is in {log}")


def _last_words(log: Path) -> str:
    """Last line of the log."""
    lines = log.read_text("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f" and said: {last[:_SAID]}" if last else " and said nothing"
