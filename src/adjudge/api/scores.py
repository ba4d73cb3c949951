"""Scores: judgements on a scale, and the questions one can put to them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from adjudge.api.judgements import Judgements
from adjudge.api.metaeval import MetaevalQuestions
from adjudge.api.per_pair import answers
from adjudge.api.result import Result
from adjudge.api.table_data import names_of
from adjudge.core.errors import NotEnoughData, one_of
from adjudge.data.selection import Names
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    import polars as pl

    from adjudge.api.texts import Texts
    from adjudge.metaeval.assisted.result import Assisted
    from adjudge.metrics.metric import Metric
    from adjudge.scoring.agreement import ScoreAgreement
    from adjudge.scoring.method import OfficialRanking
    from adjudge.scoring.span_agreement import SpanAgreement
    from adjudge.scoring.system_scores import SystemScores
    from adjudge.stats.resampling import Unit


_IMPLIED = (
    "Made from scores: of two outputs of a segment, the one with the judge's higher score counts "
    "as better. `adjudge scores` compares the scores themselves, and writes them (`--write`)."
)


def _drawn(resampling: Resampling) -> dict[str, Any]:
    """What is drawn, as a signature names it."""
    names = ("unit", "replicates", "seed", "level")
    return {name: getattr(resampling, name) for name in names}


@dataclass(frozen=True, eq=False, repr=False)
class Scores(MetaevalQuestions):
    """Scores by people: adequacy and fluency, direct assessment, marked errors (MQM).

    What `adjudge.read` gives for a file of scores. Where errors are marked, MQM's score of them
    is a scale of its own.
    """

    kind: ClassVar[str] = "scores"

    @property
    def scales(self) -> tuple[str, ...]:
        """The scales, in the order of their names."""
        return tuple(sorted(map(str, self._table()["scale"].unique().drop_nulls())))

    def rank(
        self,
        *,
        scale: Names = (),
        normalise: str | None = None,
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[SystemScores]":
        """Systems by their adjusted or mean score, with intervals, rank ranges and clusters.

        Parameters
        ----------
        scale : str or iterable of str
            Only these scales.
        normalise : {"raw", "wmt07", "z"}, optional
            How scores are normalised per judge. By default "raw" with `unit="auto"`, where a mixed
            model adjusts for judges; else "z" where judges are known, but "raw" for MQM and for
            scores that are standardised already.
        unit : {"auto", "none", "item", "hit", "segment", "document", "judge"}
            What the result is to hold for. "auto": other judges and documents, as far as the
            scores tell; scores are adjusted for both. Else what a bootstrap draws.
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            One `SystemScores` a language pair and scale.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If no score is left.

        Examples
        --------
        >>> import adjudge
        >>> scores = adjudge.from_scores(
        ...     system=["A", "B", "A", "B"], segment=["1", "1", "2", "2"], score=[90, 70, 80, 75]
        ... )
        >>> scores.rank(replicates=100).systems
        ('A', 'B')
        """
        from adjudge.scoring.cells import SCORE_UNITS

        one_of(unit, ("auto", *SCORE_UNITS), "unit")
        resampling = Resampling(unit, replicates, seed, level)
        asked = {"scale": list(names_of(scale)), "normalise": normalise, **_drawn(resampling)}
        parts, lacking = answers(self._rankings(scale, normalise, resampling))
        return self._result("rank", asked, parts, unanswered=lacking)

    def official(
        self, method: str, *, domains: Mapping[str, str] | None = None, scale: Names = ()
    ) -> "Result[OfficialRanking]":
        """Systems as an official analysis ranks them, for comparison with what was published.

        Parameters
        ----------
        method : {"mqm", "wmt22-da", "wmt24-esa"}
            The analysis.
        domains : mapping of str to str, optional
            The domain of every document, which "wmt24-esa" needs.
        scale : str or iterable of str
            Only these scales.

        Returns
        -------
        Result
            One `OfficialRanking` a language pair and scale.

        Raises
        ------
        BadParameter
            If the method is unknown, or needs the domains of documents.
        NotEnoughData
            If no score is left.

        Examples
        --------
        >>> import adjudge
        >>> scores = adjudge.from_scores(
        ...     system=["A", "B", "A", "B"], segment=["1", "1", "2", "2"], score=[90, 70, 80, 75]
        ... )
        >>> scores.official("wmt22-da").systems
        ('A', 'B')
        """
        from adjudge.scoring.method import SCORE_METHODS, official_ranking

        chosen = SCORE_METHODS.named(method)
        found = [official_ranking(chosen, *part, domains) for part in self._parts(scale)]
        asked: dict[str, Any] = {"scale": list(names_of(scale)), "method": chosen.name}
        if domains is not None:
            asked["domains"] = dict(sorted(domains.items()))
        return self._result("official", asked, found)

    def assisted(
        self,
        metric_scores: str | Iterable[str],
        *,
        metric: str | None = None,
        lower: bool = False,
        documents: str | None = None,
        scale: Names = (),
        normalise: str | None = None,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[Assisted]":
        """Systems by people, who scored some segments, and a metric, which scored all.

        Intervals are right however bad the metric is, and narrower where it goes with people, if
        the judged segments are a chance choice of all.

        Parameters
        ----------
        metric_scores : str or iterable of str
            Files of the metric's scores of all segments (`METRIC.seg.score`).
        metric : str, optional
            Which metric, where the files hold several.
        lower : bool
            Lower scores of the metric are better.
        documents : str, optional
            A file with the document of every segment; mt-metrics-eval's is found beside the
            scores.
        scale, normalise, seed, level
            As for `rank`.

        Returns
        -------
        Result
            One `Assisted` a language pair and scale, people alone beside both together.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If the metric scores none of these systems, or other segments.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "chrf.seg.score")
        >>> outputs = {"A": ["a cat sat", "a dog", "no"] * 9, "B": ["cats", "a dog", "yes"] * 9}
        >>> texts = adjudge.from_texts(outputs, [["the cat sat", "a dog", "no"] * 9])
        >>> _ = texts.write_scores(os.path.dirname(path), "chrf")
        >>> segments = [1 + row // 2 for row in range(24)]
        >>> scores = adjudge.from_scores(["A", "B"] * 12, segments, [80, 60, 90, 90, 75, 55] * 4)
        >>> scores.assisted(path).systems
        ('A', 'B')
        """
        from adjudge.api.assisted import assist_scores, metric_files

        files = metric_files(metric_scores, metric, lower, documents)
        resampling = Resampling("auto", seed=seed, level=level)
        parts = assist_scores(self._parts(scale), files, normalise, resampling)
        asked = {"scale": list(names_of(scale)), "normalise": normalise, "seed": seed}
        return self._result("assisted", {**asked, "level": level, **files.asked()}, parts)

    def agreement(
        self,
        *,
        scale: Names = (),
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[ScoreAgreement]":
        """How far judges agree on scores.

        Parameters
        ----------
        scale : str or iterable of str
            Only these scales.
        unit : {"auto", "segment", "judge"}
            What the intervals are to hold for. "auto": other judges and texts, as far as the
            labels tell. Else what a bootstrap draws.
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            Empty where no two judges scored the same output.

        Raises
        ------
        NotEnoughData
            If no score is left.

        Examples
        --------
        >>> import adjudge
        >>> scores = adjudge.from_scores(["A", "B"], [1, 1], [90, 70], judge=["ann", "bob"])
        >>> sorted(set(scores.agreement(replicates=20).to_frame()["of"]))
        ['ranks', 'values']
        """
        from adjudge.agreement.intervals import agreement_resampling

        resampling = agreement_resampling(Resampling(unit, replicates, seed, level))
        asked = {"scale": list(names_of(scale)), **_drawn(resampling)}
        agreed = self._agreed(scale, resampling)
        return self._result("agreement", asked, agreed, {"resampling": resampling})

    def span_agreement(
        self, *, unit: "Unit" = "auto", level: float = 0.95
    ) -> "Result[SpanAgreement]":
        """How far judges agree on where errors are.

        Parameters
        ----------
        unit : {"auto", "segment", "judge"}
            What the intervals are to hold for, as for `agreement`; nothing is drawn.
        level : float
            Confidence level of the intervals.

        Returns
        -------
        Result
            Empty where no two judges marked the same output.

        Examples
        --------
        >>> import adjudge
        >>> scores = adjudge.from_scores(["A", "B"], [1, 1], [90, 70], judge=["ann", "bob"])
        >>> len(scores.span_agreement())
        0
        """
        from adjudge.agreement.intervals import agreement_resampling

        resampling = agreement_resampling(Resampling(unit, level=level))
        return self._result(
            "span_agreement",
            {"unit": resampling.unit, "level": level},
            self._agreed_on_spans(resampling),
            {"resampling": resampling},
        )

    def report(
        self,
        path: str,
        *,
        title: str | None = None,
        scale: Names = (),
        normalise: str | None = None,
        unit: "Unit" = "auto",
        replicates: int = 1000,
        level: float = 0.95,
        seed: int = 1,
        to: str | None = None,
        texts: "Texts | None" = None,
        metric: "str | Metric | Iterable[str | Metric] | None" = None,
    ) -> None:
        """Write a report: systems by their scores, every two of them, agreement, method.

        Parameters
        ----------
        path : str
            Ends in .html (one page that needs nothing else), .tex or .md.
        title : str, optional
            The heading.
        scale, normalise, unit, replicates, level, seed
            As for `rank`.
        to : {"html", "latex", "markdown"}, optional
            What is written, whatever the ending.
        texts, metric
            As for `Judgements.report`: the systems' outputs, for a part on metrics.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If no score is left.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> scores = adjudge.from_scores(
        ...     system=["A", "B", "A", "B"], segment=["1", "1", "2", "2"], score=[90, 70, 80, 75]
        ... )
        >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
        >>> scores.report(path, replicates=50)
        >>> os.path.exists(path)
        True
        """
        from adjudge.api.report_texts import given_texts
        from adjudge.api.reports import write_score_report

        asked = {
            "scale": names_of(scale),
            "normalise": normalise,
            "unit": unit,
            "replicates": replicates,
            "level": level,
            "seed": seed,
        }
        write_score_report(self, path, asked, title, to, given_texts(texts, metric))

    def as_judgements(self) -> Judgements:
        """The rankings that the scores imply, for every question about rankings.

        Returns
        -------
        Judgements

        Examples
        --------
        >>> import adjudge
        >>> scores = adjudge.from_scores(["A", "B"], [1, 1], [90, 70], judge=["ann", "bob"])
        >>> scores.as_judgements().systems
        ('A', 'B')
        """
        from adjudge.data.scores_as_rankings import implied_rankings

        remark = " ".join(filter(None, (self.source.remark, _IMPLIED)))
        return Judgements(implied_rankings(self.table), replace(self.source, remark=remark))

    def write(self, path: str) -> None:
        """Write the scores to a file, whole or not at all.

        Parameters
        ----------
        path : str
            .jsonl, .parquet, marked errors as WMT's .tsv, or means as mt-metrics-eval's
            PAIR.SCALE.seg.score and PAIR.SCALE.sys.score.

        Raises
        ------
        AdjudgeError
            If the ending names no format of scores.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> scores = adjudge.from_scores(["A", "B"], [1, 1], [90, 70], judge=["ann", "bob"])
        >>> scores.write(os.path.join(tempfile.mkdtemp(), "scores.jsonl"))
        """
        from adjudge.data.table_files import write

        write(self.table, path)

    def _rankings(
        self, scale: Names, normalise: str | None, resampling: Resampling
    ) -> "list[tuple[str, Callable[[], SystemScores]]]":
        """By language pair and scale, what ranks its systems."""
        from adjudge.scoring.score_matrix import code
        from adjudge.scoring.system_scores import system_scores

        def ranked(part: "tuple[str, str, pl.DataFrame]") -> "SystemScores":
            return system_scores(code(*part), normalise, resampling)

        return [(f"{part[0]}, {part[1]}", partial(ranked, part)) for part in self._parts(scale)]

    def _agreed(self, scale: Names, resampling: Resampling) -> "list[ScoreAgreement]":
        from adjudge.scoring.agreement import score_agreement

        parts = self._parts(scale)
        return [result for part in parts for result in score_agreement(*part, resampling)]

    def _agreed_on_spans(self, resampling: Resampling) -> "Sequence[SpanAgreement]":
        from adjudge.scoring.span_agreement import span_agreement

        return span_agreement(self._table(), resampling)

    def _table(self) -> "pl.DataFrame":
        from adjudge.data.mqm import with_mqm

        return with_mqm(self.table)

    def _parts(self, scale: Names) -> "list[tuple[str, str, pl.DataFrame]]":
        from adjudge.data.selection import require
        from adjudge.scoring.score_matrix import by_scale

        scales = names_of(scale)
        require(scales, self.scales, "scale")
        parts = [part for part in by_scale(self._table()) if not scales or part[1] in scales]
        if not parts:
            raise NotEnoughData("no score is left, only skipped items; ask for less")
        return parts

    def __repr__(self) -> str:
        return (
            f"{len(self):,} scores of {len(self.systems)} systems by {len(self.judges)} judges; "
            f"pairs: {', '.join(self.pairs)}; scales: {', '.join(self.scales)}"
        )

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>"
