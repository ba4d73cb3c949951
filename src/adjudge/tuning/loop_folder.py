"""The working folder of a loop, from which it goes on after a kill.

    loop.json           what was asked
    1.weights           what the decoder was given in iteration 1
    1.nbest             its list, whole and checked
    1.txt               what it chose: the first candidates
    1.log               what it said
    iterations.jsonl    scores of all iterations so far
    test-1.nbest, …     the same of other sentences

One loop at a time works in it. Every file appears once it is whole. Weights are written with all
their digits and scores come from the lists, so that a loop that goes on ends where one that was
never stopped ends.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.core.errors import BadParameter, InputError
from adjudge.core.files.folder_lock import held
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.tuning.candidates import Candidates, Floats
from adjudge.tuning.decoder import Decoder
from adjudge.tuning.read_nbest import read_candidates
from adjudge.tuning.weights_file import read_weights, write_weights


@dataclass(frozen=True)
class LoopFolder:
    """A folder with the iterations of a loop."""

    path: Path

    @contextmanager
    def begun(self, asked: Mapping[str, Any]) -> Iterator[None]:
        """Make the folder, or make sure that the same was asked in it before; hold it meanwhile."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadParameter(
                f"`folder` {self.path} cannot be made ({error.strerror}); choose another place"
            ) from None
        with held(
            self.path,
            f"`folder` {self.path} is in use: another loop is at work there; wait until it ends, "
            "or name another folder",
        ):
            self._refuse_another(asked)
            yield

    def _refuse_another(self, asked: Mapping[str, Any]) -> None:
        """Write down what is asked; where there are lists already, it must be the same."""
        file = self.path / "loop.json"
        wanted = json.loads(json.dumps(asked))
        lists = any(self.path.glob("*.nbest"))
        if lists and not file.exists():
            raise BadParameter(
                f"`folder` {self.path} has lists but no loop.json; name another folder"
            )
        if not lists:
            _write(file, json.dumps(wanted, indent=1, ensure_ascii=False) + "\n")
            return
        try:
            before = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise InputError(f"is no JSON ({error}); name another folder", file=file) from None
        for name, value in wanted.items():
            if not isinstance(before, dict) or before.get(name) != value:
                old = before.get(name) if isinstance(before, dict) else None
                raise BadParameter(
                    f"`folder` {self.path} is of a loop with another `{name}`: {_short(old)}, not "
                    f"{_short(value)}; name another folder, or ask the same"
                )

    def weights(self, number: int, names: tuple[str, ...]) -> Floats | None:
        """The weights of an iteration, if it was begun."""
        path = self._weights(number)
        return read_weights(str(path), names) if path.exists() else None

    def keep_weights(self, number: int, weights: Mapping[str, float]) -> None:
        """Write what the decoder is to be given."""
        write_weights(
            str(self._weights(number)), tuple(weights), np.array(list(weights.values()), float)
        )

    @contextmanager
    def decoded(self, number: int, decoder: Decoder, part: str = "") -> Iterator[Candidates]:
        """The list of an iteration: the one that is kept, or what the decoder now makes.

        Whoever uses it may refuse it; then it is not kept, but under another name for people.
        """
        kept = self.path / f"{part}{number}.nbest"
        if kept.exists():
            yield _read(kept, kept)
            return
        for left in self.path.glob(f".{kept.name}.*"):  # by a decoder that was killed
            left.unlink()
        handle, name = tempfile.mkstemp(dir=self.path, prefix=f".{kept.name}.")
        os.close(handle)
        made = Path(name)
        try:
            decoder.run(self._weights(number), made, self.path / f"{part}{number}.log")
            candidates = _read(made, kept)
            yield candidates
        except InputError as error:
            refused = kept.with_suffix(".refused")
            os.replace(made, refused)
            raise InputError(error.reason, file=refused, line=error.line) from None
        except BaseException:
            made.unlink(missing_ok=True)
            raise
        _write(kept.with_suffix(".txt"), "".join(f"{text}\n" for text in candidates.first_texts))
        made.chmod(self._weights(number).stat().st_mode)  # for whom a new file is
        os.replace(made, kept)

    def write_rows(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Write the scores of all iterations so far."""
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        _write(self.path / "iterations.jsonl", "".join(lines))

    def _weights(self, number: int) -> Path:
        return self.path / f"{number}.weights"


def _read(path: Path, name: Path) -> Candidates:
    """A list, called by the name it will have."""
    return replace(read_candidates(InputFile(path)), file=str(name))


def _write(path: Path, text: str) -> None:
    with open_output(str(path)) as stream:
        stream.write(text.encode())


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]}…"
