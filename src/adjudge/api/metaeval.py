"""People beside metrics: the question that judgements and scores share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from adjudge.api.result import Result
from adjudge.api.table_data import Data, names_of
from adjudge.core.errors import BadParameter, NotEnoughData, one_of
from adjudge.core.parallel import Engine
from adjudge.data.selection import Names
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.api.metric_scores import MetricScoreFiles
    from adjudge.metaeval.evaluation import MetaEvaluation
    from adjudge.metaeval.human_scores import HumanScores
    from adjudge.metaeval.metrics_task import MetricsTask
    from adjudge.metaeval.segment_statistics import Grouping, Undefined
    from adjudge.metaeval.task_table import TaskTable
    from adjudge.stats.resampling import Unit
    from adjudge.stats.tests import Correction

LEVELS = ("system", "segment")


class MetaevalQuestions(Data):
    """How well metrics agree with these people."""

    def metaeval(
        self,
        metrics: "MetricScoreFiles",
        *,
        level: str = "system",
        statistic: Names = (),
        tau: Names = (),
        average_by: "Grouping" = "item",
        undefined: "Undefined" = "leave-out",
        method: str = "expected-wins",
        scale: Names = (),
        normalise: str | None = None,
        include_reference: bool = False,
        without_outliers: bool = False,
        leave_out_of_average: Names = (),
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        confidence: float = 0.95,
        correction: "Correction" = "bh",
        test: str = "permutation",
        p_values: bool = False,
        against: str | None = None,
    ) -> "Result[MetaEvaluation]":
        """How well metrics agree with people (Macháček 2014 §4).

        Parameters
        ----------
        metrics : MetricScoreFiles
            What metrics say of the same systems and segments (`adjudge.read_metric_scores`,
            `Texts.metric_scores`).
        level : {"system", "segment"}
            Scores of systems, or of single segments.
        statistic : str or iterable of str
            What is worked out; the first orders the metrics. Of systems "pearson", "spearman",
            "kendall", "kendall-c", "accuracy", "soft-accuracy"; of scores of segments those and
            "accuracy-calibrated", "pearson-differences", "darr", but no "soft-accuracy".
        tau : str or iterable of str
            Of preferences of segments: "wmt14", "wmt12", "wmt13", "hties", or a file with a
            matrix of one's own.
        average_by : {"item", "none", "system"}
            Groups of scores of segments, over which a statistic is averaged.
        undefined : {"leave-out", "zero"}
            What a group counts in which the statistic is not defined.
        method : str
            How rankings become scores of systems (`adjudge.METHODS`).
        scale, normalise
            Of scores by people, as for `Scores.rank`.
        include_reference : bool
            Does the human reference take part as a system?
        without_outliers : bool
            Of systems: beside the whole, once more without systems far from the others by
            people's scores (Mathur 2020).
        leave_out_of_average : str or iterable of str
            Language pairs that do not count in averages.
        unit : str
            What intervals are to hold for: what is drawn. "auto": other judges and texts, as far
            as they are known; "system": other systems; "none".
        replicates, seed, confidence
            How often is drawn, from which seed, and the level of intervals.
        correction : {"bh", "holm", "none"}
            How p of every two metrics is adjusted before clusters are made; WMT used "none".
        test : {"permutation", "williams"}
            How two metrics are told apart at the level of systems: by swapping their scores, or
            by Williams's test of two dependent r.
        p_values : bool
            Show which metric beats which, too: a matrix of p of every two metrics.
        against : str, optional
            A metric beside which every other one is shown, too: differences, of r of systems
            with Zou's interval and Williams's test.

        Returns
        -------
        Result
            One `MetaEvaluation` a language pair and scale.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If people and metrics have fewer than three systems in common.

        Examples
        --------
        >>> import adjudge
        >>> outputs = {"A": ["a b c", "d e f"], "B": ["a b", "d e f"], "C": ["a", "d e"]}
        >>> metrics = adjudge.from_texts(outputs, [["a b c", "d e f"]]).metric_scores("chrf")
        >>> people = adjudge.from_scores(list("ABCABC"), list("111222"), [9, 8, 5, 9, 8, 2])
        >>> round(float(people.metaeval(metrics, unit="none").values[0, 0]), 2)
        0.96
        """
        from adjudge.metaeval import correlations
        from adjudge.metaeval.segment_statistics import GROUPINGS, UNDEFINED
        from adjudge.stats.tests import CORRECTIONS

        one_of(level, LEVELS, "level")
        one_of(average_by, GROUPINGS, "average_by")
        one_of(undefined, UNDEFINED, "undefined")
        one_of(correction, CORRECTIONS, "correction")
        if tau and (statistic or level == "system"):
            raise BadParameter(
                "`tau` is of preferences of segments: give it without `statistic`, with "
                '`level="segment"`'
            )
        if without_outliers and level == "segment":
            raise BadParameter('`without_outliers` is of systems; give it with `level="system"`')
        resampling = Resampling(unit, replicates, seed, confidence)
        asked: dict[str, Any] = {
            "level": level,
            "statistic": list(names_of(statistic)),
            "tau": list(names_of(tau)),
            "average_by": average_by if level == "segment" and not tau else None,
            "undefined": undefined if level == "segment" and not tau else None,
            "method": method if self.kind == "judgements" else None,
            "scale": list(names_of(scale)),
            "normalise": normalise,
            "include_reference": include_reference or None,
            "without_outliers": without_outliers or None,
            "leave_out_of_average": list(names_of(leave_out_of_average)),
            "unit": unit,
            "replicates": replicates,
            "seed": seed,
            "confidence": confidence,
            "correction": correction,
            "test": test if level == "system" else None,
            "p_values": p_values or None,
            "against": against,
            "lower": metrics.source.options.get("lower"),
            "metrics": f"sha256-{metrics.hash}",
        }
        parts = []
        people = self._people(level, tau, method, scale, normalise, resampling)
        for task in self._tasks(people, metrics, include_reference):
            rest = correlations.without_outliers(task) if without_outliers else None
            parts += [
                _evaluated(
                    each, level, statistic, tau, average_by, undefined, resampling, correction, test
                )
                for each in (task, rest)
                if each is not None
            ]
        if against is not None:
            one_of(against, metrics.metrics, "against")
        how = {
            "leave_out_of_average": names_of(leave_out_of_average),
            "p_values": p_values,
            "against": against,
        }
        return self._result("metaeval", asked, parts, how)

    def metaeval_report(
        self,
        path: str,
        metrics: "MetricScoreFiles",
        *,
        title: str | None = None,
        to: str | None = None,
        **asked: Any,
    ) -> None:
        """Write a report on metrics: both levels, with figures and which metric beats which.

        Parameters
        ----------
        path : str
            The file; its ending says what is written: .html, .tex or .md. "-" is standard output.
        metrics : MetricScoreFiles
            What metrics say of the same systems and segments.
        title : str, optional
            The heading of the report.
        to : {"html", "latex", "markdown"}, optional
            What is written, whatever the ending.
        **asked
            As for `metaeval`. The level that `level` does not name has its usual statistics.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If people and metrics have fewer than three systems in common.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> outputs = {"A": ["a b c", "d e f"], "B": ["a b", "d e f"], "C": ["a", "d e"]}
        >>> metrics = adjudge.from_texts(outputs, [["a b c", "d e f"]]).metric_scores("chrf")
        >>> people = adjudge.from_scores(list("ABCABC"), list("111222"), [9, 8, 5, 9, 8, 2])
        >>> people.metaeval_report(os.path.join(tempfile.mkdtemp(), "metrics.html"), metrics)
        """
        from adjudge.api.metaeval_report import write_metaeval_report

        write_metaeval_report(self, path, metrics, asked, title, to)

    def metaeval_table(
        self,
        metrics: "MetricScoreFiles",
        *,
        table: str = "wmt23",
        scale: Names = (),
        normalise: str | None = None,
        include_reference: bool = False,
    ) -> "Result[TaskTable]":
        """Metrics in the order of a published table: by the average of several statistics.

        Parameters
        ----------
        metrics : MetricScoreFiles
            What metrics say of the same systems and segments.
        table : {"wmt23", "wmt24"}
            Of "wmt23" the accuracy and r of systems, r of all segments, and calibrated accuracy
            of segments; of "wmt24" the soft accuracy of systems and the last of these.
        scale, normalise
            Of scores by people, as for `Scores.rank`.
        include_reference : bool
            Does the human reference take part as a system?

        Returns
        -------
        Result
            One `TaskTable` a language pair and scale.

        Raises
        ------
        BadParameter
            If there is no such table.
        NotEnoughData
            If people gave no scores of segments, or too few systems are in both.

        Examples
        --------
        >>> import adjudge
        >>> outputs = {"A": ["a b c", "d e f"], "B": ["a b", "d e f"], "C": ["a", "d e"]}
        >>> metrics = adjudge.from_texts(outputs, [["a b c", "d e f"]]).metric_scores("chrf")
        >>> people = adjudge.from_scores(list("ABCABC"), list("111222"), [9, 8, 5, 9, 8, 2])
        >>> round(float(people.metaeval_table(metrics).average[0]), 2)
        0.91
        """
        from adjudge.metaeval.task_table import TASK_TABLES, task_table

        one_of(table, TASK_TABLES, "table")
        if self.kind == "judgements":
            raise NotEnoughData(
                f"the table of {table.upper()} is of people's scores of segments, not of rankings"
            )
        people = self._people("segment", (), "", scale, normalise, Resampling("none"))
        parts = [
            task_table(task, table) for task in self._tasks(people, metrics, include_reference)
        ]
        asked = {
            "table": table,
            "scale": list(names_of(scale)),
            "normalise": normalise,
            "include_reference": include_reference or None,
            "lower": metrics.source.options.get("lower"),
            "metrics": f"sha256-{metrics.hash}",
        }
        return self._result("metaeval_table", asked, parts)

    def _tasks(
        self,
        people: "Sequence[HumanScores]",
        metrics: "MetricScoreFiles",
        include_reference: bool,
    ) -> "list[MetricsTask]":
        """People beside the metrics of their language pair."""
        from adjudge.metaeval.metrics_task import metrics_task

        tasks = []
        for human in people:
            mine = [each for each in metrics.submissions if each.pair in ("", human.pair)]
            if mine:
                tasks.append(metrics_task(human, mine, include_reference=include_reference))
        if not tasks:
            raise NotEnoughData(
                f"people judged {', '.join(self.pairs)}, the metrics "
                f"{', '.join(sorted({each.pair for each in metrics.submissions}))}; no language "
                "pair is in both"
            )
        return tasks

    def _people(
        self,
        level: str,
        tau: Names,
        method: str,
        scale: Names,
        normalise: str | None,
        resampling: Resampling,
    ) -> "list[HumanScores]":
        from adjudge.data.comparisons import by_pair, compare
        from adjudge.metaeval.human_scores import from_rankings, from_scores

        if self.kind == "scores" and not tau:
            from adjudge.api.scores import Scores

            mine = cast(Scores, self)
            return [from_scores(*part, normalise) for part in mine._parts(scale)]
        judged: Any = self.as_judgements() if self.kind == "scores" else self  # type: ignore[attr-defined]
        asked = resampling
        if level == "segment":  # scores of systems are not used: nothing is drawn for them
            asked = Resampling("none", 1, resampling.seed)
        return [
            from_rankings(compare(part), method, asked, Engine())
            for _, part in by_pair(judged.table)
        ]


def _evaluated(
    task: "MetricsTask",
    level: str,
    statistic: Names,
    tau: Names,
    average_by: "Grouping",
    undefined: "Undefined",
    resampling: Resampling,
    correction: "Correction",
    test: str,
) -> "MetaEvaluation":
    statistics: Sequence[str] = names_of(statistic)
    if level == "system":
        from adjudge.metaeval.system_level import system_level

        return system_level(task, statistics, resampling, correction, test)
    from adjudge.metaeval.segment_level import segment_level, tau_level

    if task.human.preferences is not None:
        return tau_level(task, names_of(tau), resampling, correction)
    return segment_level(task, statistics, average_by, undefined, resampling, correction)
