"""How to search for weights: what all doors of tuning are asked alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadParameter

if TYPE_CHECKING:
    from adjudge.tuning.candidates import Floats
    from adjudge.tuning.line_search import Neighbours
    from adjudge.tuning.search import Choice, Directions, Search
    from adjudge.tuning.weights import Limits

Names = str | Iterable[str]


def names_of(given: Names) -> list[str]:
    """One name or several."""
    return [given] if isinstance(given, str) else list(given)


@dataclass(frozen=True)
class Searching:
    """The search, and limits of weights; `Candidates.tune` says what each is."""

    restarts: int
    rounds: int
    directions: "Directions"
    random_directions: int
    neighbours: "Neighbours"
    window: int
    choice: "Choice"
    positive: Names
    negative: Names
    frozen: Names

    def __post_init__(self) -> None:
        for name in ("positive", "negative", "frozen"):  # may be given as iterators
            object.__setattr__(self, name, names_of(getattr(self, name)))

    @property
    def told(self) -> dict[str, Any]:
        """For the signature."""
        return dict(vars(self))

    def search(self, seed: int) -> "Search":
        """As the search wants it; refuses what cannot be."""
        from adjudge.tuning.line_search import Regularisation
        from adjudge.tuning.search import Search

        return Search(
            self.restarts,
            self.rounds,
            self.directions,
            self.random_directions,
            Regularisation(self.neighbours, self.window),
            self.choice,
            seed,
        )

    def limits(self, features: Sequence[str]) -> "Limits":
        """Of the weights of these features."""
        from adjudge.tuning.weights import limits_of

        return limits_of(
            features, names_of(self.positive), names_of(self.negative), names_of(self.frozen)
        )

    def limits_from(self, features: Sequence[str], start: "Floats | None") -> "Limits":
        """The same for weights that begin there; frozen ones must begin somewhere."""
        limits = self.limits(features)
        if limits.frozen.any() and start is None:
            raise BadParameter("`frozen` weights stay as they are; give `weights` to begin with")
        return limits
