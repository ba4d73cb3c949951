"""Scores by metrics, read from files or worked out from texts, to be set beside people."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.core.errors import BadParameter
from adjudge.data.source import TextSource

if TYPE_CHECKING:
    from adjudge.api.texts import Texts
    from adjudge.metaeval.submission import Submission
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True, eq=False, repr=False)
class MetricScoreFiles:
    """What metrics say of systems and segments, as `adjudge.read_metric_scores` gives it."""

    submissions: "tuple[Submission, ...]"
    hash: str
    source: TextSource = field(default_factory=TextSource)  # files, and options that name them

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order they were given."""
        return tuple(dict.fromkeys(each.metric for each in self.submissions))

    def __add__(self, other: "MetricScoreFiles") -> "MetricScoreFiles":
        taken = {(each.metric, each.pair) for each in self.submissions}
        twice = [each.metric for each in other.submissions if (each.metric, each.pair) in taken]
        if twice:
            raise BadParameter(f"{twice[0]} is among the metrics twice; leave one out")
        both = hashlib.sha256(f"{self.hash}\n{other.hash}".encode()).hexdigest()
        source = TextSource(
            (*self.source.files, *other.source.files),
            {**self.source.options, **other.source.options},
        )
        return MetricScoreFiles((*self.submissions, *other.submissions), both, source)

    def __repr__(self) -> str:
        return f"{len(self.metrics)} metrics: {', '.join(self.metrics)}"


def read_metric_scores(
    *paths: str, pair: str | None = None, lower: Iterable[str] = ()
) -> MetricScoreFiles:
    """Read scores by metrics: `*.seg.score` and `*.sys.score` files, or folders of them.

    Parameters
    ----------
    *paths : str
        Files in mt-metrics-eval's layout or that of WMT07 to WMT14, or folders of them.
    pair : str, optional
        The language pair of files that do not name one.
    lower : iterable of str
        Metrics by which lower scores are better. They are turned, and the table says so.

    Returns
    -------
    MetricScoreFiles

    Raises
    ------
    InputError
        If a file holds no scores, or scores something twice.
    BadParameter
        If `lower` names a metric that is not there.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "BLEU.sys.score")
    >>> with open(path, "w") as file:
    ...     _ = file.write("A\\t30.1\\nB\\t28.4\\n")
    >>> adjudge.read_metric_scores(path)
    1 metrics: BLEU
    """
    from adjudge.metaeval.submission import read_submissions, score_files

    turned = list(lower)
    given = read_submissions(paths, pair=pair, lower=turned)
    files = tuple((file.name, file.sha256) for path in paths for file in score_files(path))
    digest = hashlib.sha256("\n".join(each for _, each in files).encode()).hexdigest()
    source = TextSource(files, {"metric_scores": list(paths), "lower": turned})
    return MetricScoreFiles(tuple(given), digest, source)


def metric_scores_of(
    texts: "Texts", metric: "str | Metric | Iterable[str | Metric]"
) -> MetricScoreFiles:
    """Our own metrics of texts, as if they had been read; their directions are known."""
    from adjudge.api.metric_names import metrics_named
    from adjudge.metaeval.submission import Submission

    chosen = metrics_named(metric)
    found: Sequence[Submission] = [
        Submission(
            metric=each.metric.short,
            pair=each.pair,
            systems=each.systems,
            system_scores=each.scores(),
            segments=tuple(str(number + 1) for number in range(each.segments)),
            segment_scores=each.segment_scores().T,
            higher_is_better=each.metric.higher_is_better,
        )
        for each in texts._measured(chosen)
    ]
    named = "\n".join([texts.hash, *map(str, chosen)])
    source = TextSource(
        texts.source.files, {**texts.source.options, "metric": [str(each) for each in chosen]}
    )
    return MetricScoreFiles(tuple(found), hashlib.sha256(named.encode()).hexdigest(), source)
