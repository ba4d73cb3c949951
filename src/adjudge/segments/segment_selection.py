"""Selection of short segments: Algorithm 1 of Macháček 2014, or constituents as in WMT07.

Algorithm 1 (§2) takes segments from the parse tree of a sentence.

Top down: a node with at most `longest` words is a segment if it has at least `shortest`, and is not
entered; a longer one is left for its children. No two segments overlap, each is contiguous, and
they come in the order of the sentence. Words that no segment covers are left out.

The thesis wished for segments that cover at least the predicates (§6.3): verbs between their
arguments are often words by themselves and too short. With `predicates`, a verb that is left out
becomes a segment with the uncovered words around it.

Constituents as WMT07 §3.3 chose them, and the phrases that they correspond to.

A constituent is asked about if it is not the whole sentence, has more than three and at most 15
words, and has a corresponding phrase in every translation whose alignment is consistent: the target
words from the first to the last that is aligned to it are aligned to no other source word (Koehn
et al. 2003). The last condition keeps most errors of the alignment away.

Which segments of a sentence are asked about: Algorithm 1, or the constituents of WMT07.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.core.errors import BadParameter, within
from adjudge.segments.alignments import Alignment
from adjudge.segments.trees import Tree

Segment = tuple[int, ...]  # places of neighbouring words


def check_lengths(shortest: int, longest: int) -> None:
    """Refuse lengths that no segment can have."""
    within(shortest, "shortest", 1)
    within(longest, "longest", 1)
    if shortest > longest:
        raise BadParameter(f"`shortest` is {shortest}, more than `longest`, which is {longest}")


def source_segments(
    tree: Tree, shortest: int = 3, longest: int = 6, predicates: bool = False
) -> list[Segment]:
    """Segments of one sentence."""
    segments = []
    left = [tree.root]
    while left:
        node = left.pop()
        contiguous = node.words[-1] - node.words[0] == len(node.words) - 1
        if len(node.words) <= longest and (contiguous or not node.children):
            if len(node.words) >= shortest:
                segments.append(node.words)
        else:
            left += reversed(node.children)
    segments.sort()
    return _with_predicates(tree, segments, longest) if predicates else segments


def _with_predicates(tree: Tree, segments: list[Segment], longest: int) -> list[Segment]:
    covered = {word for segment in segments for word in segment}
    for verb in tree.predicates:
        if verb in covered:
            continue
        first = last = verb
        while last - first + 1 < longest:  # a word to the right, a word to the left, and so on
            before = first, last
            if last + 1 < tree.length and last + 1 not in covered:
                last += 1
            if last - first + 1 < longest and first > 0 and first - 1 not in covered:
                first -= 1
            if before == (first, last):
                break
        segments.append(tuple(range(first, last + 1)))
        covered.update(segments[-1])
    return sorted(segments)


SHORTEST, LONGEST = 4, 15


def constituents(tree: Tree, shortest: int = SHORTEST, longest: int = LONGEST) -> list[Segment]:
    """Spans of a sentence that are constituents, in order; they may be nested."""
    stretches = set()
    nodes = [tree.root]
    while nodes:
        node = nodes.pop()
        nodes += node.children
        contiguous = node.words[-1] - node.words[0] == len(node.words) - 1
        if contiguous and len(node.words) < tree.length:
            stretches.add(node.words)
    return sorted(words for words in stretches if shortest <= len(words) <= longest)


def is_consistent(segment: Segment, links: Mapping[int, Sequence[int]]) -> bool:
    """Test whether the target words of a segment, and those between them, are aligned to it
    alone.
    """
    own = {target for word in segment for target in links.get(word, ())}
    if not own:
        return False
    inside = set(segment)
    return not any(
        min(own) <= target <= max(own)
        for word, targets in links.items()
        if word not in inside
        for target in targets
    )


@dataclass(frozen=True)
class Choice:
    """Selection of spans of a sentence, and of the corresponding parts of outputs."""

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
        """Segments of one sentence, which every system has aligned."""
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
    """Copy of a published selection with changed parameters; None keeps the published value."""
    lengths = {"shortest": shortest, "longest": longest}
    changed: dict[str, Any] = {name: value for name, value in lengths.items() if value is not None}
    changed |= {name: value for name, value in more.items() if value}
    return replace(WMT07 if constituents else ALGORITHM_1, **changed)
