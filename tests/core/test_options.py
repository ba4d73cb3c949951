"""Options declared once: validation, signatures, docstrings."""

import inspect
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

import pytest

from adjudge.agreement.intervals import AGREEMENT_UNITS
from adjudge.agreement.options import AgreementOptions
from adjudge.agreement.parts import BY
from adjudge.core.errors import BadParameter
from adjudge.core.options import Level, Option, Options, Seed, choices, question
from adjudge.ranking import options as ranking
from adjudge.ranking.resampling import RANKING_UNITS


@dataclass(frozen=True, kw_only=True)
class Asked(Options):
    """Options of a question made up here."""

    in_signature: ClassVar[tuple[str, ...]] = ("level", "unit")

    unit: Annotated[Literal["auto", "judge"], Option("The unit.")] = field(
        default="auto", kw_only=False
    )
    level: Level = 0.95
    seed: Seed = 1
    names: Annotated[str | tuple[str, ...], Option("Some names.", parse=list[str])] = ()
    title: Annotated[str | None, Option("The heading.", signed=False)] = None


class Asker:
    """Something that a question can be put to."""

    @question(Asked)
    def ask(self, options: Asked) -> Asked:
        """Ask.

        Returns
        -------
        Asked
        """
        return options


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unit": "jugde"}, "`unit` cannot be 'jugde'; did you mean 'judge'"),
        ({"level": 1}, "`level` is between 0 and 1, not 1"),
        ({"level": "high"}, "`level` is a number, not 'high'"),
        ({"seed": -1}, "`seed` is 0 or more, not -1"),
        ({"seed": 1.5}, "`seed` is a whole number, not 1.5"),
    ],
)
def test_an_invalid_value_is_refused(given, message):
    with pytest.raises(BadParameter, match=message):
        Asker().ask(**given)


def test_a_method_has_the_signature_of_its_options():
    parameters = inspect.signature(Asker.ask).parameters
    assert list(parameters) == ["self", "unit", "level", "seed", "names", "title"]
    assert parameters["unit"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert parameters["level"].kind is inspect.Parameter.KEYWORD_ONLY
    assert (parameters["level"].annotation, parameters["level"].default) == (float, 0.95)
    assert inspect.signature(Asker.ask).return_annotation is Asked


def test_a_docstring_lists_the_options_before_its_other_sections():
    assert (inspect.getdoc(Asker.ask) or "").splitlines() == [
        "Ask.",
        "",
        "Parameters",
        "----------",
        'unit : {"auto", "judge"}',
        "    The unit.",
        "level : float",
        "    Confidence level of intervals and ranges.",
        "seed : int",
        "    Makes a random result repeatable.",
        "names : str or tuple[str, ...]",
        "    Some names.",
        "title : str, optional",
        "    The heading.",
        "",
        "Returns",
        "-------",
        "Asked",
    ]


def test_a_signature_names_what_it_always_names_and_what_is_off_its_default():
    assert list(Asked().signed().items()) == [("level", 0.95), ("unit", "auto")]
    given = Asked("judge", seed=2, names="A", title="T")
    assert list(given.signed()) == ["level", "unit", "seed", "names"]
    assert given.signed()["names"] == ("A",)


def test_options_are_taken_over_by_name():
    assert Asked.of(ranking.RankOptions(level=0.9, seed=3)) == Asked(level=0.9, seed=3)


def test_choices_are_those_of_what_computes():
    assert set(choices(ranking.Unit)) == {"auto", *RANKING_UNITS}
    declared = {each.name: each.choices for each in AgreementOptions.declared()}
    assert set(declared["unit"]) == {"auto", *AGREEMENT_UNITS}
    wholes = {"pair", "coefficient", "judge", "judges", "controls"}
    assert set(declared["by"]) == wholes | set(BY)


def test_options_are_listed_without_importing_what_computes():
    program = """
import sys
import adjudge
before = set(sys.modules)
import adjudge.agreement.options, adjudge.ranking.options, adjudge.report.options
print(*(name for name in {*sys.modules} - before if name.startswith("adjudge.")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = {name for name in done.stdout.split() if name.count(".") > 1}
    known = {"core.errors", "core.options"}
    known |= {f"{package}.options" for package in ("agreement", "ranking", "report")}
    assert loaded <= {f"adjudge.{name}" for name in known}, done.stderr
    assert "adjudge.report.options" in loaded
