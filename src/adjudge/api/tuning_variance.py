"""How far tuning can be trusted: seeds, development sets, restarts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.api.result import Result
from adjudge.api.search_settings import Names, Searching, names_of
from adjudge.core.errors import BadParameter
from adjudge.core.parallel import Engine
from adjudge.core.signature import Signature
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.segments.database import SegmentDatabase
    from adjudge.tuning.candidates import Candidates as CandidateList
    from adjudge.tuning.candidates import Floats
    from adjudge.tuning.goals import Goal
    from adjudge.tuning.line_search import Neighbours
    from adjudge.tuning.pool import Pool
    from adjudge.tuning.run_spread import TuningVariance
    from adjudge.tuning.search import Choice, Directions


class TuningVarianceQuestions:
    """What lists of candidates say about the variance of tuning."""

    lists: "tuple[CandidateList, ...]"
    references: tuple[tuple[str, ...], ...]
    hash: str
    files: Mapping[str, int]
    extracted: "Pool | None"
    database: "SegmentDatabase | None"

    def tune_variance(
        self,
        metric: Names = "bleu",
        *,
        by: Names = (),
        tuner: str = "mert",
        weights: str | Mapping[str, float] | None = None,
        sets: int = 50,
        seeds: int = 3,
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
        hold_out: float = 0.5,
        replicates: int = 1000,
        level: float = 0.95,
        seed: int = 1,
        workers: int = 1,
        engine: str | None = None,
    ) -> "Result[TuningVariance]":
        """Tune again and again: how much of what it reaches is chance (docs/tuning.md).

        Parameters
        ----------
        metric : str or iterable of str
            What to tune towards, each by itself, under the same conditions. Metrics joined by +
            are interpolated: "exact-match + bleu", "0.7 bleu + 0.3 ter".
        by : str or iterable of str
            Further metrics by which test sentences are scored.
        tuner : str
            "mert", "pro", "mira" or "expected".
        weights : str or mapping of str to float, optional
            Where every search begins, as for `tune`.
        sets : int
            Development sets that are drawn, with replacement, from the sentences to tune on.
        seeds : int
            Runs on each of them, from different random starts.
        restarts, rounds, directions, random_directions, neighbours, window, choice
            The search, as for `tune`.
        positive, negative, frozen : str or iterable of str
            Limits of weights, as for `tune`.
        hold_out : float
            The share of sentences that are kept to test on.
        replicates, level
            Of the bootstrap of test sentences, and of intervals.
        seed : int
            Makes everything that is drawn repeatable.
        workers : int
            Processes to tune with; results are the same on any number.
        engine : str, optional
            A Dask cluster instead, as ``dask://HOST:PORT``.

        Returns
        -------
        Result
            One `TuningVariance`.

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
        >>> lines = [f"{n} ||| {t} ||| f= {k}" for n in range(8) for k, t in enumerate("ab")]
        >>> for name, text in {"list": "\\n".join(lines), "reference": "b\\n" * 8}.items():
        ...     with open(os.path.join(folder, name), "w") as file:
        ...         _ = file.write(text)
        >>> candidates = adjudge.read_candidates(
        ...     os.path.join(folder, "list"), reference=os.path.join(folder, "reference")
        ... )
        >>> variance = candidates.tune_variance("wer", sets=3, seeds=2, restarts=4, rounds=0)
        >>> variance.scores[0].spread.value
        0.0
        """
        from adjudge.tuning.run_spread import TuningVariance
        from adjudge.tuning.tuner import TUNERS
        from adjudge.tuning.variance import Extent, run_all

        extent = Extent(sets, seeds)
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
        asked_for, besides = names_of(metric), names_of(by)
        if not asked_for:
            raise BadParameter("name a `metric`; `adjudge.METRICS` lists them")
        pool, measures = self._measured(asked_for, besides)
        goals = measures[: len(measures) - len(besides)]
        start = self._beginning(weights)
        limits = searching.limits_from(pool.names, start)
        runs = run_all(
            pool,
            goals,
            measures,
            start,
            TUNERS.named(tuner),
            how,
            limits,
            extent,
            hold_out,
            Resampling("segment", replicates, seed, level),
            Engine(workers, engine),
        )
        asked = {
            **self.files,
            "metric": asked_for,
            "by": besides,
            "tuner": tuner,
            "weights": None if start is None else dict(zip(pool.names, start, strict=True)),
            "sets": sets,
            "seeds": seeds,
            **searching.told,
            "hold_out": hold_out,
            "replicates": replicates,
            "level": level,
            "seed": seed,
        }
        signature = Signature("candidates.tune_variance", {}, asked, f"sha256-{self.hash}")
        return Result((TuningVariance(runs),), signature)

    def _measured(
        self, metrics: Sequence[str], further: Sequence[str]
    ) -> "tuple[Pool, tuple[Goal, ...]]":
        """The pool with the statistics of all goals and measures."""
        from adjudge.tuning.goals import Goal, pool_of_goals
        from adjudge.tuning.segranks import metric_of_segments

        if self.extracted is not None:
            if list(metrics) != ["bleu"] or further:
                raise BadParameter("`statistics` say which metric is meant; leave `metric` out")
            width = self.extracted.statistics.shape[1]
            objective = self.extracted.objective
            return self.extracted, (Goal(str(objective), objective, 0, width),)
        return pool_of_goals(
            self.lists,
            [*metrics, *further],
            lambda name: metric_of_segments(name, self.database),
            self.references,
        )

    def _beginning(self, weights: str | Mapping[str, float] | None) -> "Floats | None":
        """Weights to begin with, from a file or by name, in the order of the features."""
        from adjudge.tuning.weights import read_weights, weights_of

        if weights is None:
            return None
        names = self.lists[0].names
        return (
            read_weights(weights, names) if isinstance(weights, str) else weights_of(weights, names)
        )
