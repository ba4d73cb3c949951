"""Who is better, and what more judgements would tell: rank, compare, methods, plan."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adjudge.api.per_pair import AnalysedJudgements, one_by_one
from adjudge.api.result import Result
from adjudge.api.table_data import names_of
from adjudge.core.errors import BadParameter
from adjudge.core.options import question
from adjudge.ranking.options import CompareOptions, MethodsOptions, RankOptions
from adjudge.report.analysis import Settings

if TYPE_CHECKING:
    from adjudge.data.comparisons import Outputs
    from adjudge.ranking.head_to_head import HeadToHead
    from adjudge.ranking.method_comparison import MethodsCompared
    from adjudge.ranking.options import Unit
    from adjudge.ranking.ranking_result import Ranking
    from adjudge.simulation.planning import Plan


@dataclass(frozen=True, eq=False, repr=False)
class RankingQuestions(AnalysedJudgements):
    """Questions about the order of the systems."""

    @question(RankOptions)
    def rank(self, options: RankOptions) -> "Result[Ranking]":
        """Rank the systems: score, interval, rank range and cluster.

        Returns
        -------
        Result
            One `Ranking` a language pair.

        Raises
        ------
        BadParameter
            If a parameter value is invalid.
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
        return self._of_pairs("rank", options, lambda analysis: analysis.ranking)

    @question(CompareOptions)
    def compare(self, options: CompareOptions) -> "Result[HeadToHead]":
        """Compare every two systems head to head, ignoring ties (WMT13 appendix A).

        Differences are significant where the adjusted p is at most 1 − `level`.

        Returns
        -------
        Result
            One `HeadToHead` a language pair.

        Raises
        ------
        BadParameter
            If a parameter value is invalid.
        NotEnoughData
            If no two systems were compared.

        Examples
        --------
        >>> import adjudge
        >>> pairs = adjudge.simulate(systems=4, rankings=300, seed=1).compare()
        >>> len(pairs.to_frame())
        6
        """
        return self._of_pairs("compare", options, lambda analysis: analysis.head_to_head)

    @question(MethodsOptions)
    def methods(self, options: MethodsOptions) -> "Result[MethodsCompared]":
        """Rank by every method there is, and count what each order contradicts (Lopez 2012 §5).

        Returns
        -------
        Result
            One `MethodsCompared` a language pair.

        Raises
        ------
        BadParameter
            If a parameter value is invalid.
        NotEnoughData
            If no method can rank the systems.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.methods(runs=3).systems
        ('system-02', 'system-03', 'system-01')
        """
        return self._of_pairs("methods", options, lambda analysis: analysis.methods)

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
