"""Sampling design: outputs, segments and repeats assigned to judges.

Every value can be set; the presets follow the papers:

| preset        | from |
|---------------|------|
| `wmt07`       | WMT07 §3: sets of 5 outputs, 10 % repeated, 40 % from a common pool, nobody on their own system, 200 sets a participant |
| `wmt10`       | Bojar 2011 §2: blocks of 5 drawn uniformly, three consecutive sentences a HIT, the reference as one more system |
| `wmt13`       | WMT13 §3.1: 5 systems drawn at random, three tasks a HIT, 300 a system entered, controls for the crowd |
| `recommended` | Bojar 2011 §6: fewer outputs for long sentences, the reference rarer than a system; and every pair of systems gets its share |
"""  # noqa: E501

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from adjudge.core.errors import BadParameter, instead_of, one_of

Reference = Literal["off", "system", "rarer"]
Balance = Literal["uniform", "balanced", "adaptive"]
OnFailure = Literal["flag", "stop"]
ErrorCategories = Literal["none", "mqm"]


@dataclass(frozen=True)
class Design:
    """Parameters of sampling and quality control."""

    # Outputs in a block: five since WMT07 §3.
    block: int = 5
    # Agreement falls with length, so longer sentences get fewer outputs (Bojar 2011 §2.2.1,
    # §6): `long_block` outputs from `long_words` source words on; None: all alike.
    long_words: int | None = None
    long_block: int = 3
    # Consecutive segments judged by one person as one HIT (Bojar 2011 §2).
    run: int = 3
    # Share of items each judge gets twice, for intra-annotator agreement (WMT07 §3), with at
    # least `repeat_gap` other items in between.
    repeats: float = 0.1
    repeat_gap: int = 10
    # Share of items from a pool common to all judges, for inter-annotator agreement (WMT07
    # §3). One common HIT goes to at most `common_judges` people, then the pool grows; a
    # consensus above 5 (WMT13 §3.1) needs at least 6.
    common: float = 0.4
    common_judges: int = 10
    # Does the reference appear among the outputs: never, as often as a system (Bojar 2011
    # §2.1), or `reference_rate` times as often (Bojar 2011 §6 asks for a lower rate)?
    reference: Reference = "off"
    reference_rate: float = 0.25
    # Outputs are drawn uniformly (Bojar 2011 §2), so that every system and every pair gets
    # its share, or where the ranking needs comparisons most.
    balance: Balance = "balanced"
    # Two outputs side by side (Bojar 2011 §2.5.2): may one call them alike without saying
    # whether both are fine or both wrong?
    plain_tie: bool = False
    # Errors are marked by severity alone, as in ESA, or also by category, as in MQM.
    error_categories: ErrorCategories = "none"
    # Items each judge owes per system they entered (WMT13 §3.1).
    quota_per_system: int = 300
    # Rankings the campaign wants in all; None: until it is closed.
    target: int | None = None
    # Controls (WMT13 §3.1): where the trusted groups' votes differ by more than
    # `control_margin`, given as a share of the items of the controlled groups. A judge
    # who met `controls_met` of them and failed more than the share `controls_failed` is
    # flagged or stopped.
    trusted_groups: tuple[str, ...] = ("researchers",)
    controlled_groups: tuple[str, ...] = ("crowd",)
    controls: float = 0.1
    control_margin: int = 5
    controls_met: int = 10
    controls_failed: float = 0.5
    on_failure: OnFailure = "stop"
    # An answer faster than this many shown characters a second is flagged: ten times the
    # pace of ordinary reading.
    fastest_reading: float = 250.0
    # An item neither answered nor skipped for so many hours returns to the pool.
    abandoned_hours: float = 24.0

    def __post_init__(self) -> None:
        _check(self)

    def to_json(self) -> dict[str, Any]:
        """Return the stored form."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Design":
        """Parse the stored form or an organiser's input; refuse unknown names."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(stored) - known)
        if unknown:
            instead = instead_of(unknown[0], sorted(known))
            raise BadParameter(f"no design value {unknown[0]!r}; {instead}")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in stored.items()
        }
        return cls(**values)

    def outputs_for(self, words: int) -> int:
        """Number of outputs per block for a source segment of this many words."""
        is_long = self.long_words is not None and words >= self.long_words
        return min(self.block, self.long_block) if is_long else self.block


def _check_between(design: Design, name: str, low: float, high: float) -> None:
    value = getattr(design, name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadParameter(f"design: {name} is {value!r}; choose from {low:g} to {high:g}")


def _check_choice(design: Design, name: str, choices: tuple[str, ...]) -> None:
    value = getattr(design, name)
    if value not in choices:
        raise BadParameter(f"design: {name} is {value!r}; choose {' or '.join(choices)}")


def _check(design: Design) -> None:
    whole = {"block": (2, 6), "long_block": (2, 6), "run": (1, 20), "repeat_gap": (0, 1000)}
    whole |= {"common_judges": (2, 10_000), "quota_per_system": (1, 100_000)}
    whole |= {"control_margin": (0, 1000), "controls_met": (1, 1000)}
    if design.long_words is not None:
        whole["long_words"] = (1, 1000)
    if design.target is not None:
        whole["target"] = (1, 10**9)
    for name, (low, high) in whole.items():
        _check_between(design, name, low, high)
        if not isinstance(getattr(design, name), int):
            raise BadParameter(f"design: {name} is {getattr(design, name)!r}; give a whole number")
    for name in ("repeats", "common", "controls", "controls_failed"):
        _check_between(design, name, 0, 1)
    _check_between(design, "reference_rate", 0.01, 1)
    _check_between(design, "fastest_reading", 1, 10**6)
    _check_between(design, "abandoned_hours", 0.01, 10_000)
    _check_choice(design, "reference", get_args(Reference))
    _check_choice(design, "balance", get_args(Balance))
    _check_choice(design, "on_failure", get_args(OnFailure))
    _check_choice(design, "error_categories", get_args(ErrorCategories))
    if not isinstance(design.plain_tie, bool):
        raise BadParameter(f"design: plain_tie is {design.plain_tie!r}; choose true or false")
    if design.repeats + design.common > 1:
        raise BadParameter("design: repeats and common are more than all items; lower one of them")


_WMT07 = Design(run=1, balance="uniform", quota_per_system=200, controls=0.0)

PRESETS: Mapping[str, Design] = {
    "wmt07": _WMT07,
    "wmt10": Design(balance="uniform", reference="system", controls=0.0),
    "wmt13": Design(balance="uniform"),
    "recommended": Design(long_words=21, reference="rarer"),
}


def design_named(name: str, **changes: Any) -> Design:
    """Return a preset with changed values."""
    return replace(PRESETS[one_of(name, PRESETS, "preset")], **changes)
