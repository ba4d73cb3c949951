"""Words of a command line in any order, whatever characters they begin with."""

from typing import Annotated, Literal

import pytest

from adjudge.cli.parser import Given, argument, option, parse, taken_by
from adjudge.core.errors import BadParameter
from adjudge.core.options import Level


def command(
    first: Annotated[str, argument(metavar="FIRST", help="The first.")],
    files: Annotated[list[str], argument(metavar="FILE…", help="Files.")] = [],  # noqa: B006
    title: Annotated[str | None, option("--title", "-t", help="The title.")] = None,
    name: Annotated[list[str], option("--name", help="Names (repeatable).")] = [],  # noqa: B006
    number: Annotated[int, option(min=1, max=9, help="A number.")] = 1,
    corpus: Annotated[tuple[str, str] | None, option(help="Two texts.")] = None,
    paired: Annotated[bool, option("--paired", help="In pairs?")] = False,
    seen: Annotated[bool | None, option("--show/--hide", help="Shown?")] = None,
    kept: Annotated[bool, option(help="Kept?")] = True,
    kind: Annotated[Literal["one", "other"], option(help="Which kind.")] = "one",
    level: Level = 0.95,
    given: Given = frozenset(),
) -> None:
    """Do nothing."""


TAKEN = taken_by(command)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("a", {"first": "a"}),
        ("a b c", {"first": "a", "files": ["b", "c"]}),
        ("a --number 2 b --paired c", {"files": ["b", "c"], "number": 2, "paired": True}),
        ("--title -x a", {"title": "-x", "first": "a"}),
        ("-t --x a", {"title": "--x"}),
        ("-tx a", {"title": "x"}),
        ("--title=-x a", {"title": "-x"}),
        ("a -", {"files": ["-"]}),
        ("--paired -- -a --title", {"first": "-a", "files": ["--title"], "paired": True}),
        ("a --name x --name y", {"name": ["x", "y"]}),
        ("a --corpus x y z", {"corpus": ["x", "y"], "files": ["z"]}),
        ("a --hide", {"seen": False}),
        ("a --show", {"seen": True}),
        ("a --no-kept", {"kept": False}),
        ("a --kind other --level 0.5", {"kind": "other", "level": 0.5}),
    ],
)
def test_words_are_read(words: str, given: dict[str, object]) -> None:
    assert parse(TAKEN, words.split(), "adjudge do").items() >= given.items()


def test_a_whole_number_is_a_float_where_one_is_asked_for() -> None:
    def timed(drop_over: Annotated[float, option(help="Longest time.")] = 300) -> None: ...

    (taken,) = taken_by(timed)
    assert isinstance(taken.default, float)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "give FIRST (adjudge do --help)"),
        ("a --title", "-t/--title: expected one argument"),
        ("a --title --paired", "-t/--title: expected one argument"),
        ("a --corpus x", "--corpus: expected 2 arguments"),
        ("a --titel x", "there is no option --titel; did you mean --title? See adjudge do --help"),
        ("a --tit x", "there is no option --tit; did you mean --title?"),
        ("a --number 10", "--number: 10: give 9 or less"),
        ("a --number -1", "--number: -1: give 1 or more"),
        ("a --kind othre", "cannot be 'othre'; did you mean 'other'?"),
        ("a --level nan", "--level: 'nan': give a number"),
    ],
)
def test_a_wrong_word_is_refused(words: str, message: str) -> None:
    with pytest.raises(BadParameter) as refused:
        parse(TAKEN, words.split(), "adjudge do")
    assert message in str(refused.value)
