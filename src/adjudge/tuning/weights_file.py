"""Files of weights, in the notation of n-best lists: `d= 0.2 0.1`, `lm= 0.5`, `qe=0.3`.

Plain numbers are weights in the order of the features, as in Moses' files of starting weights; its
further lines, the range of random starts, are not used.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from adjudge.core.errors import BadParameter, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.tuning.candidates import Floats
from adjudge.tuning.moses_nbest import FeatureReader

_NUMBERED = re.compile(r"(.+)_(\d+)")


def read_weights(path: str, names: Sequence[str]) -> Floats:
    """The weights of these features."""
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
    """The weights of a file by name, where nobody knows the features yet."""
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
    """The weights of these features, by name."""
    lacking = [name for name in names if name not in given]
    more = [name for name in given if name not in names]
    if lacking or more:
        said = f"has none for feature {lacking[0]}" if lacking else f"has one for {more[0]}, which"
        there_are = "there are" if lacking else "is no feature; there are"
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
    """Write them so that `read_weights` reads the same."""
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
