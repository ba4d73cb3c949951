"""Tuning: weights of features that make the best candidates win."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.api.result import Result
from adjudge.api.search_settings import Names, Searching, names_of
from adjudge.api.tuning_variance import TuningVarianceQuestions
from adjudge.core.errors import BadParameter
from adjudge.core.parallel import Engine
from adjudge.core.signature import Signature
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.segments.database import SegmentDatabase
    from adjudge.tuning.candidates import Candidates as CandidateList
    from adjudge.tuning.line_search import Neighbours
    from adjudge.tuning.pool import Pool
    from adjudge.tuning.search import Choice, Directions
    from adjudge.tuning.tuning_result import Tuned


@dataclass(frozen=True, eq=False, repr=False)
class Candidates(TuningVarianceQuestions):
    """Lists of candidates with their references, as `adjudge.read_candidates` gives them."""

    lists: "tuple[CandidateList, ...]"
    references: tuple[tuple[str, ...], ...]
    hash: str
    files: Mapping[str, int]  # how many there are of each kind, for `again`
    extracted: "Pool | None" = None  # what Moses' extractor wrote, statistics included
    database: "SegmentDatabase | None" = None  # of ranked segments
    _pools: "dict[str, Pool]" = field(default_factory=dict, init=False)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return self.lists[0].names

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return self.lists[0].sentences

    def __repr__(self) -> str:
        number = sum(map(len, self.lists))
        return (
            f"{number:,} candidates of {self.sentences:,} sentences in {len(self.lists)} lists, "
            f"{len(self.features)} features"
        )

    def pool(
        self,
        metric: "str | Metric | Iterable[str | Metric]" = "bleu",
        share: Sequence[float] | None = None,
    ) -> "Pool":
        """All lists as one pool without duplicates, counted by the metrics.

        Parameters
        ----------
        metric : str or iterable of str
            As for `tune`.
        share : sequence of float, optional
            As for `tune`.

        Returns
        -------
        Pool
            Flat arrays: `starts` of sentences, `features` and `statistics` of candidates.

        Raises
        ------
        InputError
            If lists and references do not fit.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> lines = ["0 ||| a ||| lm= -2", "0 ||| b ||| lm= -1", "0 ||| a ||| lm= -2"]
        >>> for name, text in {"list": "\\n".join(lines), "reference": "a"}.items():
        ...     with open(os.path.join(folder, name), "w") as file:
        ...         _ = file.write(text)
        >>> candidates = adjudge.read_candidates(
        ...     os.path.join(folder, "list"), reference=os.path.join(folder, "reference")
        ... )
        >>> len(candidates.pool("wer"))
        2
        """
        from adjudge.tuning.candidate_statistics import count
        from adjudge.tuning.pool import pooled
        from adjudge.tuning.segranks import metric_of_segments

        if self.extracted is not None:
            return self.extracted
        given = [metric] if not isinstance(metric, Iterable) or isinstance(metric, str) else metric
        metrics = [metric_of_segments(each, self.database) for each in given]
        if not metrics:
            raise BadParameter("name a `metric`; `adjudge.METRICS` lists them")
        key = f"{list(map(str, metrics))} {share}"
        if key not in self._pools:
            statistics, objective = count(self.lists, metrics, self.references, share)
            self._pools[key] = pooled(self.lists, statistics, objective)
        return self._pools[key]

    def tune(
        self,
        metric: "str | Metric | Iterable[str | Metric] | None" = None,
        *,
        share: Sequence[float] | None = None,
        tuner: Names = "mert",
        weights: str | Mapping[str, float] | None = None,
        restarts: int = 20,
        rounds: int = 3,
        directions: "Directions" = "axes",
        random_directions: int = 20,
        neighbours: "Neighbours" = "none",
        window: int = 3,
        choice: "Choice" = "best",
        positive: Names = (),
        negative: Names = (),
        frozen: Names = (),
        hold_out: float = 0.0,
        replicates: int = 1000,
        level: float = 0.95,
        seed: int = 1,
        workers: int = 1,
        engine: str | None = None,
    ) -> "Result[Tuned]":
        """Find weights with which the best candidates win (docs/tuning.md).

        Parameters
        ----------
        metric : str or iterable of str
            What to make as good as possible: a metric ("bleu(tokenize=none)"), `scores:NAME` for
            scores that candidates bring along, "exact-match", "penalize-unknown" or
            "segranks-bleu" for ranked segments, or several that are interpolated. By default BLEU.
        share : sequence of float, optional
            How much each of several metrics counts; by default all the same.
        tuner : str or iterable of str
            "mert", "pro", "mira" or "expected"; several are compared.
        weights : str or mapping of str to float, optional
            Where the search begins: a file, or a weight for every feature.
        restarts, rounds : int
            Random starts, and how often as many are drawn again near the best points.
        directions : {"axes", "random", "conjugate"}
            Along which lines to search.
        random_directions : int
            How many random lines there are at every step.
        neighbours : {"none", "average", "minimum"}
            What the neighbours of an interval do to its score, against sharp optima.
        window : int
            How many neighbours count on either side.
        choice : {"best", "stable"}
            Which optimum: the best, or that which is best in most replicates of a bootstrap.
        positive, negative, frozen : str or iterable of str
            Features (or their labels: `tm` for tm_0, tm_1, …) whose weights keep this sign, or
            stay as they are.
        hold_out : float
            The share of sentences that no tuner sees, to test on.
        replicates, level
            Of the bootstrap of sentences for intervals.
        seed : int
            Makes everything that is drawn repeatable.
        workers : int
            Threads, or processes, to search with; results are the same on any number.
        engine : str, optional
            A Dask cluster instead, as ``dask://HOST:PORT``.

        Returns
        -------
        Result
            One `Tuned` a tuner.

        Raises
        ------
        BadParameter
            If a parameter cannot be, or there is nothing to choose.
        InputError
            If lists and references do not fit.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> lines = ["0 ||| the cat ||| lm= -2 tm= -1", "0 ||| cat the ||| lm= -1 tm= -2"]
        >>> for name, text in {"list": "\\n".join(lines), "reference": "the cat"}.items():
        ...     with open(os.path.join(folder, name), "w") as file:
        ...         _ = file.write(text)
        >>> candidates = adjudge.read_candidates(
        ...     os.path.join(folder, "list"), reference=os.path.join(folder, "reference")
        ... )
        >>> candidates.tune("wer").reached[0].score
        0.0
        """
        from adjudge.tuning.tuner import TUNERS
        from adjudge.tuning.tuning_result import tune

        if metric is not None and self.extracted is not None:
            raise BadParameter("`statistics` say which metric is meant; leave `metric` out")
        resampling = Resampling("segment", replicates, seed, level)
        searching = Searching(
            restarts,
            rounds,
            directions,
            random_directions,
            neighbours,
            window,
            choice,
            positive,
            negative,
            frozen,
        )
        how = searching.search(seed)
        tuners = [TUNERS.named(name) for name in names_of(tuner)]
        if not tuners or len(set(tuners)) < len(tuners):
            raise BadParameter("name a `tuner`, and each once")
        pool = self.pool("bleu" if metric is None else metric, share)
        start = self._beginning(weights)
        limits = searching.limits_from(self.features, start)
        spread = Engine(workers, engine)
        results = tune(pool, start, tuners, how, limits, resampling, hold_out, spread)
        asked = {
            **self.files,
            "metric": [str(term.metric) for term in pool.objective.terms],
            "share": [term.share for term in pool.objective.terms],
            "tuner": [each.name for each in tuners],
            "weights": None if start is None else dict(zip(pool.names, start, strict=True)),
            **searching.told,
            "hold_out": hold_out,
            "replicates": replicates,
            "level": level,
            "seed": seed,
        }
        return Result(
            tuple(results), Signature("candidates.tune", {}, asked, f"sha256-{self.hash}")
        )

    def write_pool(
        self,
        folder: str,
        metric: "str | Metric | Iterable[str | Metric]" = "bleu",
        share: Sequence[float] | None = None,
    ) -> None:
        """Write the pool as Moses' extractor does: `features.txt` and `statistics.txt`.

        Parameters
        ----------
        folder : str
            Where the files go; it is made if it is not there.
        metric : str
            A metric that Moses has: BLEU, WER, PER, CDER or TER.
        share : sequence of float, optional
            As for `tune`.

        Raises
        ------
        BadParameter
            If Moses has no such metric.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> for name, text in {"list": "0 ||| a ||| lm= -2", "reference": "a"}.items():
        ...     with open(os.path.join(folder, name), "w") as file:
        ...         _ = file.write(text)
        >>> candidates = adjudge.read_candidates(
        ...     os.path.join(folder, "list"), reference=os.path.join(folder, "reference")
        ... )
        >>> candidates.write_pool(os.path.join(folder, "pool"))
        >>> sorted(os.listdir(os.path.join(folder, "pool")))
        ['features.txt', 'statistics.txt']
        """
        from pathlib import Path

        from adjudge.tuning.moses_extractor import write_features, write_statistics

        pool = self.pool(metric, share)
        if pool.objective.single is None:
            raise BadParameter("Moses has statistics of one metric a file; name one `metric`")
        Path(folder).mkdir(exist_ok=True)
        features, statistics = (str(Path(folder) / f"{n}.txt") for n in ("features", "statistics"))
        write_statistics(statistics, pool.objective.single, pool.starts, pool.statistics)
        write_features(features, pool.names, pool.starts, pool.features)
