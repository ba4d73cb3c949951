"""Texts: outputs of systems beside references, and the questions metrics answer about them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adjudge.door.result import Result
from adjudge.door.signature import Signature
from adjudge.errors import BadParameter
from adjudge.files.input_file import InputFile
from adjudge.statistics.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.metrics.material import Material
    from adjudge.metrics.measured import Measured
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.paired import PairedTest
    from adjudge.metrics.reference_study import ReferenceStudy
    from adjudge.metrics.segment_scores import SegmentScores
    from adjudge.metrics.standing import MetricScores
    from adjudge.statistics.resampling import Unit

USUAL = ("bleu", "chrf", "ter")  # sacrebleu's three
STUDIED = ("bleu(tokenize=mteval-intl)", "nist(tokenize=mteval-intl)")  # as in WMT13


@dataclass(frozen=True, eq=False, repr=False)
class Texts:
    """Outputs of systems and their references, as `adjudge.read_texts` gives them."""

    material: "Material"
    hash: str
    files: Mapping[str, Any] = field(default_factory=dict)  # how `again` reads them
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
        from adjudge.metrics.standing import metric_scores

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
        from adjudge.metrics.paired import paired_tests

        resampling = Resampling(unit, replicates, seed, level)
        chosen = metrics_named(metric)
        parts = paired_tests(self._measured(chosen), resampling)
        return self._result("paired", chosen, parts, parts[0].resampling)

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

    def references(
        self,
        human: str | Sequence[str],
        metric: "str | Metric | Iterable[str | Metric]" = STUDIED,
        *,
        sentences: Sequence[int] = (),
        probes: int = 100,
        seed: int = 1,
    ) -> "Result[ReferenceStudy]":
        """Correlation of metrics with people by number of references and sentences (WMT13 §5).

        Parameters
        ----------
        human : str or sequence of str
            Files of judgements or scores by people (docs/formats.md) of the same systems.
        metric : str or iterable of str
            As for `metrics`; by default BLEU and NIST.
        sentences : sequence of int
            How many sentences are drawn; by default some sizes, and all.
        probes : int
            How often they are drawn.
        seed : int
            The same seed draws the same.

        Returns
        -------
        Result
            One `ReferenceStudy` for every metric, number of references and of sentences.

        Raises
        ------
        NotEnoughData
            If people scored fewer than three of the systems.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "votes.csv")
        >>> with open(path, "w") as file:
        ...     _ = file.write("model_a,model_b,winner\\nA,B,model_a\\nB,C,model_a\\nA,C,tie\\n")
        >>> outputs = {"A": ["a b c", "d e"], "B": ["a b", "d e"], "C": ["a", "d"]}
        >>> texts = adjudge.from_texts(outputs, [["a b c", "d e"], ["a b", "e"]])
        >>> study = texts.references(path, "chrf", probes=10)
        >>> [part.references for part in study]
        [1, 2]
        """
        from adjudge.door.reading import read
        from adjudge.errors import within
        from adjudge.metrics.reference_study import study_references

        within(probes, "probes", 2)
        paths = [human] if isinstance(human, str) else list(human)
        judged = read(*paths)
        ranking = judged.rank()[0]
        people = dict(zip(ranking.systems, map(float, ranking.scores), strict=True))
        chosen = metrics_named(metric)
        parts = study_references(self.material, chosen, people, sentences, probes, seed)
        asked = {
            "human": f"sha256-{judged.hash}",
            "metric": [str(each) for each in chosen],
            "sentences": sorted({part.sentences for part in parts}),
            "probes": probes,
            "seed": seed,
        }
        signature = Signature("texts.references", self.files, asked, f"sha256-{self.hash}")
        return Result(tuple(parts), signature)

    def _measured(self, metrics: "Sequence[Metric]") -> "list[Measured]":
        """What the metrics count, each once however often it is asked for."""
        from adjudge.metrics.measured import measure

        new = [metric for metric in metrics if str(metric) not in self._counted]
        for measured in measure(self.material, new):
            self._counted[str(measured.metric)] = measured
        return [self._counted[str(metric)] for metric in metrics]

    def _result(
        self,
        verb: str,
        metrics: "Sequence[Metric]",
        parts: Sequence[Any],
        resampling: Resampling | None = None,
    ) -> Result[Any]:
        asked: dict[str, Any] = {"metric": [str(metric) for metric in metrics]}
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

    @cached_property
    def _html(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>"

    def _repr_html_(self) -> str:
        return self._html


def read_texts(
    system: Mapping[str, str] | None = None,
    reference: str | Sequence[str] = (),
    *,
    documents: str | None = None,
    testset: str | None = None,
    pair: str | None = None,
) -> Texts:
    """Read outputs of systems and references, for metrics.

    Parameters
    ----------
    system : mapping of str to str
        A file for the name of every system: plain text, a segment a line, or WMT XML.
    reference : str or sequence of str
        The file of the reference, or of several.
    documents : str, optional
        A file that names the document of every segment (docs/campaigns.md).
    testset : str, optional
        Instead of all that: a WMT XML file, or a folder in mt-metrics-eval's layout.
    pair : str, optional
        Which language pair of the folder; with files, what to call theirs.

    Returns
    -------
    Texts

    Raises
    ------
    InputError
        If a file cannot be read, or has not as many lines as the reference.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> for name, text in {"ref": "the cat sat", "A": "a cat sat"}.items():
    ...     with open(os.path.join(folder, name), "w") as file:
    ...         _ = file.write(text)
    >>> adjudge.read_texts({"A": os.path.join(folder, "A")}, os.path.join(folder, "ref"))
    1 segments, 1 systems, 1 references
    """
    from dataclasses import replace

    from adjudge.metrics import material as reading

    references = [reference] if isinstance(reference, str) else list(reference)
    if testset is not None:
        if system or references or documents:
            raise BadParameter("`testset` has references and systems; give it alone")
        return _known_by_content(reading.read_testset(testset, pair))
    systems = dict(system or {})
    given = reading.read_files(references, systems, documents)
    paths = [*references, *systems.values(), *([] if documents is None else [documents])]
    digest = hashlib.sha256("\n".join(InputFile(path).sha256 for path in paths).encode())
    files = {
        "system": list(systems),
        "references": len(references),
        **({} if documents is None else {"documents": True}),
        **({"pair": pair} if pair else {}),
    }
    return Texts(replace(given, pair=pair or ""), digest.hexdigest(), files)


def from_texts(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    documents: Sequence[str] | None = None,
    pair: str = "",
) -> Texts:
    """Outputs of systems and references in memory, for metrics.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        The lines of every system.
    references : sequence of sequences of str
        The lines of every reference.
    documents : sequence of str, optional
        The document of every line.
    pair : str
        The language pair, such as "en-de".

    Returns
    -------
    Texts

    Raises
    ------
    InputError
        If a text has not as many lines as the first reference.

    Examples
    --------
    >>> import adjudge
    >>> adjudge.from_texts({"A": ["a cat sat"]}, [["the cat sat"]]).systems
    ('A',)
    """
    from dataclasses import replace

    from adjudge.metrics.material import checked
    from adjudge.texts.testset import Column

    if isinstance(references, str) or any(isinstance(lines, str) for lines in references):
        raise BadParameter("`references` holds one list of lines for every reference")
    columns = [
        Column(f"reference {number}", tuple(map(str, lines)))
        for number, lines in enumerate(references, 1)
    ]
    named = {name: Column(name, tuple(map(str, lines))) for name, lines in systems.items()}
    given = checked(columns, named, None if documents is None else tuple(documents))
    return _known_by_content(replace(given, pair=pair))


def _known_by_content(given: "Material") -> Texts:
    digest = hashlib.sha256()
    for lines in (*given.references, *given.systems.values(), given.documents or ()):
        digest.update("\n".join(lines).encode("utf-8", "surrogatepass") + b"\0")
    digest.update("\0".join(given.systems).encode())
    return Texts(given, digest.hexdigest())


def metrics_named(metric: "str | Metric | Iterable[str | Metric]") -> "list[Metric]":
    """One metric or several, by name or signature, each once."""
    from adjudge.metrics.metric import Metric, metric_named

    given = [metric] if isinstance(metric, str | Metric) else list(metric)
    if not given:
        raise BadParameter("name a `metric`; `adjudge.METRICS` lists them")
    return list(dict.fromkeys(metric_named(each) for each in given))
