"""Edits: outputs corrected by people who see nothing else, and their reviews (WMT13 §4)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from adjudge.api.result import Result
from adjudge.api.table_data import Data
from adjudge.core.errors import one_of

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.selection import Selection
    from adjudge.scoring.edits.results import EditSummaries, Understood
    from adjudge.stats.resampling import Unit


@dataclass(frozen=True, eq=False, repr=False)
class Edits(Data):
    """Blind edits and their reviews: what `adjudge.read` gives for a file of edits."""

    kind: ClassVar[str] = "edits"

    def rank(
        self,
        *,
        unit: "Unit" = "auto",
        repeated: bool = False,
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[Understood]":
        """Systems by how much of their output people understand (WMT13 Table 9).

        Parameters
        ----------
        unit : {"auto", "row", "segment", "document", "editor", "reviewer"}
            What the result is to hold for. "auto": other people and documents, as far as the
            edits tell. Else what a bootstrap draws; "row" is what WMT13 drew.
        repeated : bool
            Count edits of segments that the editor had seen before as well.
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            Statuses, systems, agreement and new references of all language pairs.

        Raises
        ------
        NotEnoughData
            If no edit was reviewed.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "edits.jsonl")
        >>> with open(path, "w") as file:
        ...     _ = file.write(
        ...         '{"pair": "en-de", "protocol": "blind-edit", "item": 1, "systems": ["A"], '
        ...         '"edit": "Gut."}\\n'
        ...         '{"pair": "en-de", "protocol": "review", "item": 2, "systems": ["A"], '
        ...         '"reviewed": 1, "verdict": "yes"}\\n'
        ...         '{"pair": "en-de", "protocol": "blind-edit", "item": 3, "systems": ["B"], '
        ...         '"incomprehensible": true}\\n'
        ...     )
        >>> edits = adjudge.read(path)
        >>> [(part.systems, part.share.tolist()) for part in edits.rank(replicates=20)[0].systems]
        [(('A', 'B'), [1.0, 0.0])]
        """
        from adjudge.scoring.edits.results import understood
        from adjudge.scoring.edits.shares import EDIT_UNITS
        from adjudge.stats.resampling import Resampling

        one_of(unit, ("auto", *EDIT_UNITS), "unit")
        resampling = Resampling(unit, replicates, seed, level)
        result = understood(self.table, resampling, repeated)
        return self._result(
            "rank",
            {
                "unit": resampling.unit,
                "repeated": repeated,
                "replicates": replicates,
                "seed": seed,
                "level": level,
            },
            [result],
        )

    def info(self) -> "Result[EditSummaries]":
        """What is in them: pairs, protocols, systems, judges, edits and reviews.

        Returns
        -------
        Result
            The `EditSummaries` of all language pairs and protocols.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "edits.jsonl")
        >>> with open(path, "w") as file:
        ...     _ = file.write(
        ...         '{"pair": "en-de", "protocol": "blind-edit", "item": 1, "systems": ["A"], '
        ...         '"edit": "Gut."}\\n'
        ...     )
        >>> adjudge.read(path).info().to_frame()["items"].item()
        1
        """
        from adjudge.scoring.edits.results import summarise_edits

        return self._result("info", {}, [summarise_edits(self.table)])

    def write(self, path: str) -> None:
        """Write the edits to a file, whole or not at all.

        Parameters
        ----------
        path : str
            .jsonl or .parquet; .gz, .bz2, .zst and .xz compress.

        Raises
        ------
        AdjudgeError
            If the ending names no format of edits.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "edits.jsonl")
        >>> with open(path, "w") as file:
        ...     _ = file.write(
        ...         '{"pair": "en-de", "protocol": "blind-edit", "item": 1, "systems": ["A"], '
        ...         '"edit": "Gut."}\\n'
        ...         '{"pair": "en-de", "protocol": "review", "item": 2, "systems": ["A"], '
        ...         '"reviewed": 1, "verdict": "yes"}\\n'
        ...         '{"pair": "en-de", "protocol": "blind-edit", "item": 3, "systems": ["B"], '
        ...         '"incomprehensible": true}\\n'
        ...     )
        >>> edits = adjudge.read(path)
        >>> edits.write(path)
        """
        from adjudge.data.table_files import write

        write(self.table, path)

    def _chosen(self, selection: "Selection") -> "pl.DataFrame":
        from adjudge.data.selection import select_edits

        return select_edits(self.table, selection)

    def __repr__(self) -> str:
        return (
            f"{len(self):,} edits and reviews of {len(self.systems)} systems by "
            f"{len(self.judges)} judges; pairs: {', '.join(self.pairs)}"
        )

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>"
