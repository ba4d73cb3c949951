"""The packed column `output`: as expressions and as functions, one and the same."""

from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.outputs import (
    attributed,
    has_one_system,
    includes_reference,
    is_system_name,
    join_column,
    join_group,
    join_lists,
    join_systems,
    known_text,
    list_systems,
    separate_systems,
    shown_name,
    system_order,
    systems_among,
    systems_of,
    text_output,
    unattributed,
)

names = st.text("aBc+ ü", min_size=1)
packed = st.lists(names, min_size=1, max_size=3).map(join_systems) | names.map(unattributed)


@given(st.lists(st.none() | packed, min_size=1))
def test_expressions_say_what_the_functions_say(outputs):
    frame = pl.DataFrame({"output": pl.Series(outputs, dtype=pl.Categorical)}).select(
        systems=list_systems(),
        attributed=attributed(),
        alone=has_one_system(),
        text=known_text(),
        joined=separate_systems("|"),
    )
    for output, row in zip(outputs, frame.iter_rows(named=True), strict=True):
        if output is None:
            assert set(row.values()) == {None}
            continue
        systems = systems_of(output)
        assert tuple(row["systems"]) == systems
        assert row["attributed"] == bool(systems)
        assert row["alone"] == (len(systems) == 1)
        assert row["joined"] == "|".join(systems)
        assert (row["text"] is None) == bool(systems)
        if not systems:
            assert unattributed(row["text"]) == output
            assert pl.select(text_output(pl.lit(row["text"]))).item() == output


@given(st.lists(st.lists(names, min_size=1, max_size=4), min_size=1))
def test_joining_is_the_same_in_any_order(groups):
    outputs = [join_systems(group) for group in groups]
    lists = pl.Series([group[::-1] for group in groups])
    assert join_lists(lists).to_list() == outputs
    assert join_column(lists.list.join("|"), "|").to_list() == outputs
    rows = [(i, name) for i, group in enumerate(groups) for name in system_order(group)]
    frame = pl.DataFrame(rows, schema=["group", "system"], orient="row")
    grouped = frame.group_by("group", maintain_order=True).agg(join_group("system"))
    assert grouped["system"].to_list() == outputs
    assert systems_among(outputs) == {name for group in groups for name in group}


def test_people_see_no_control_character():
    assert shown_name(join_systems(("b", "A"))) == "A, b"
    assert shown_name(unattributed("some text")) == "some text"
    assert includes_reference(join_systems(("A", "ref")))
    assert not includes_reference(unattributed("ref"))
    assert is_system_name("online-A")
    assert not any(map(is_system_name, ("", " A", join_systems("AB"))))


def test_no_other_module_takes_outputs_apart():
    source = Path(__file__).parents[2] / "src" / "adjudge"
    said = [
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if "\\x1f" in path.read_text().replace(r"\x1f\x8b", "").replace(r"\x0e-\x1f", "")
    ]
    assert said == ["data/outputs.py"]
