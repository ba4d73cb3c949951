"""What a registry takes, and what it refuses in words that name the culprits."""

import subprocess
import sys
from dataclasses import dataclass

import pytest

from adjudge.core.errors import BadParameter
from adjudge.core.registry import BadRegistration, Registry


@dataclass(frozen=True)
class Thing:
    """Something to register."""

    name: str
    suffix: str = ""
    aliases: tuple[str, ...] = ()


@pytest.fixture(autouse=True)
def things(monkeypatch):
    """Modules of the tests get the class from here."""
    monkeypatch.setitem(sys.modules, "things", sys.modules[__name__])


def thing(arguments: str, attribute: str = "THING") -> str:
    return f"from things import Thing\n{attribute} = Thing({arguments})\n"


def registry(package: str) -> Registry[Thing]:
    return Registry(
        package, "THING", Thing, "thing", lambda item: (item.suffix,) if item.suffix else ()
    )


def test_every_module_gives_one_item_or_several(package):
    several = "from things import Thing\nTHING = (Thing('one'), Thing('two'))\n"
    things = registry(package({"both": several, "three": thing("'three'")}))
    assert list(things) == ["one", "two", "three"]
    assert len(things) == 3
    assert things["two"] == Thing("two") == things.named("two")


def test_a_name_alone_imports_its_module_alone(package):
    name = package({"first_one": thing("'first-one'"), "other": "raise RuntimeError('imported')"})
    things = registry(name)
    assert things.named("first-one") == Thing("first-one")
    assert f"{name}.other" not in sys.modules
    with pytest.raises(RuntimeError, match="imported"):
        list(things)


def test_an_unknown_name_is_refused_with_the_nearest(package):
    things = registry(package({"kendall": thing("'kendall'"), "pearson": thing("'pearson'")}))
    with pytest.raises(BadParameter) as refused:
        things.named("kendal")
    said = "`thing` cannot be 'kendal'; did you mean 'kendall'? There are: kendall, pearson"
    assert str(refused.value) == said
    for wrong in (None, 3, "", "a.b", "../kendall", "_", "kendall "):
        with pytest.raises(BadParameter, match=r"[Tt]here are"):
            things.named(wrong)


def test_a_name_of_before_is_answered_but_not_listed(package):
    things = registry(package({"new": thing("'new', aliases=('old',)")}))
    assert things.named("old") == things["new"]
    assert list(things) == ["new"]


@pytest.mark.parametrize(
    ("first", "second", "key"),
    [
        pytest.param("'same'", "'same'", "same", id="name"),
        pytest.param("'a', '.x'", "'b', '.x'", ".x", id="suffix"),
        pytest.param("'a', aliases=('old',)", "'b', aliases=('old',)", "old", id="alias"),
        pytest.param("'a'", "'b', aliases=('a',)", "a", id="alias of a name"),
    ],
)
def test_what_two_modules_want_is_refused_with_both_their_names(package, first, second, key):
    name = package({"first": thing(first), "second": thing(second)})
    with pytest.raises(BadRegistration) as refused:
        list(registry(name))
    said = f"{key!r} is a thing twice: in {name}.first and in {name}.second; rename one of them"
    assert str(refused.value) == said


@pytest.mark.parametrize("misspelt", ["THINGS", "THIGN", "THNG"])
def test_a_misspelt_attribute_is_shown(package, misspelt):
    name = package({"module": thing("'a'", misspelt)})
    with pytest.raises(BadRegistration) as refused:
        list(registry(name))
    assert f"{name}.module defines no THING (it has {misspelt})" in str(refused.value)


def test_a_module_that_is_no_thing_belongs_elsewhere(package):
    name = package({"helper": "x = 1"})
    with pytest.raises(BadRegistration, match=f"helper defines no THING; .* out of {name}"):
        list(registry(name))


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("THING = 3", "THING is a int, not a Thing"),
        ("from things import Thing\nTHING = Thing", "THING is a type, not a Thing"),
        ("from things import Thing\nTHING = [Thing('a')]", "THING is a list, not a Thing"),
        ("from things import Thing\nTHING = (Thing('a'), 'b')", "THING is a str, not a Thing"),
        ("THING = ()", "THING is empty; define a thing"),
    ],
)
def test_a_wrong_type_is_refused(package, module, said):
    name = package({"module": module})
    with pytest.raises(BadRegistration) as refused:
        registry(name).named("module")
    assert str(refused.value) == f"{name}.module: {said}"


def test_other_packages_bring_modules_and_items(package):
    ours = package({"ours": thing("'ours'")})
    theirs = package({"module": thing("'theirs'"), "item": thing("'item'", "VALUE")})
    points = {"a": f"{theirs}.module", "b": f"{theirs}.item:VALUE"}
    package({}, {"adjudge.things": points})
    things = registry(ours)
    assert list(things) == ["ours", "theirs", "item"]
    assert things.named("item") == Thing("item")


def test_another_package_cannot_take_a_name_of_ours(package):
    ours = package({"same": thing("'same'"), "unrelated": "raise RuntimeError('imported')"})
    theirs = package({"module": thing("'same'")})
    package({}, {"adjudge.things": {"same": f"{theirs}.module"}})
    with pytest.raises(BadRegistration) as refused:
        registry(ours).named("same")
    assert f"in {ours}.same and in {theirs}.module" in str(refused.value)


@pytest.mark.parametrize(
    ("module", "point", "said"),
    [
        ("1 / 0", "{}.module", "ZeroDivisionError: division by zero"),
        ("import no_such_package", "{}.module", "No module named 'no_such_package'"),
        ("", "{}.module:ABSENT", "has no attribute 'ABSENT'"),
        ("", "{}.absent", "ModuleNotFoundError"),
    ],
)
def test_a_broken_entry_point_is_named(package, module, point, said):
    value = point.format(package({"module": module}))
    package({}, {"adjudge.things": {"broken": value}})
    with pytest.raises(BadRegistration) as refused:
        list(registry(package({"ours": thing("'ours'")})))
    message = str(refused.value)
    assert f"the entry point broken = {value} of adjudge.things cannot be loaded" in message
    assert said in message
    assert message.endswith("mend or uninstall its package")


def test_an_entry_point_of_the_wrong_type_is_refused(package):
    theirs = package({"module": "THING = 3\nTHINGS = ()"})
    package({}, {"adjudge.things": {"wrong": f"{theirs}.module"}})
    with pytest.raises(BadRegistration, match="THING is a int, not a Thing"):
        list(registry(package({"ours": thing("'ours'")})))


def test_one_method_imports_no_other():
    code = (
        "import sys\n"
        "from adjudge.ranking.method import METHODS\n"
        "METHODS.named('expected-wins')\n"
        "print(*(name for name in sys.modules if name.startswith('adjudge.ranking.methods.')))\n"
    )
    imported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert imported.stdout.split() == ["adjudge.ranking.methods.expected_wins"]
