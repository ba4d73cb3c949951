"""Algorithm 1 of Macháček 2014 §2: short segments of a sentence, from its parse tree.

Top down: a node with at most `longest` words is a segment if it has at least `shortest`, and is not
entered; a longer one is left for its children. No two segments overlap, each is contiguous, and
they come in the order of the sentence. Words that no segment covers are left out.

The thesis wished for segments that cover at least the predicates (§6.3): verbs between their
arguments are often words by themselves and too short. With `predicates`, a verb that is left out
becomes a segment with the uncovered words around it.
"""

from adjudge.core.errors import BadParameter, within
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
    """The segments of one sentence."""
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
