"""How far to trust the judgements: agreement, diagnosis."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.agreement.options import AgreementOptions
from adjudge.api.per_pair import AnalysedJudgements, one_by_one
from adjudge.api.result import Result
from adjudge.api.table_data import names_of
from adjudge.core.errors import BadParameter
from adjudge.core.options import question
from adjudge.data.selection import Names
from adjudge.ranking.method import CountMethod
from adjudge.report.analysis import Settings

if TYPE_CHECKING:
    from adjudge.api.agreement import Answer as Agreed
    from adjudge.data.comparisons import Outputs
    from adjudge.diagnosis.diagnose import Diagnosis
    from adjudge.ranking.method import Method


@dataclass(frozen=True, eq=False, repr=False)
class TrustQuestions(AnalysedJudgements):
    """Questions about the judgements themselves."""

    @question(AgreementOptions)
    def agreement(self, options: AgreementOptions) -> Result[Any]:
        """How far judges agree with each other (inter) and with themselves (intra).

        Returns
        -------
        Result

        Raises
        ------
        BadParameter
            If a parameter value is invalid, or two do not go together.

        Examples
        --------
        >>> import adjudge
        >>> agreed = adjudge.simulate(systems=4, rankings=300, seed=1).agreement(replicates=100)
        >>> sorted(set(agreed.to_frame()["kind"]))
        ['inter', 'intra']
        """
        parts, how, notes = self._agreed(options)
        return self._result("agreement", options.signed(), parts, how, notes=notes)

    def _agreed(self, options: AgreementOptions) -> "Agreed":
        from adjudge.api.agreement import answer

        return answer(self._one_protocol(), options)

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
