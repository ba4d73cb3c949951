"""Feature weights: their files, and the limits that tuning keeps.

Limits fix the signs or the values of weights.

Files of weights, in the notation of n-best lists: `d= 0.2 0.1`, `lm= 0.5`, `qe=0.3`.

Plain numbers are weights in the order of the features, as in Moses' files of starting weights; its
further lines, the range of random starts, are not used.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.moses_nbest import FeatureReader


@dataclass(frozen=True, eq=False)
class Limits:
    """Bounds of each weight, and the frozen ones."""

    low: Floats
    high: Floats
    frozen: NDArray[np.bool_]

    @property
    def free(self) -> Numbers:
        """Features whose weights may change."""
        return np.flatnonzero(~self.frozen)

    def on_lines(self, weights: Floats, directions: Floats) -> tuple[Floats, Floats]:
        """Lowest and highest γ of every line within the limits."""
        low, high = np.full(len(directions), -np.inf), np.full(len(directions), np.inf)
        for k in np.flatnonzero(np.isfinite(self.low) | np.isfinite(self.high)):
            step = directions[:, k]
            moved = step != 0
            to_low = (self.low[k] - weights[k]) / np.where(moved, step, 1.0)
            to_high = (self.high[k] - weights[k]) / np.where(moved, step, 1.0)
            low = np.where(moved, np.maximum(low, np.minimum(to_low, to_high)), low)
            high = np.where(moved, np.minimum(high, np.maximum(to_low, to_high)), high)
        return low, high


def unlimited(features: int) -> Limits:
    """No limits."""
    return Limits(
        np.full(features, -np.inf), np.full(features, np.inf), np.zeros(features, np.bool_)
    )


def limits_of(
    features: Sequence[str], positive: list[str], negative: list[str], frozen: list[str]
) -> Limits:
    """Build limits by feature name or label: `tm` for tm_0, tm_1, …."""
    limits = unlimited(len(features))
    limits.low[_places(features, positive, "positive")] = 0.0
    limits.high[_places(features, negative, "negative")] = 0.0
    limits.frozen[_places(features, frozen, "frozen")] = True
    both = np.flatnonzero((limits.low == 0) & (limits.high == 0))
    if len(both):
        raise BadParameter(
            f"{features[both[0]]} cannot be both `positive` and `negative`; choose one"
        )
    if limits.frozen.all():
        raise BadParameter("all weights are `frozen`; leave one to be tuned")
    return limits


def _places(features: Sequence[str], names: list[str], parameter: str) -> list[int]:
    """Indices of the features with these names or labels."""
    labels = [feature.rpartition("_")[0] for feature in features]
    for name in names:
        one_of(name, dict.fromkeys([*features, *filter(None, labels)]), parameter)
    return [
        place
        for place, (feature, label) in enumerate(zip(features, labels, strict=True))
        if feature in names or label in names
    ]


_NUMBERED = re.compile(r"(.+)_(\d+)")


def read_weights(path: str, names: Sequence[str]) -> Floats:
    """Read the weights of these features."""
    file = InputFile(path)
    lines = [line.split() for line in file.text.split("\n") if line.strip()]
    if all(_is_number(token) for token in lines[0]):
        if len(lines[0]) != len(names):
            raise file.bad_line(
                1, f"has {len(lines[0])} weights for {len(names)} features; give one each"
            )
        return _finite(np.array(lines[0], np.float64), names, file.name)
    known, values = FeatureReader(file).read(1, [token for line in lines for token in line])
    try:
        return weights_of(dict(zip(known, values, strict=True)), names)
    except BadParameter as error:
        raise InputError(str(error).replace("`weights` ", ""), file=file.name) from None


def named_weights(path: str) -> dict[str, float]:
    """Read the weights of a file by name, before the features are known."""
    file = InputFile(path)
    tokens = file.text.split()
    if not tokens or _is_number(tokens[0]):
        raise InputError(
            "has no names; a decoder is told weights by name: write NAME=NUMBER, or LABEL= NUMBER "
            "NUMBER …",
            file=file.name,
        )
    names, values = FeatureReader(file).read(1, tokens)
    weights_of(dict(zip(names, values, strict=True)), names)
    return dict(zip(names, values, strict=True))


def weights_of(given: Mapping[str, float], names: Sequence[str]) -> Floats:
    """Weights of these features, by name."""
    lacking = [name for name in names if name not in given]
    more = [name for name in given if name not in names]
    if lacking or more:
        said = f"has none for feature {lacking[0]}" if lacking else f"has one for {more[0]}, which"
        there_are = "there are" if lacking else "is not a feature; there are"
        raise BadParameter(f"`weights` {said}; {there_are} {', '.join(names)}")
    return _finite(np.array([given[name] for name in names], np.float64), names, "`weights`")


def _finite(weights: Floats, names: Sequence[str], where: str) -> Floats:
    for name, weight in zip(names, weights, strict=True):
        if not np.isfinite(weight):
            raise BadParameter(f"{where}: the weight of {name} is {weight}; give a finite number")
    if not weights.any():
        raise BadParameter(f"{where}: all weights are 0; give one that is not")
    return weights


def write_weights(path: str, names: Sequence[str], weights: Floats) -> None:
    """Write weights in a format that `read_weights` reads back exactly."""
    lines: list[str] = []
    label = ""
    for name, weight in zip(names, weights.tolist(), strict=True):
        numbered = _NUMBERED.fullmatch(name)
        if numbered is None:
            label = ""
            lines.append(f"{name}={weight!r}")
        elif numbered[2] == "0":
            label = numbered[1]
            lines.append(f"{label}= {weight!r}")
        elif numbered[1] == label:
            lines[-1] += f" {weight!r}"
        else:
            lines.append(f"{name}={weight!r}")
    with open_output(path) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())


def _is_number(token: str) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return True
