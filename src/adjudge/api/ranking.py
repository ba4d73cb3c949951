"""Who is better, and what more judgements would tell: rank, compare, methods, plan."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adjudge.api.per_pair import AnalysedJudgements, one_by_one
from adjudge.api.result import Result
from adjudge.api.table_data import names_of
from adjudge.core.errors import BadParameter
from adjudge.core.parallel import Engine
from adjudge.report.analysis import Settings

if TYPE_CHECKING:
    from adjudge.data.comparisons import Outputs
    from adjudge.ranking.head_to_head import HeadToHead, Test
    from adjudge.ranking.method import Method
    from adjudge.ranking.method_comparison import MethodsCompared
    from adjudge.ranking.ranking_result import Ranking
    from adjudge.simulation.planning import Plan
    from adjudge.stats.resampling import Unit
    from adjudge.stats.standings import Ranges
    from adjudge.stats.tests import Correction


@dataclass(frozen=True, eq=False, repr=False)
class RankingQuestions(AnalysedJudgements):
    """Questions about the order of the systems."""

    def rank(
        self,
        method: "str | Method" = "expected-wins",
        *,
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
        outputs: "Outputs" = "expanded",
        ranges: "Ranges" = "auto",
        workers: int = 1,
        engine: str | None = None,
    ) -> "Result[Ranking]":
        """Rank the systems: score, interval, rank range and cluster.

        Parameters
        ----------
        method : str or Method
            A name that `adjudge.METHODS` lists, or a method of your own.
        unit : str
            What the result is to hold for. "auto": other judges and documents, as far as the
            judgements tell. Else what a bootstrap draws: "none", "comparison", "ranking", "hit",
            "segment", "document", "judge", "judge+segment" or "judge+document".
        replicates : int
            How many bootstrap replicates, where any are drawn, or runs of a method that is
            random.
        seed : int
            Makes the result repeatable, on any number of workers.
        level : float
            Confidence level of intervals and ranges.
        outputs : {"expanded", "collapsed"}
            Does an output of several systems count for each of them, or as one candidate?
        ranges : {"auto", "simultaneous", "wmt13"}
            Do rank ranges hold for all systems at once, or for each by itself as WMT13 made them?
            "auto": at once where `unit` is "auto".
        workers : int
            Processes for methods that are fitted again for every replicate.
        engine : str, optional
            A Dask cluster instead: "dask://HOST:PORT".

        Returns
        -------
        Result
            One `Ranking` a language pair.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If the judgements cannot rank the systems.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=4, rankings=300, seed=1)
        >>> ranking = judgements.rank("bradley-terry", unit="judge", replicates=100)
        >>> ranking.method.name, len(ranking.systems)
        ('bradley-terry', 4)
        """
        settings = Settings(
            method=method,
            unit=unit,
            replicates=replicates,
            level=level,
            seed=seed,
            outputs=outputs,
            ranges=ranges,
        )
        return self._of_pairs(
            "rank",
            settings,
            ("method", "unit", "replicates", "seed", "level", "outputs", "ranges"),
            lambda analysis: analysis.ranking,
            engine=Engine(workers, engine),
        )

    def compare(
        self,
        *,
        correction: "Correction" = "bh",
        level: float = 0.95,
        outputs: "Outputs" = "expanded",
        test: "Test" = "auto",
    ) -> "Result[HeadToHead]":
        """Compare every two systems head to head, ignoring ties (WMT13 appendix A).

        Parameters
        ----------
        correction : {"bh", "holm", "none"}
            How p is adjusted for the number of pairs: "bh" controls the rate of false
            discoveries, "holm" the chance of any false one.
        level : float
            Significant means an adjusted p of at most 1 − level.
        outputs : {"expanded", "collapsed"}
            Does an output of several systems count for each of them, or as one candidate?
        test : {"auto", "clustered", "sign"}
            "clustered", which "auto" is: do the two have the same expected wins, with the
            variance over other judges and documents? "sign": WMT13's exact sign test, which
            takes comparisons as independent.

        Returns
        -------
        Result
            One `HeadToHead` a language pair.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If no two systems were compared.

        Examples
        --------
        >>> import adjudge
        >>> pairs = adjudge.simulate(systems=4, rankings=300, seed=1).compare()
        >>> len(pairs.to_frame())
        6
        """
        settings = Settings(correction=correction, level=level, outputs=outputs, test=test)
        return self._of_pairs(
            "compare",
            settings,
            ("correction", "level", "outputs", "test"),
            lambda analysis: analysis.head_to_head,
        )

    def methods(
        self, *, runs: int = 100, seed: int = 1, outputs: "Outputs" = "expanded"
    ) -> "Result[MethodsCompared]":
        """Rank by every method there is, and count what each order contradicts (Lopez 2012 §5).

        Parameters
        ----------
        runs : int
            How often a method that is random runs.
        seed : int
            Makes the result repeatable.
        outputs : {"expanded", "collapsed"}
            Does an output of several systems count for each of them, or as one candidate?

        Returns
        -------
        Result
            One `MethodsCompared` a language pair.

        Raises
        ------
        NotEnoughData
            If no method can rank the systems.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.methods(runs=3).systems
        ('system-02', 'system-03', 'system-01')
        """
        return self._of_pairs(
            "methods",
            Settings(runs=runs, seed=seed, outputs=outputs),
            ("runs", "seed", "outputs"),
            lambda analysis: analysis.methods,
        )

    def plan(
        self,
        between: Sequence[str] = (),
        *,
        clusters: int | None = None,
        unit: "Unit" = "auto",
        level: float = 0.95,
        chance: float = 0.8,
        next: int = 10,
        simulations: int = 200,
        seed: int = 1,
        outputs: "Outputs" = "expanded",
    ) -> "Result[Plan]":
        """How many more judgements separate systems, and which comparisons to ask for next.

        Parameters
        ----------
        between : two names, optional
            Separate these two systems; otherwise every two neighbours.
        clusters : int, optional
            How many clusters are wanted.
        unit, level, seed, outputs
            As for `rank`.
        chance : float
            The chance of success to plan for.
        next : int
            How many comparisons to suggest.
        simulations : int
            How many campaigns to simulate.

        Returns
        -------
        Result
            One `Plan` a language pair.

        Raises
        ------
        BadParameter
            If a parameter is none that there is.
        NotEnoughData
            If the judgements cannot rank the systems.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> plan = judgements.plan(simulations=10)
        >>> plan.to_frame()["kind"].unique(maintain_order=True).to_list()
        ['separation', 'help', 'size', 'next']
        """
        from adjudge.simulation.planning import Goal

        two = names_of(between)
        if two and len(two) != 2:
            raise BadParameter("`between` names two systems, or none")
        goal = Goal(
            unit=unit,
            level=level,
            chance=chance,
            between=(two[0], two[1]) if two else None,
            clusters=clusters,
            simulations=simulations,
            seed=seed,
        )
        settings = Settings(unit=unit, level=level, seed=seed, outputs=outputs)
        analyses = self._analyses(settings)
        plans = [
            replace(plan, suggestions=plan.suggestions[:next])
            for plan in (analysis.plan_for(goal) for analysis in one_by_one(analyses))
        ]
        return self._result(
            "plan",
            {
                "between": list(two),
                "clusters": clusters,
                "unit": settings.resampling.unit,
                "level": level,
                "chance": chance,
                "next": next,
                "simulations": simulations,
                "seed": seed,
                "outputs": outputs,
            },
            plans,
            analyses=analyses,
        )
