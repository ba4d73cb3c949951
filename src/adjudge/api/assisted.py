"""Metric-assisted ranking: what people and a metric say together, from their files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadParameter, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.comparisons import Comparisons
    from adjudge.metaeval.assisted.result import Assisted
    from adjudge.metaeval.assisted.segment_matching import KnownTexts
    from adjudge.metaeval.submission import Submission


@dataclass(frozen=True)
class MetricFiles:
    """Where the scores of the metric are, and how they are read."""

    paths: tuple[str, ...]
    metric: str | None = None  # of several
    lower: bool = False  # are lower scores better?
    documents: str | None = None

    def known(self, pair: str, pairs: Sequence[str]) -> "KnownTexts":
        """The scores for one language pair of those that people judged."""
        from adjudge.metaeval.assisted.segment_matching import known_texts

        return known_texts(self._of_pair(pair, pairs), self.documents, self.paths[0])

    def asked(self) -> dict[str, Any]:
        """For a signature: the metric, and hashes of its files."""
        from adjudge.metaeval.submission import score_files

        files = [file for path in self.paths for file in score_files(path)]
        if self.documents is not None:
            files.append(InputFile(self.documents))
        return {
            "metric": self.metric,
            "lower": self.lower,
            "metric_input": [f"sha256-{file.sha256}" for file in files],
        }

    def _of_pair(self, pair: str, pairs: Sequence[str]) -> "Submission":
        """The one metric; files that name no pair, or one pair for one, are of this pair."""
        submissions = self._read()
        there = list(dict.fromkeys(submission.pair for submission in submissions))
        if len(there) > 1 or (len(pairs) > 1 and there != [""]):
            one_of(pair, there, "pair")
            submissions = [each for each in submissions if each.pair == pair]
        names = [submission.metric for submission in submissions]
        if self.metric is not None:
            one_of(self.metric, names, "metric")
            return submissions[names.index(self.metric)]
        if len(names) > 1:
            raise BadParameter(
                f"the files hold {len(names)} metrics ({', '.join(names[:5])}…); choose one "
                "with `metric`"
            )
        return submissions[0]

    def _read(self) -> "list[Submission]":
        from adjudge.metaeval.submission import read_submissions

        submissions = read_submissions(self.paths)
        if not self.lower:
            return submissions
        names = {each.metric for each in submissions if self.metric in (None, each.metric)}
        return read_submissions(self.paths, lower=sorted(names))


def metric_files(
    metric_scores: str | Iterable[str],
    metric: str | None,
    lower: bool,
    documents: str | None,
) -> MetricFiles:
    """The files, one or several."""
    paths = (metric_scores,) if isinstance(metric_scores, str) else tuple(metric_scores)
    if not paths:
        raise BadParameter("name the file with the metric's scores of segments, `metric_scores`")
    return MetricFiles(paths, metric, lower, documents)


def assist_scores(
    parts: "Sequence[tuple[str, str, pl.DataFrame]]",
    files: MetricFiles,
    normalise: str | None,
    resampling: Resampling,
) -> "list[Assisted]":
    """Every scale of every language pair."""
    from adjudge.metaeval.assisted import scores
    from adjudge.scoring.normalisation import NORMALISATIONS

    if normalise is not None:
        one_of(normalise, NORMALISATIONS, "normalise")
    pairs = list(dict.fromkeys(pair for pair, _, _ in parts))
    return [
        scores.assist_scores(pair, scale, part, files.known(pair, pairs), normalise, resampling)
        for pair, scale, part in parts
    ]


def assist_rankings(
    comparisons: "Sequence[Comparisons]", files: MetricFiles, resampling: Resampling
) -> "list[Assisted]":
    """Every language pair."""
    from adjudge.metaeval.assisted import wins

    pairs = [given.pair for given in comparisons]
    return [
        wins.assist_rankings(given, files.known(given.pair, pairs), resampling)
        for given in comparisons
    ]
