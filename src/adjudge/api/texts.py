"""Texts: outputs of systems beside references, and the questions metrics answer about them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adjudge.api.metric_names import metrics_named
from adjudge.api.reference_questions import ReferenceQuestions
from adjudge.api.result import Result
from adjudge.core.errors import BadParameter
from adjudge.core.parallel import Engine
from adjudge.core.signature import Signature
from adjudge.data.source import TextSource
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.api.metric_scores import MetricScoreFiles
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.metric_inputs import Material
    from adjudge.metrics.paired_tests import PairedTest
    from adjudge.metrics.segment_scores import SegmentScores
    from adjudge.metrics.sufficient_statistics import Measured
    from adjudge.metrics.system_scores import MetricScores
    from adjudge.stats.resampling import Unit

USUAL = ("bleu", "chrf", "ter")  # sacrebleu's three


@dataclass(frozen=True, eq=False, repr=False)
class Texts(ReferenceQuestions):
    """Outputs of systems and their references, as `adjudge.read_texts` gives them."""

    material: "Material"
    hash: str
    files: Mapping[str, Any] = field(default_factory=dict)  # how `again` reads them
    source: TextSource = field(default_factory=TextSource)
    workers: int = 1  # processes for metrics that are slow
    _counted: dict[str, "Measured"] = field(default_factory=dict, init=False)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order they were given."""
        return tuple(self.material.systems)

    def metrics(
        self,
        metric: "str | Metric | Iterable[str | Metric]" = USUAL,
        *,
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[MetricScores]":
        """Systems by every metric, with intervals, rank ranges and clusters.

        Parameters
        ----------
        metric : str or iterable of str
            Metrics by name or signature: "bleu", "bleu(tokenize=intl)".
        unit : {"auto", "segment", "document", "none"}
            What the bootstrap draws; by default documents where ten or more are known.
        replicates, seed, level
            As for `Judgements.rank`.

        Returns
        -------
        Result
            One `MetricScores` a metric.

        Raises
        ------
        BadParameter
            If there is no such metric or parameter.
        NotEnoughData
            If there is only one unit to draw.

        Examples
        --------
        >>> import adjudge
        >>> texts = adjudge.from_texts(
        ...     {"A": ["the cat sat", "a dog"], "B": ["cat the sat", "dogs"]},
        ...     [["the cat sat", "a dog ran"]],
        ... )
        >>> texts.metrics("chrf", replicates=50).systems
        ('A', 'B')
        """
        from adjudge.metrics.system_scores import metric_scores

        resampling = Resampling(unit, replicates, seed, level)
        chosen = metrics_named(metric)
        parts = [metric_scores(each, resampling) for each in self._measured(chosen)]
        return self._result("metrics", chosen, parts, parts[0].resampling)

    def paired(
        self,
        metric: "str | Metric | Iterable[str | Metric]" = USUAL,
        *,
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[PairedTest]":
        """Every two systems by every metric: paired bootstrap and approximate randomisation.

        Parameters
        ----------
        metric, unit, replicates, seed, level
            As for `metrics`.

        Returns
        -------
        Result
            One `PairedTest` for every two systems and metric, p adjusted over all of them.

        Raises
        ------
        BadParameter
            If there are fewer than two systems, or there is no such metric or parameter.

        Examples
        --------
        >>> import adjudge
        >>> texts = adjudge.from_texts(
        ...     {"A": ["the cat sat", "a dog"], "B": ["cat the sat", "dogs"]},
        ...     [["the cat sat", "a dog ran"]],
        ... )
        >>> texts.paired("chrf", replicates=50).system
        'A'
        """
        from adjudge.metrics.paired_tests import paired_tests

        resampling = Resampling(unit, replicates, seed, level)
        chosen = metrics_named(metric)
        parts = paired_tests(self._measured(chosen), resampling)
        return self._result("paired", chosen, parts, parts[0].resampling)

    def metric_scores(
        self, metric: "str | Metric | Iterable[str | Metric]" = USUAL
    ) -> "MetricScoreFiles":
        """What metrics say of these texts, to be set beside people.

        Parameters
        ----------
        metric : str or iterable of str
            As for `metrics`.

        Returns
        -------
        MetricScoreFiles

        Examples
        --------
        >>> import adjudge
        >>> texts = adjudge.from_texts({"A": ["the cat sat"]}, [["the cat sat"]])
        >>> texts.metric_scores("ter").submissions[0].turned
        True
        """
        from adjudge.api.metric_scores import metric_scores_of

        return metric_scores_of(self, metric)

    def segment_scores(
        self, metric: "str | Metric | Iterable[str | Metric]" = USUAL
    ) -> "Result[SegmentScores]":
        """The score of every segment.

        Parameters
        ----------
        metric : str or iterable of str
            As for `metrics`.

        Returns
        -------
        Result
            One `SegmentScores` a metric.

        Raises
        ------
        BadParameter
            If there is no such metric or parameter.

        Examples
        --------
        >>> import adjudge
        >>> texts = adjudge.from_texts({"A": ["the cat sat"]}, [["the cat sat"]])
        >>> texts.segment_scores("chrf").to_frame()["score"].to_list()
        [100.0]
        """
        from adjudge.metrics.segment_scores import SegmentScores

        chosen = metrics_named(metric)
        parts = [SegmentScores(each) for each in self._measured(chosen)]
        return self._result("segment_scores", chosen, parts)

    def write_scores(
        self,
        folder: str,
        metric: "str | Metric | Iterable[str | Metric]" = USUAL,
        layout: str = "mt-metrics-eval",
    ) -> list[str]:
        """Write METRIC.seg.score and METRIC.sys.score, as the metrics tasks of WMT keep them.

        Parameters
        ----------
        folder : str
            Where the files go; it is made if need be.
        metric : str or iterable of str
            As for `metrics`.
        layout : {"mt-metrics-eval", "wmt14"}
            Which columns the files have.

        Returns
        -------
        list of str
            The paths of the files.

        Raises
        ------
        BadParameter
            If there is no such metric or layout.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> texts = adjudge.from_texts({"A": ["the cat sat"]}, [["the cat sat"]])
        >>> paths = texts.write_scores(tempfile.mkdtemp(), "chrf")
        >>> [os.path.basename(path) for path in paths]
        ['chrf.seg.score', 'chrf.sys.score']
        """
        from adjudge.metrics.segment_scores import write_scores

        return write_scores(self._measured(metrics_named(metric)), folder, layout)

    def combined(
        self,
        metric: "str | Metric | Iterable[str | Metric]" = USUAL,
        *,
        weights: Sequence[float] | None = None,
        human: str | Sequence[str] = (),
        scaling: str = "minmax",
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> "Result[MetricScores]":
        """Systems by several metrics at once: the mean of scaled scores of segments.

        Parameters
        ----------
        metric : str or iterable of str
            As for `metrics`.
        weights : sequence of float, optional
            One a metric; by default all the same.
        human : str or sequence of str
            Learn the weights from these judgements or scores by people (docs/formats.md), whose
            segments are called by the numbers of their lines.
        scaling : {"minmax", "z"}
            Every metric from 0 to 1, or with mean 0 and deviation 1.
        unit, replicates, seed, level
            As for `metrics`.

        Returns
        -------
        Result
            One `MetricScores`; its notes say the weights.

        Raises
        ------
        BadParameter
            If weights do not fit the metrics, or both weights and people are given.
        NotEnoughData
            If people preferred no output of these systems.

        Examples
        --------
        >>> import adjudge
        >>> texts = adjudge.from_texts(
        ...     {"A": ["the cat sat", "a dog"], "B": ["cat the sat", "dogs"]},
        ...     [["the cat sat", "a dog ran"]],
        ... )
        >>> texts.combined(["chrf", "ter"], replicates=50).systems
        ('A', 'B')
        """
        from adjudge.api.reading import read_as
        from adjudge.data.comparisons import compare
        from adjudge.metrics.combination import combine, learnt_from, weighing
        from adjudge.metrics.system_scores import metric_scores

        chosen = metrics_named(metric)
        measured = self._measured(chosen)
        paths = [human] if isinstance(human, str) else list(human)
        more: dict[str, Any] = {"scaling": scaling}
        note = "All metrics weigh the same."
        if paths and weights is not None:
            raise BadParameter("give `weights`, or learn them from `human`, not both")
        if paths:
            judged = read_as("judgements", *paths)
            weights, pairs = learnt_from(measured, compare(judged.table), scaling)
            note = f"Weights learnt from {pairs:,} pairs: {weighing(chosen, weights)}."
            more["human"] = f"sha256-{judged.hash}"
        elif weights is not None:
            note = f"Weights: {weighing(chosen, weights)}."
            more["weights"] = list(weights)
        resampling = Resampling(unit, replicates, seed, level)
        part = metric_scores(combine(measured, weights, scaling), resampling)
        part = replace(part, notes=(note, *part.notes))
        return self._result("combined", chosen, [part], part.resampling, more)

    def _measured(self, metrics: "Sequence[Metric]") -> "list[Measured]":
        """What the metrics count, each once however often it is asked for."""
        from adjudge.metrics.sufficient_statistics import measure

        new = [metric for metric in metrics if str(metric) not in self._counted]
        for measured in measure(self.material, new, Engine(self.workers)):
            self._counted[str(measured.metric)] = measured
        return [self._counted[str(metric)] for metric in metrics]

    def _result(
        self,
        verb: str,
        metrics: "Sequence[Metric]",
        parts: Sequence[Any],
        resampling: Resampling | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> Result[Any]:
        asked: dict[str, Any] = {"metric": [str(metric) for metric in metrics], **(more or {})}
        if resampling is not None:
            asked |= {
                "unit": resampling.unit,
                "replicates": resampling.replicates,
                "seed": resampling.seed,
                "level": resampling.level,
            }
        signature = Signature(f"texts.{verb}", self.files, asked, f"sha256-{self.hash}")
        return Result(tuple(parts), signature)

    def __len__(self) -> int:
        return self.material.segments

    def __repr__(self) -> str:
        return (
            f"{len(self):,} segments, {len(self.systems)} systems, "
            f"{len(self.material.references)} references"
        )

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>"
