"""What a database of ranked short segments says of systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.api.segment_evaluation import NewSystemQuestions
from adjudge.api.segment_sentences import SentenceQuestions
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements
    from adjudge.metrics.system_scores import MetricScores
    from adjudge.segments.closest_ranks import Averaged, ClosestRanks
    from adjudge.segments.database import DatabaseSummary, SegmentDatabase
    from adjudge.segments.leave_one_out import LeftOut, Matching
    from adjudge.segments.overall import SegmentRanking


# Formats with a place for texts, ranks and the sentences of segments.
_WRITTEN = (".parquet", ".jsonl", "annotations.tsv", ".json")


@dataclass(frozen=True, eq=False, repr=False)
class Segments(SentenceQuestions, NewSystemQuestions):
    """Ranked candidates of short segments, as `Judgements.segments` gives them.

    Attributes
    ----------
    judgements : Judgements
        The judgements it is made from.
    """

    judgements: "Judgements"

    @cached_property
    def databases(self) -> "list[SegmentDatabase]":
        """One for each language pair."""
        from adjudge.segments.database import databases

        return databases(self.judgements.table)

    def info(self) -> "Result[DatabaseSummary]":
        """How many sentences, segments, annotations and candidates there are.

        Returns
        -------
        Result
            One `DatabaseSummary` a language pair.

        Raises
        ------
        NotEnoughData
            If these are no judgements of segments, or nobody ranked them.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (1, "C", 3, "bb"), (2, "A", 1, "c")]
        >>> rows += [(2, "B", 1, "c"), (2, "C", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...     )
        ... )
        >>> judgements.segments().info().segments
        2
        """
        from adjudge.segments.database import summarise

        return self._result("info", {}, [summarise(database) for database in self.databases])

    def write(self, path: str) -> tuple[str, ...]:
        """Write the database to a file, whole or not at all.

        Parameters
        ----------
        path : str
            Its ending names the format: .parquet and .jsonl hold all of it, annotations.tsv (with
            two tables beside it) and .json are SegRanks's own.

        Returns
        -------
        tuple of str
            What the format has no place for and was left out.

        Raises
        ------
        BadParameter
            If the format could not be read as a database again.

        Examples
        --------
        >>> import adjudge, os, polars as pl, tempfile
        >>> frame = pl.DataFrame({"output": ["A", "B"], "rank": [1, 2], "text": ["a", "b"]})
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.lit("1:0,1,2"),
        ...         ranking=pl.lit(1),
        ...     )
        ... )
        >>> judgements.segments().write(os.path.join(tempfile.mkdtemp(), "database.parquet"))
        ()
        """
        from adjudge.core.errors import BadParameter
        from adjudge.core.files.output import uncompressed_name

        if not uncompressed_name(path).endswith(_WRITTEN):
            raise BadParameter(
                f"{path}: a database of segments has one of the endings {', '.join(_WRITTEN)}"
            )
        return self.judgements.write(path)

    def rank(
        self, *, replicates: int = 1000, seed: int = 1, level: float = 0.95
    ) -> "Result[SegmentRanking]":
        """Systems by the ratio of wins of their segments, whole sentences resampled.

        Parameters
        ----------
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            One `SegmentRanking` a language pair.

        Raises
        ------
        NotEnoughData
            If fewer than two systems are known, or all segments are of one sentence.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (1, "C", 3, "bb"), (2, "A", 1, "c")]
        >>> rows += [(2, "B", 1, "c"), (2, "C", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...     )
        ... )
        >>> judgements.segments().rank(replicates=50).systems
        ('A', 'B', 'C')
        """
        from adjudge.segments.overall import rank_systems

        drawing = Resampling("auto", replicates, seed, level)
        parts = [rank_systems(database, drawing) for database in self.databases]
        return self._result("rank", _drawn(drawing), parts)

    def leave_one_out(
        self,
        *,
        matching: "Matching" = "closest",
        averaged: "Averaged" = "systems",
        left_out: str | Sequence[str] = (),
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[LeftOut]":
        """Take each system for unseen, and score it by what the others made.

        Parameters
        ----------
        matching : {"closest", "exact", "predicted"}
            A candidate has the rank of the nearest one by edit distance, or only that of the
            same text; or the wins and losses that are expected, as learnt from other systems.
        averaged : {"systems", "segments"}
            Where several are as near: the mean rank over the systems that made them (as
            published), or over different texts.
        left_out : str or sequence of str
            Take only these for unseen, by default each.
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            One `LeftOut` a system.

        Raises
        ------
        BadParameter
            If there is no such system or matching.
        NotEnoughData
            If fewer than three systems are known (four, for `predicted`).

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (1, "C", 3, "bb"), (2, "A", 1, "c")]
        >>> rows += [(2, "B", 1, "c"), (2, "C", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...     )
        ... )
        >>> left_out = judgements.segments().leave_one_out(replicates=50)
        >>> [part.system for part in left_out]
        ['A', 'B', 'C']
        """
        from adjudge.segments.leave_one_out import leave_each_out

        drawing = Resampling("auto", replicates, seed, level)
        names = [left_out] if isinstance(left_out, str) else list(left_out)
        parts = [
            part
            for database in self.databases
            for part in leave_each_out(database, matching, drawing, averaged, names)
        ]
        asked = {"matching": matching, "averaged": averaged, "left_out": names, **_drawn(drawing)}
        return self._result("leave_one_out", asked, parts)

    def closest(
        self,
        *,
        averaged: "Averaged" = "systems",
        by: str = "system",
        examples: int = 0,
        seed: int = 1,
    ) -> "Result[ClosestRanks]":
        """Has the nearest candidate the rank of the one it would stand for?

        Parameters
        ----------
        averaged : {"systems", "segments"}
            As for `leave_one_out`.
        by : {"system", "distance"}
            What the printed table tells apart; the frame has both.
        examples : int
            Show so many single candidates instead, drawn at random.
        seed : int
            Draws the examples.

        Returns
        -------
        Result
            One `ClosestRanks` a language pair.

        Raises
        ------
        BadParameter
            If there is no such parameter.
        NotEnoughData
            If fewer than three systems are known.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (1, "C", 3, "bb"), (2, "A", 1, "c")]
        >>> rows += [(2, "B", 1, "c"), (2, "C", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...     )
        ... )
        >>> judgements.segments().closest().misses["closest"].to_list()
        ['b', 'a', 'b', 'c']
        """
        from adjudge.core.errors import one_of, within
        from adjudge.segments.closest_ranks import closest_ranks

        one_of(by, ("system", "distance"), "by")
        within(examples, "examples", 0)
        parts = [closest_ranks(database, averaged) for database in self.databases]
        shown = {"by": by, "examples": examples, "seed": seed}
        return self._result("closest", {"averaged": averaged, **shown}, parts, shown)

    def bleu(
        self,
        system: Mapping[str, str],
        reference: str,
        *,
        lowercase: bool = False,
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[MetricScores]":
        """SegRanksBLEU: BLEU with the best-ranked segments as further references.

        Parameters
        ----------
        system : mapping of str to str
            A file for the name of every system, ranked or unseen, tokenised as the database is.
        reference : str
            The file of the reference. Sentence 7 of the database is its line 7.
        lowercase : bool
            Does case not matter?
        replicates, seed, level
            As for `Judgements.rank`; segments are resampled.

        Returns
        -------
        Result
            One `MetricScores` a language pair.

        Raises
        ------
        InputError
            If the database has a sentence that is no line of the texts.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> rows = [(1, "A", 1, "a"), (1, "B", 2, "b"), (1, "C", 3, "bb"), (2, "A", 1, "c")]
        >>> rows += [(2, "B", 1, "c"), (2, "C", 2, "d")]
        >>> frame = pl.DataFrame(rows, ["ranking", "output", "rank", "text"], orient="row")
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.format("{}:0,1,2", "ranking"),
        ...     )
        ... )
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "reference.txt")
        >>> with open(path, "w") as file:
        ...     _ = file.write("a b c\\nd e f\\n")
        >>> judgements.segments().bleu({"new": path}, path, replicates=50).systems
        ('new',)
        """
        from adjudge.api.text_reading import read_texts
        from adjudge.metrics.system_scores import metric_scores
        from adjudge.segments.segranks_bleu import SegRanksBleu, segranks_bleu

        texts = read_texts(system, reference)
        drawing = Resampling("segment", replicates, seed, level)
        metric = SegRanksBleu(lowercase=lowercase)
        parts = [
            metric_scores(segranks_bleu(database, texts.material, metric), drawing)
            for database in self.databases
        ]
        asked = {
            "lowercase": lowercase,
            "text": list(system),
            "texts": f"sha256-{texts.hash}",
            **_drawn(drawing),
        }
        return self._result("bleu", asked, parts)

    def _result(
        self,
        verb: str,
        asked: Mapping[str, Any],
        parts: Sequence[Any],
        how: Mapping[str, Any] | None = None,
    ) -> Result[Any]:
        return self.judgements._result(f"segments.{verb}", asked, parts, how)

    def __repr__(self) -> str:
        return repr(self.info())

    def _repr_html_(self) -> str:
        return self.info()._repr_html_()


def _drawn(drawing: Resampling) -> dict[str, Any]:
    return {"replicates": drawing.replicates, "seed": drawing.seed, "level": drawing.level}
