"""Segments and the sentences that they are of: what they cover, and do both say the same?"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    import polars as pl

    from adjudge.api.judgements import Judgements
    from adjudge.api.result import Result
    from adjudge.segments.coverage import Coverage
    from adjudge.segments.database import SegmentDatabase
    from adjudge.segments.sentence_level import BesideSentences


class SentenceQuestions:
    """What a database says of whole sentences."""

    if TYPE_CHECKING:
        judgements: "Judgements"

        @property
        def databases(self) -> "list[SegmentDatabase]": ...
        def _result(
            self,
            verb: str,
            asked: Mapping[str, Any],
            parts: Sequence[Any],
            how: Mapping[str, Any] | None = None,
        ) -> "Result[Any]": ...

    def beside(
        self,
        sentences: "str | Iterable[str] | Judgements | None" = None,
        *,
        examples: int = 0,
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[BesideSentences]":
        """The ranking by segments beside that by whole sentences, and how far they agree.

        Parameters
        ----------
        sentences : str, iterable of str or Judgements, optional
            Files of judgements of whole sentences, or what was read from them. By default those
            of the same files that are no judgements of segments, as a mixed campaign has them.
            Their segments have the names of the database's sentences.
        examples : int
            Show so many sentences with the highest and with the lowest disagreement quotient
            instead; the result has both.
        replicates, seed, level
            As for `Judgements.rank`; sentences are resampled.

        Returns
        -------
        Result
            One `BesideSentences` a language pair.

        Raises
        ------
        NotEnoughData
            If there are no such judgements, or they share no sentence or no two systems.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (2, "A", 1, "c"), (2, "B", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...     )
        ... )
        >>> whole = adjudge.from_comparisons(["A", "A"], ["B", "B"], [1, -1], segment=["1", "2"])
        >>> judgements.segments().beside(whole, replicates=50).overall.tau.tolist()
        [0.0]
        """
        from adjudge.core.errors import within
        from adjudge.segments.sentence_level import beside_sentences
        from adjudge.segments.won_sentences import sentence_judgements

        within(examples, "examples", 0)
        given = self.judgements if sentences is None else _read(sentences)
        table = _one_way(sentence_judgements(given.table))
        drawing = Resampling("auto", replicates, seed, level)
        parts = [
            beside_sentences(database, _of_pair(table, database, len(self.databases)), drawing)
            for database in self.databases
        ]
        asked = {
            "sentences": None if sentences is None else f"sha256-{given.hash}",
            "examples": examples,
            "replicates": replicates,
            "seed": seed,
            "level": level,
        }
        return self._result("beside", asked, parts, {"examples": examples})

    def coverage(
        self,
        trees: str | None = None,
        *,
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[Coverage]":
        """How many words, and how many predicates, the judged segments cover.

        Parameters
        ----------
        trees : str, optional
            A file of parse trees (Penn brackets or CoNLL-U), which say what predicates are.
            Sentence 7 of the database has its seventh tree.
        replicates, seed, level
            As for `Judgements.rank`; sentences are resampled.

        Returns
        -------
        Result
            One `Coverage` a language pair.

        Raises
        ------
        InputError
            If the trees are not those of the sentences.
        NotEnoughData
            If the database does not say where in its sentence a segment stands.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (2, "A", 1, "c"), (2, "B", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...         source=pl.lit("a black cat sleeps"),
        ...     )
        ... )
        >>> judgements.segments().coverage(replicates=50).share.tolist()
        [0.75]
        """
        from adjudge.core.files.input_file import InputFile
        from adjudge.segments.coverage import coverage
        from adjudge.segments.trees import read_trees

        drawing = Resampling("auto", replicates, seed, level)
        parsed = [] if trees is None else read_trees(trees)
        parts = [coverage(database, drawing, parsed, trees or "") for database in self.databases]
        asked = {
            "trees": None if trees is None else f"sha256-{InputFile(trees).sha256}",
            "replicates": replicates,
            "seed": seed,
            "level": level,
        }
        return self._result("coverage", asked, parts)


def _read(sentences: "str | Iterable[str] | Judgements") -> "Judgements":
    from adjudge.api.judgements import Judgements
    from adjudge.api.reading import read_as

    if isinstance(sentences, Judgements):
        return sentences
    paths = [sentences] if isinstance(sentences, str) else list(sentences)
    if not all(isinstance(path, str) for path in paths):
        raise BadParameter("`sentences` are files, or judgements that were read from them")
    judgements: Judgements = read_as("judgements", *paths)
    return judgements


def _one_way(table: "pl.DataFrame") -> "pl.DataFrame":
    """Judgements of whole sentences, asked for in one way."""
    from adjudge.data.selection import one_protocol

    if not len(table):
        raise NotEnoughData(
            "no judgements of whole sentences; name a file of them (`sentences`), or give the "
            "export of a campaign that asked for both"
        )
    return one_protocol(table)


def _of_pair(table: "pl.DataFrame", database: "SegmentDatabase", databases: int) -> "pl.DataFrame":
    """The sentences of the database's language pair; the only one, whatever it is called."""
    import polars as pl

    pairs = sorted(map(str, table["pair"].unique()))
    if databases == 1 and len(pairs) == 1:
        return table
    if database.pair not in pairs:
        raise NotEnoughData(
            f"{database.pair}: the sentences are of {', '.join(pairs)}; choose one with `pair`"
        )
    return table.filter(pl.col("pair").cast(pl.String) == database.pair)
