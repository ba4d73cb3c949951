"""Constituents as WMT07 §3.3 chose them, and the phrases that they correspond to.

A constituent is asked about if it is not the whole sentence, has more than three and at most 15
words, and has a corresponding phrase in every translation whose alignment is consistent: the target
words from the first to the last that is aligned to it are aligned to no other source word (Koehn
et al. 2003). The last condition keeps most errors of the alignment away.
"""

from collections.abc import Mapping, Sequence

from adjudge.segments.algorithm import Segment
from adjudge.segments.trees import Tree

SHORTEST, LONGEST = 4, 15


def constituents(tree: Tree, shortest: int = SHORTEST, longest: int = LONGEST) -> list[Segment]:
    """Stretches of a sentence that are constituents, in its order; they may contain each other."""
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
    """Whether the target words of a segment, and those between them, belong to it alone."""
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
