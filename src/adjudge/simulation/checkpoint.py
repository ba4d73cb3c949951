"""Finished situations kept in a file, so that a run that was stopped goes on where it was.

One JSON line for each. The file is written whole after every situation, and appears only when it
is complete: what is in it is always good. A line belongs to a situation if all that its result
depends on is the same, down to the version of the program.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from adjudge import __version__
from adjudge.errors import InputError
from adjudge.files.output import open_output
from adjudge.simulation.coverage import Cell, Coverage


class Checkpoint:
    """The finished situations of one run; `input` is the hash of the real campaign, if any."""

    def __init__(self, path: str, cells: Sequence[Cell], input: str) -> None:
        self._path, self._input = path, input
        self._lines: list[str] = []
        wanted = {_text(self._key(cell)): cell for cell in cells}
        self.known: dict[Cell, Coverage] = {}
        for number, line in enumerate(self._read(), start=1):
            key, values = self._parsed(line, number)
            cell = wanted.get(_text(key))
            if cell is None:
                raise InputError(
                    "holds situations of another run (other design, seed, campaigns or version); "
                    "give another `checkpoint`",
                    file=path,
                    line=number,
                )
            self.known[cell] = Coverage(cell, **values)
            self._lines.append(line)
        self._write()  # a place that cannot be written to is refused before the work begins

    def add(self, result: Coverage) -> None:
        """Keep a finished situation."""
        if result.cell in self.known:
            return
        values = asdict(result)
        del values["cell"]
        self.known[result.cell] = result
        self._lines.append(json.dumps({"situation": self._key(result.cell), "result": values}))
        self._write()

    def _write(self) -> None:
        with open_output(self._path) as stream:
            stream.write("".join(f"{line}\n" for line in self._lines).encode())

    def _key(self, cell: Cell) -> dict[str, Any]:
        return {**cell.key(), "input": self._input, "version": __version__}

    def _read(self) -> Iterable[str]:
        path = Path(self._path)
        try:
            return path.read_text().splitlines() if path.exists() else ()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read ({error})", file=self._path) from None

    def _parsed(self, line: str, number: int) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        try:
            record = json.loads(line)
            return record["situation"], record["result"]
        except (ValueError, KeyError, TypeError):
            raise InputError(
                "is no file of finished situations; give another `checkpoint`",
                file=self._path,
                line=number,
            ) from None


def _text(key: Mapping[str, Any]) -> str:
    return json.dumps(key, sort_keys=True)
