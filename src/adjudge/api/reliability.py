"""How far to trust the judgements: agreement, diagnosis."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.api.per_pair import AnalysedJudgements, one_by_one
from adjudge.api.result import Result
from adjudge.api.table_data import names_of
from adjudge.core.errors import BadParameter
from adjudge.data.selection import Names
from adjudge.ranking.method import CountMethod
from adjudge.report.analysis import Settings

if TYPE_CHECKING:
    from adjudge.api.agreement import Answer as Agreed
    from adjudge.api.agreement import Question
    from adjudge.data.comparisons import Outputs
    from adjudge.diagnosis.diagnose import Diagnosis
    from adjudge.ranking.method import Method
    from adjudge.stats.resampling import Unit


@dataclass(frozen=True, eq=False, repr=False)
class TrustQuestions(AnalysedJudgements):
    """Questions about the judgements themselves."""

    def agreement(
        self,
        by: str = "pair",
        *,
        convention: str = "sound",
        outputs: str | None = None,
        trusted: Names = (),
        unit: "Unit" = "auto",
        replicates: int = 1000,
        seed: int = 1,
        level: float = 0.95,
    ) -> Result[Any]:
        """How far judges agree with each other (inter) and with themselves (intra).

        Parameters
        ----------
        by : str
            One row for each "pair", "coefficient", "judge", "judges" (every two of them),
            "group", "controls", "length", "segment-length", "document", "block-size", "distance",
            "order" or "hour".
        convention : {"sound", "wmt15"}
            Count soundly, or as the published tables of WMT15 and WMT16 did.
        outputs : {"collapsed", "expanded"}, optional
            An output of several systems: one candidate (the default), or one each? The
            convention "wmt15" shows both where none is chosen.
        trusted : str or iterable of str
            Groups of judges whose consensus makes the controls.
        unit : {"auto", "segment", "judge"}
            What the intervals are to hold for. "auto": other judges and texts, as far as the
            labels tell. Else what a bootstrap draws.
        replicates, seed, level
            As for `rank`.

        Returns
        -------
        Result

        Raises
        ------
        BadParameter
            If a parameter is none that there is, or two do not go together.

        Examples
        --------
        >>> import adjudge
        >>> agreed = adjudge.simulate(systems=4, rankings=300, seed=1).agreement(replicates=100)
        >>> sorted(set(agreed.to_frame()["kind"]))
        ['inter', 'intra']
        """
        from adjudge.api.agreement import Question

        question = Question(
            by, convention, outputs, names_of(trusted), unit, replicates, seed, level
        )
        parts, how, notes = self._agreed(question)
        return self._result("agreement", question.parameters(), parts, how, notes=notes)

    def _agreed(self, question: "Question") -> "Agreed":
        return question.answer(self._one_protocol())

    def diagnose(
        self,
        only: Names = (),
        *,
        details: bool = False,
        trusted: str | None = None,
        method: "str | Method" = "expected-wins",
        outputs: "Outputs" = "expanded",
    ) -> "Result[Diagnosis]":
        """What in these judgements could mislead, the worst first.

        Parameters
        ----------
        only : str or iterable of str
            Only these findings, in detail (docs/diagnosis.md lists them).
        details : bool
            Show the tables behind every finding.
        trusted : str, optional
            The group of judges whose consensus makes controls.
        method : str or Method
            The count method whose order is at stake.
        outputs : {"expanded", "collapsed"}
            Does an output of several systems count for each of them, or as one candidate?

        Returns
        -------
        Result
            One `Diagnosis` a finding and language pair.

        Raises
        ------
        BadParameter
            If a finding or method is none that there is.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.diagnose("speed").finding.question
        'Who is much faster than one can read?'
        """
        names = names_of(only)
        settings = Settings(method=method, outputs=outputs)
        if not isinstance(settings.chosen, CountMethod):
            raise BadParameter(
                f"{settings.chosen.name} does not rank from win counts; choose expected-wins"
            )
        analyses = self._analyses(settings)
        answers = [
            answer
            for analysis in one_by_one(analyses)
            for answer in analysis.diagnose(names, trusted)
        ]

        return self._result(
            "diagnose",
            {
                "only": list(names),
                "details": details,
                "trusted": trusted,
                "method": settings.chosen.name,
                "outputs": outputs,
            },
            answers,
            {"details": details or bool(names)},
            analyses,
            [analysis.note for analysis in analyses],
        )
