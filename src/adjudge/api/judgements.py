"""Judgements: rankings of outputs, and every question one can put to them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adjudge.api.metaeval import MetaevalQuestions
from adjudge.api.ranking import RankingQuestions
from adjudge.api.reliability import TrustQuestions
from adjudge.api.result import Plot, Result
from adjudge.core.errors import BadParameter
from adjudge.core.options import question
from adjudge.report.analysis import Analysis, Settings, analyse
from adjudge.report.options import ReportOptions

if TYPE_CHECKING:
    from adjudge.api.segments import Segments
    from adjudge.data.comparisons import Outputs
    from adjudge.data.summary import Summaries
    from adjudge.metaeval.assisted.result import Assisted
    from adjudge.simulation.campaign import Truth


@dataclass(frozen=True, eq=False, repr=False)
class Judgements(RankingQuestions, TrustQuestions, MetaevalQuestions):
    """Rankings by people: what `adjudge.read` gives for a file of rankings or votes.

    Every question takes its parameters by the names of the command line's options, asks each
    language pair by itself, and gives a `Result`.

    Examples
    --------
    >>> import adjudge
    >>> judgements = adjudge.simulate(systems=4, rankings=300, seed=1)
    >>> ranking = judgements.rank(replicates=200)
    >>> ranking.rank.tolist()
    [1, 2, 3, 4]
    """

    def info(self, outputs: "Outputs" = "expanded") -> "Result[Summaries]":
        """What is in them: pairs, protocols, systems, judges, rankings, ties, missing labels.

        Parameters
        ----------
        outputs : {"expanded", "collapsed"}
            Does an output of several systems count for each of them, or as one candidate?

        Returns
        -------
        Result
            The `Summaries` of all language pairs and protocols.

        Examples
        --------
        >>> import adjudge
        >>> adjudge.simulate(systems=4, rankings=100, seed=1).info().to_frame()["systems"].item()
        4
        """
        from adjudge.data.summary import summarise_all

        return self._result("info", {"outputs": outputs}, [summarise_all(self.table, outputs)])

    def assisted(
        self,
        metric_scores: str | Iterable[str],
        *,
        metric: str | None = None,
        lower: bool = False,
        documents: str | None = None,
        outputs: "Outputs" = "expanded",
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[Assisted]":
        """Expected wins by people, who judged some segments, and a metric, which scored all.

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
        outputs, seed, level
            As for `rank`.

        Returns
        -------
        Result
            One `Assisted` a language pair, people alone beside both together.

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
        >>> judgements = adjudge.from_comparisons(
        ...     ["A"] * 20, ["B"] * 20, ["left", "tie", "left", "right"] * 5, segment=range(1, 21)
        ... )
        >>> judgements.assisted(path).systems
        ('A', 'B')
        """
        from adjudge.api.assisted import assist_rankings, metric_files

        files = metric_files(metric_scores, metric, lower, documents)
        settings = Settings(seed=seed, level=level, outputs=outputs)
        comparisons = [analysis.comparisons for analysis in self._analyses(settings)]
        parts = assist_rankings(comparisons, files, settings.resampling)
        asked = {"outputs": outputs, "seed": seed, "level": level}
        return self._result("assisted", {**asked, **files.asked()}, parts)

    def segments(self) -> "Segments":
        """The database of ranked segments that they make (Macháček 2014 §3).

        Returns
        -------
        Segments
            Its questions are about segments and about systems that nobody judged.

        Examples
        --------
        >>> import adjudge, polars as pl
        >>> frame = pl.DataFrame({"output": ["A", "B"], "rank": [1, 2], "text": ["a", "b"]})
        >>> judgements = adjudge.from_rankings(
        ...     frame.with_columns(
        ...         pair=pl.lit("en-cs"),
        ...         protocol=pl.lit("segments"),
        ...         segment=pl.lit("1:0,1,2"),
        ...         ranking=pl.lit(1),
        ...     )
        ... )
        >>> judgements.segments().info().candidates
        2
        """
        from adjudge.api.segments import Segments

        return Segments(self)

    def write(self, path: str, to: str | None = None) -> tuple[str, ...]:
        """Write the judgements to a file, whole or not at all.

        Parameters
        ----------
        path : str
            Its ending names the format; .gz, .bz2, .zst and .xz compress.
        to : str, optional
            The format (docs/formats.md), whatever the ending.

        Returns
        -------
        tuple of str
            What the format has no place for and was left out.

        Raises
        ------
        BadParameter
            If there is no such format.
        AdjudgeError
            If the format cannot express these judgements.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.write(os.path.join(tempfile.mkdtemp(), "judgements.jsonl.gz"))
        ()
        """
        from adjudge.data.table_files import format_for, not_carried, write

        write(self.table, path, to)
        return tuple(not_carried(self.table, format_for(path, to)))

    @question(ReportOptions)
    def report(self, options: ReportOptions) -> None:
        """Write the whole report: ranking, figures, agreement, diagnosis, method, data.

        Raises
        ------
        BadParameter
            If a parameter value is invalid.
        NotEnoughData
            If no language pair can be ranked.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
        >>> judgements.report(path, runs=2)
        >>> os.path.exists(path)
        True
        """
        from adjudge.api.report_texts import given_texts
        from adjudge.api.reports import write_report_of

        given = given_texts(options.texts, options.metric)
        write_report_of(self, options.path, Settings.of(options), options.title, options.to, given)

    def plot(self, name: str = "scores", **settings: Any) -> Plot:
        """One figure of the report; for `settings` see `rank`.

        Parameters
        ----------
        name : str
            The figure (docs/figures.md).

        Returns
        -------
        Plot
            Shows itself in a notebook; `save(path)` writes SVG, PDF or PNG.

        Raises
        ------
        BadParameter
            If there is no such figure, or several language pairs: `select` one.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.plot("scores")
        Plot(name='scores')
        """
        from adjudge.report.figures import FIGURES

        figure = FIGURES.named(name)
        analyses = self._drawn_from(Settings(**settings), figure.of_times)
        if len(analyses) != 1:
            raise BadParameter(
                f"a figure is of one language pair; choose one with `pair`: {', '.join(self.pairs)}"
            )
        return Plot(figure, analyses[0])

    def _drawn_from(self, settings: Settings, of_times: bool) -> tuple[Analysis, ...]:
        # Only time can be told of several protocols at once.
        return tuple(analyse(self.table, settings)) if of_times else self._analyses(settings)

    def __repr__(self) -> str:
        return repr(self.info())

    def _repr_html_(self) -> str:
        return self.info()._repr_html_()


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedJudgements(Judgements):
    """Judgements of a simulated campaign, and what is true of it.

    Attributes
    ----------
    truth : Truth
        The systems' true qualities and expected wins, and the judges as they were drawn.
    """

    truth: "Truth" = field(kw_only=True)
