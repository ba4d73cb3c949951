"""Analysis of one language pair, each part computed on first access.

Nothing is computed here: every part is the result of the responsible package, imported on demand. A
part that the judgements cannot provide raises `NotEnoughData` with the reason.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.data.outputs import shown_name
from adjudge.data.summary import Summary, summarise
from adjudge.data.votes.cells import Cells, Judged
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.head_to_head import HeadToHead, head_to_head
from adjudge.ranking.method import METHODS, CountMethod, Method, RefitMethod
from adjudge.ranking.participants import participants
from adjudge.ranking.ranking_result import Ranking, rank
from adjudge.ranking.resampling import RANKING_UNITS
from adjudge.report.options import AnalysisOptions
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.agreement.judges import JudgeAgreement
    from adjudge.agreement.pairwise import Agreement
    from adjudge.agreement.parts import PartAgreement
    from adjudge.diagnosis.diagnose import Diagnosis
    from adjudge.diagnosis.evidence import Evidence
    from adjudge.ranking.method_comparison import MethodsCompared, Sample
    from adjudge.ranking.tournament import Tournament
    from adjudge.simulation.planning import Goal, Plan

SIMULATIONS = 3200  # of planned campaigns, over the number of systems


@dataclass(frozen=True, kw_only=True)
class Settings(AnalysisOptions):
    """Settings of the analysis; equal settings give equal results."""

    @property
    def chosen(self) -> Method:
        """Ranking method."""
        return METHODS.named(self.method)

    @property
    def resampling(self) -> Resampling:
        """Resampling of the ranking; the meaning of `auto` depends on the judgements."""
        asked = Resampling(self.unit, self.replicates, self.seed, self.level)
        return asked if asked.unit == "auto" else asked.among(RANKING_UNITS)

    @property
    def bootstrap(self) -> Resampling:
        """Resampling of agreement intervals."""
        return Resampling("auto", self.replicates, self.seed, self.level)

    @property
    def work(self) -> Engine:
        """Engine that runs the work."""
        return Engine(self.workers, self.engine)


@dataclass(frozen=True, eq=False)
class Analysis:
    """Judgements of one language pair and results derived from them."""

    pair: str
    table: pl.DataFrame
    settings: Settings
    engine: Engine = field(default_factory=Engine)

    @property
    def note(self) -> str:
        """Note on results from a sample of judgements; empty if all are used."""
        return ""

    @cached_property
    def sample(self) -> "Sample | None":
        """Sample for methods that need single judgements, if not all are held."""
        return None

    @property
    def size(self) -> int:
        """Amount of work, relative to other analyses."""
        return len(self.table)

    @property
    def summary(self) -> Summary:
        """Counts of judgements, judges, systems and texts."""
        return summarise(self.table, self.settings.outputs)[0]

    @cached_property
    def comparisons(self) -> Comparisons:
        """Comparisons with the reference among the systems."""
        return compare(self.table, self.settings.outputs)

    @cached_property
    def judged(self) -> Judged:
        """Input of rankings: the comparisons, or votes counted in cells."""
        return self.comparisons

    @cached_property
    def counts(self) -> WinCounts:
        """Win counts of the systems proper."""
        return count(self.judged).without_reference()

    @cached_property
    def ranking(self) -> Ranking:
        """Ranking: scores, intervals, rank ranges, clusters."""
        return self._ranking_of(self.judged)

    def _ranking_of(self, judged: Judged) -> Ranking:
        settings = self.settings
        return rank(
            judged, settings.chosen, settings.resampling, self.engine, ranges=settings.ranges
        )

    @cached_property
    def head_to_head(self) -> HeadToHead:
        """Pairs of systems that met, including the reference."""
        settings = self.settings
        return head_to_head(self.judged, settings.correction, settings.level, test=settings.test)

    @cached_property
    def methods(self) -> "MethodsCompared":
        """Rankings by all methods."""
        from adjudge.ranking.method_comparison import compare_methods

        settings = self.settings
        return compare_methods(self.judged, settings.seed, settings.runs, self.engine, self.sample)

    @cached_property
    def tournament(self) -> "Tournament":
        """Majorities among the systems proper."""
        from adjudge.ranking.tournament import tournament

        return tournament(self.counts)

    @cached_property
    def agreement(self) -> "Sequence[Agreement]":
        """Agreement of judges under the sound convention, with the published one for comparison."""
        from adjudge.agreement.pairwise import agreement

        return agreement(self.table, resampling=self.settings.bootstrap)

    @cached_property
    def agreement_by_length(self) -> "Sequence[PartAgreement]":
        """Agreement by length of the source segment in words."""
        from adjudge.agreement.parts import agreement_by

        if self.table["source"].null_count() == len(self.table):
            raise NotEnoughData("the judgements carry no source text to measure; give `source`")
        return agreement_by(self.table, "length", resampling=self.settings.bootstrap)

    @cached_property
    def judges(self) -> "Sequence[JudgeAgreement]":
        """Workload, speed and agreement of every judge."""
        from adjudge.agreement.judges import agreement_by_judge

        self.evidence.require({"judge"})
        return agreement_by_judge(self.table, resampling=self.settings.bootstrap)

    @cached_property
    def evidence(self) -> "Evidence":
        """Cached views for findings and figures: blocks met, exposure, times."""
        from adjudge.diagnosis.evidence import Evidence

        return Evidence(self.table, self.comparisons, self._count_method, **self._beside)

    @cached_property
    def times(self) -> pl.DataFrame:
        """Blocks with a known time and judge, one row each: ranking, judge, seconds, words."""
        from adjudge.diagnosis.findings.speed import block_times

        return block_times(self.evidence)

    @cached_property
    def diagnosis(self) -> "Sequence[Diagnosis]":
        """Findings that could mislead, the worst first."""
        return self.diagnose()

    def diagnose(self, only: Sequence[str] = (), trusted: str | None = None) -> "list[Diagnosis]":
        """Examine the findings named `only`, or all; `trusted` is the group that defines
        controls.
        """
        from adjudge.diagnosis.diagnose import diagnose

        outputs = self.settings.outputs
        return diagnose(self.table, only, self._count_method, outputs, trusted, **self._beside)

    @cached_property
    def plan(self) -> "Plan":
        """Further rankings needed to separate neighbours."""
        from adjudge.simulation.planning import Goal

        settings = self.settings
        if settings.unit == "none":
            raise NotEnoughData("nothing was resampled, so nobody knows what more would bring")
        # Every two neighbours are simulated, and each takes longer the more systems there are.
        simulations = max(20, min(200, SIMULATIONS // len(self.judged.systems)))
        from adjudge.simulation.planning import plan

        unit = self.ranking.resampling.unit  # what `auto` became
        goal = Goal(unit, settings.level, seed=settings.seed, simulations=simulations)
        return plan(self.judged, goal, self.ranking)

    def plan_for(self, goal: "Goal") -> "Plan":
        """Plan to reach the goal."""
        from adjudge.simulation.planning import plan

        return plan(self.judged, goal)

    @cached_property
    def short(self) -> dict[str, str]:
        """Short names of the systems and the reference, by their full names."""
        from adjudge.core.short_names import short_names

        systems = self.judged.systems
        short = map(shown_name, short_names(systems))
        return dict(zip(systems, short, strict=True))

    @property
    def rankings(self) -> int:
        """Number of rankings with a comparison."""
        return len(np.unique(self.comparisons.ranking))

    @property
    def _count_method(self) -> CountMethod:
        method = self.settings.chosen
        if isinstance(method, CountMethod):
            return method
        from adjudge.ranking.methods.expected_wins import METHOD

        return METHOD

    @property
    def _beside(self) -> dict[str, Any]:
        """Method, unit and range rule of the ranking, for the diagnosis."""
        settings = self.settings
        if self._count_method is not settings.chosen:
            return {}
        return {"resampling": settings.resampling, "ranges": settings.ranges}


class VoteAnalysis(Analysis):
    """Analysis of votes counted in cells; the table of single votes is read on demand."""

    def __init__(
        self,
        pair: str,
        read: Callable[[], pl.DataFrame],
        settings: Settings,
        engine: Engine,
        votes: Cells,
    ) -> None:
        given = {"pair": pair, "settings": settings, "engine": engine, "judged": votes}
        for name, value in {**given, "_read": read}.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """Read the table of votes, and delegate to its analysis."""
        if name != "table":
            raise AttributeError(f"an analysis has no {name}")
        object.__setattr__(self, name, self._read())
        return self.__dict__[name]


class SampledAnalysis(VoteAnalysis):
    """Analysis of votes too many to be held: their table is a sample of segments.

    Rankings, plans, agreement and counts use all votes. Analyses of single votes use the sample, as
    stated in `note`; so does a ranking by a method fitted to single votes.
    """

    def __init__(
        self,
        pair: str,
        read: Callable[[], pl.DataFrame],
        settings: Settings,
        engine: Engine,
        votes: Cells,
        beside: Callable[[], "BesideSample"],
    ) -> None:
        super().__init__(pair, read, settings, engine, votes)
        object.__setattr__(self, "_beside_sample", beside)

    @cached_property
    def of_all(self) -> "BesideSample":
        """Results on all votes other than the ranking."""
        known: BesideSample = self._beside_sample()
        return known

    @property
    def note(self) -> str:
        """Description of the sample."""
        return self.of_all.note

    @cached_property
    def sample(self) -> "Sample":
        """All votes by some judges, if there are many."""
        from adjudge.ranking.method_comparison import Sample

        of_judges = compare(self.of_all.by_judges(), self.settings.outputs)
        return Sample(of_judges, self.of_all.note_of_judges)

    @cached_property
    def ranking(self) -> Ranking:
        """Ranking: scores, intervals, rank ranges, clusters."""
        method = self.settings.chosen
        if not isinstance(method, RefitMethod):
            return super().ranking
        systems = participants(self.judged, method.reference).systems
        some = self.sample.for_method(method, systems)
        ranking = self._ranking_of(some.comparisons)
        return replace(ranking, notes=tuple(filter(None, (some.note, *ranking.notes))))

    @cached_property
    def plan(self) -> "Plan":
        """Further rankings needed to separate neighbours."""
        if isinstance(self.settings.chosen, RefitMethod):
            raise NotEnoughData(
                f"{self.settings.chosen.name} ranks a sample of the votes, from which nobody knows "
                "what more of them would bring; choose expected-wins"
            )
        return super().plan

    @property
    def size(self) -> int:
        """Number of outputs judged."""
        return 2 * len(self.judged)

    @property
    def summary(self) -> Summary:
        """Counts of judgements, judges, systems and texts."""
        return self.of_all.summary

    @cached_property
    def agreement(self) -> "Sequence[Agreement]":
        """Agreement of judges under the sound convention, with the published one for comparison."""
        return self.of_all.agreement(self.settings.level)


@dataclass(frozen=True)
class BesideSample:
    """Results on all votes of a language pair of which a sample is held."""

    note: str
    summary: Summary
    agreement: "Callable[[float], Sequence[Agreement]]"  # at a level
    note_of_judges: str
    by_judges: Callable[[], pl.DataFrame]  # the sample for methods that weigh judges


def analyse(
    table: pl.DataFrame, settings: Settings | None = None, engine: Engine | None = None
) -> list[Analysis]:
    """Analyse every language pair, in alphabetical order."""
    return [
        Analysis(pair, part, settings or Settings(), engine or Engine())
        for pair, part in by_pair(table)
    ]
