"""What a database of ranked segments says of a new system, by its plain output."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.segments.database import SegmentDatabase
    from adjudge.segments.prediction.evaluation import Evaluation


class NewSystemQuestions:
    """The part of `Segments` that evaluates new systems."""

    if TYPE_CHECKING:

        @property
        def databases(self) -> "list[SegmentDatabase]": ...

        def _result(
            self, verb: str, asked: Mapping[str, Any], parts: Sequence[Any]
        ) -> Result[Any]: ...

    def evaluate(
        self,
        text: str,
        *,
        name: str | None = None,
        ask: int = 300,
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[Evaluation]":
        """A new system by its plain output: its score, its place, what to ask judges next.

        Parameters
        ----------
        text : str
            The file of its output, a line a sentence; line 7 is sentence 7 of the database.
        name : str, optional
            Its name, by default that of the file. Ranks of a system of that name count.
        ask : int
            How many segments to send to judges next; `write_next(path)` of the result writes them.
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            One `Evaluation`.

        Raises
        ------
        InputError
            If the file has too few lines.
        NotEnoughData
            If fewer than three systems are ranked, or nothing can be learnt from them.

        Examples
        --------
        >>> import adjudge, os, polars as pl, tempfile
        >>> rows = [
        ...     (n, system, 1 + (n * k) % 3, f"{word} {n}")
        ...     for n in range(1, 9)
        ...     for k, (system, word) in enumerate([("A", "ein"), ("B", "das"), ("C", "der")], 1)
        ... ]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-de"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1", "ranking"),
        ...         source=pl.format("a {}", "ranking"),
        ...         reference=pl.format("ein {}", "ranking"),
        ...     )
        ... )
        >>> path = os.path.join(tempfile.mkdtemp(), "new.txt")
        >>> with open(path, "w") as file:
        ...     _ = file.writelines(f"ein {n}\\n" for n in range(1, 9))
        >>> new = judgements.segments().evaluate(path, replicates=50)
        >>> new.hit_rate, len(new.systems)
        (1.0, 4)
        """
        from pathlib import Path

        from adjudge.core.errors import NotEnoughData, within
        from adjudge.core.files.input_file import InputFile
        from adjudge.segments.prediction.evaluation import evaluate
        from adjudge.text.reading import read_column

        within(ask, "ask", 0)
        drawing = Resampling("auto", replicates, seed, level)
        system = Path(text).name.split(".")[0] if name is None else name
        if len(self.databases) > 1:
            pairs = ", ".join(database.pair for database in self.databases)
            raise NotEnoughData(
                f"a text is of one language, and the database is of {pairs}; choose one with `pair`"
            )
        part = evaluate(self.databases[0], read_column(text).texts, text, system, drawing, ask)
        drawn = {"replicates": replicates, "seed": seed, "level": level}
        asked = {"name": system, "ask": ask, "text": f"sha256-{InputFile(text).sha256}"}
        return self._result("evaluate", {**asked, **drawn}, [part])
