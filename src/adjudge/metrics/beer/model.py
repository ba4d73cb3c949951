"""Models of BEER: feature weights and tokenisation, in a plain-text table.

    setting   variant    2014
    setting   tokenize   13a
    feature   weight     min   max
    all.f     0.21       0     1

with tabs between. A file without settings is a model in the published form of BEER 2.0: words are
split at blanks, and the score is its own linear function of the weighted sum.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache

import numpy as np

from adjudge.core.errors import BadParameter, InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.metrics.metric import Floats
from adjudge.metrics.tokenizer import TOKENIZERS

VARIANTS = ("2014", "2.0")
_HEADER = "feature\tweight\tmin\tmax"


@dataclass(frozen=True)
class Settings:
    """Tokenisation of a model, and the transformation of its weighted sum into a score."""

    variant: str = "2.0"
    tokenize: str = "none"
    lowercase: str = "no"
    language: str = "en"
    modules: str = "exact"  # of METEOR's aligner, which BEER 2014 uses
    function: str = ""  # function words, with blanks between
    intercept: float = 8.580459341342790  # BEER 2.0's
    slope: float = 20.51272094172102
    cut: str = "yes"  # scores below 0 and above 1, as BEER 2.0 does


@dataclass(frozen=True, eq=False)
class Model:
    """Weight, minimum and maximum of every feature."""

    weights: Mapping[str, tuple[float, float, float]]
    settings: Settings = field(default_factory=Settings)

    def scores(self, features: Mapping[str, Floats]) -> Floats:
        """Compute (intercept + slope · Σ w (φ − min) / (max − min)) / 100."""
        unknown = [name for name in self.weights if name not in features]
        if unknown:
            variant = self.settings.variant
            raise BadParameter(f"`model` weighs {unknown[0]!r}, no feature of BEER {variant}")
        total = sum(
            w * (features[f] - low) / (high - low) for f, (w, low, high) in self.weights.items()
        )
        score = (self.settings.intercept + self.settings.slope * np.asarray(total)) / 100
        return np.clip(score, 0.0, 1.0) if self.settings.cut == "yes" else score

    def write(self, path: str, remark: str = "") -> None:
        """Write the file that `beer(model=FILE)` reads."""
        lines = [f"# {remark}"] if remark else []
        lines += [f"setting\t{f.name}\t{getattr(self.settings, f.name)}" for f in fields(Settings)]
        lines += [_HEADER]
        lines += ["\t".join(map(str, (name, *numbers))) for name, numbers in self.weights.items()]
        with open_output(path) as stream:
            stream.write(("\n".join(lines) + "\n").encode())


@lru_cache(maxsize=4)
def read_model(path: str) -> Model:
    """Read a model file."""
    if not path:
        raise BadParameter("beer needs its weights; give beer(model=FILE), see docs/metrics.md")
    file = InputFile(path)
    weights: dict[str, tuple[float, float, float]] = {}
    told: dict[str, str | float] = {}
    for number, line in enumerate(file.text.split("\n"), 1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or line.startswith("#") or cells[0] == "feature":
            continue
        try:
            if cells[0] == "setting":
                told |= _setting(cells[1], cells[2])
            else:
                weights[cells[0]] = _row(*map(float, cells[1:4]))
        except BadParameter as error:
            raise file.bad_line(number, f"{error}; correct it") from None
        except (ValueError, TypeError, IndexError):
            raise file.bad_line(
                number, "is neither feature, weight, min, max nor a setting, with tabs"
            ) from None
    if not weights:
        raise InputError("has no weights; give a model of BEER", file=path)
    return Model(weights, Settings(**told))  # type: ignore[arg-type]


def _row(weight: float, low: float, high: float) -> tuple[float, float, float]:
    if not low < high:
        raise BadParameter(f"min {low:g} is not below max {high:g}")
    return weight, low, high


def _setting(name: str, value: str) -> dict[str, str | float]:
    """Parse and validate a setting."""
    kinds = {each.name: each.type for each in fields(Settings)}
    one_of(name, kinds, "setting")
    if name == "variant":
        one_of(value, VARIANTS, name)
    elif name in ("lowercase", "cut"):
        one_of(value, ("yes", "no"), name)
    elif name == "tokenize":
        TOKENIZERS.named(value)
    return {name: float(value) if kinds[name] is float else value}
