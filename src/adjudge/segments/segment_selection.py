"""Which segments of a sentence are asked about: Algorithm 1, or the constituents of WMT07."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.core.errors import BadParameter
from adjudge.segments.algorithm import Segment, check_lengths, source_segments
from adjudge.segments.alignments import Alignment
from adjudge.segments.constituents import LONGEST, SHORTEST, constituents, is_consistent
from adjudge.segments.trees import Tree


@dataclass(frozen=True)
class Choice:
    """Which stretches of a sentence are asked about, and what of an output belongs to them."""

    shortest: int = 3
    longest: int = 6
    predicates: bool = False
    contiguous: bool = False
    constituents: bool = False  # as WMT07 chose them, instead of Algorithm 1

    def __post_init__(self) -> None:
        check_lengths(self.shortest, self.longest)
        if self.constituents and self.predicates:
            raise BadParameter("`predicates` adds segments to Algorithm 1, not to `constituents`")

    def of_sentence(self, tree: Tree, links: Sequence[Alignment]) -> list[Segment]:
        """The segments of one sentence, which every system has aligned."""
        if not self.constituents:
            return source_segments(tree, self.shortest, self.longest, self.predicates)
        return [
            segment
            for segment in constituents(tree, self.shortest, self.longest)
            if all(is_consistent(segment, own) for own in links)
        ]


ALGORITHM_1 = Choice()
WMT07 = Choice(SHORTEST, LONGEST, contiguous=True, constituents=True)


def chosen(
    constituents: bool = False,
    shortest: int | None = None,
    longest: int | None = None,
    **more: bool,
) -> Choice:
    """A published choice with something changed; None is as it was published."""
    lengths = {"shortest": shortest, "longest": longest}
    changed: dict[str, Any] = {name: value for name, value in lengths.items() if value is not None}
    changed |= {name: value for name, value in more.items() if value}
    return replace(WMT07 if constituents else ALGORITHM_1, **changed)
