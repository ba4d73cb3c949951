"""Designs: the papers' values, and what is refused."""

import pytest

from adjudge.campaigns.design import PRESETS, Design, design_named
from adjudge.core.errors import AdjudgeError


def test_the_papers_values() -> None:
    wmt07 = PRESETS["wmt07"]
    assert (wmt07.block, wmt07.repeats, wmt07.common, wmt07.quota_per_system) == (5, 0.1, 0.4, 200)
    wmt10 = PRESETS["wmt10"]
    assert (wmt10.run, wmt10.reference, wmt10.balance) == (3, "system", "uniform")
    wmt13 = PRESETS["wmt13"]
    assert (wmt13.block, wmt13.run, wmt13.quota_per_system) == (5, 3, 300)
    assert (wmt13.control_margin, wmt13.controls_met, wmt13.controls_failed) == (5, 10, 0.5)
    recommended = PRESETS["recommended"]
    assert (recommended.reference, recommended.balance) == ("rarer", "balanced")
    assert recommended.outputs_for(20) == 5
    assert recommended.outputs_for(21) == 3


@pytest.mark.parametrize("name", PRESETS)
def test_designs_survive_storage(name: str) -> None:
    import json

    assert Design.from_json(json.loads(json.dumps(PRESETS[name].to_json()))) == PRESETS[name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("block", 1),
        ("block", 7),
        ("block", 2.5),
        ("block", True),
        ("run", 0),
        ("repeats", 1.1),
        ("repeats", 0.7),  # with 40 % common that is more than all
        ("reference", "often"),
        ("balance", ""),
        ("target", 0),
        ("fastest_reading", float("nan")),
    ],
)
def test_impossible_designs_are_refused(name: str, value: object) -> None:
    with pytest.raises(AdjudgeError, match=name):
        Design(**{name: value})  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AdjudgeError, match="no design value 'blocks'"):
        Design.from_json({"blocks": 5})
    with pytest.raises(AdjudgeError, match="`preset` cannot be 'wmt99'; did you mean"):
        design_named("wmt99")
