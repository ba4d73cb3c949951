"""Tree kernel: common subtrees of two trees (DiscoTK, Macháček 2014 §4.2.6).

    K(a, b) = Σ over nodes m of a and n of b of C(m, n),   score = K(a, b) / √(K(a, a) K(b, b))

C(m, n) is 0 unless both nodes have the same label and the labels of their children agree, in order;
then it is λ Π (1 + C(child of m, child of n)) over children that have children (Collins and Duffy
2002). `decay` is λ: 1 counts all subtrees equally, lower values give large ones less weight.
`words=no` takes words at the leaves for equal.

Lines are trees with Penn's brackets, `(S (NP (D the) (N cat)) (V sat))`, not words: parses, or the
discourse trees of a rhetorical parser. A line may have several trees with ` ||| ` between, such as
DiscoTK's five ways to write a discourse tree; their kernels are averaged (DiscoTK-light). The score
of a corpus is the mean of its segments. 0 to 1. Of several references the best counts. Two empty
lines agree, an empty one beside another has 0. No tool's numbers are known, nor DiscoTK's λ; 0.4 is
common.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from math import prod, sqrt
from typing import ClassVar

import numpy as np

from adjudge.core.errors import within
from adjudge.metrics.bracketed_trees import Tree, read_tree
from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts

BETWEEN = "|||"


@dataclass(frozen=True)
class TreeKernel(Metric):
    """Tree kernel with its parameters."""

    name: ClassVar[str] = "tree-kernel"
    title: ClassVar[str] = "tree kernel"
    summary: ClassVar[str] = "subtrees in common, normalised (lines are bracketed trees)"
    paper: ClassVar[str] = "Collins and Duffy 2002; Guzmán et al. 2014"
    scale: ClassVar[str] = "0 to 1"
    reads: ClassVar[str] = "trees"

    decay: float = 0.4
    words: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.decay, "decay", 0.01, 1)

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        theirs = [[self._trees(line) for line in lines] for lines in references]

        def scored(texts: Texts) -> Floats:
            own = [self._trees(line) for line in texts]
            each = [
                [self._alike(*pair) for pair in zip(own, others, strict=True)] for others in theirs
            ]
            return scores_and_ones(np.max(each, axis=0))

        return scored

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)

    def _trees(self, line: str) -> list[Tree]:
        return [read_tree(part, self.words) for part in line.split(BETWEEN) if part.strip()]

    def _alike(self, own: list[Tree], other: list[Tree]) -> float:
        """Mean kernel over trees; a tree missing on one side counts 0."""
        if not own or not other:
            return float(not own and not other)
        kernels = [
            0.0 if first is None or second is None else self._normalised(first, second)
            for first, second in zip_longest(own, other)
        ]
        return sum(kernels) / len(kernels)

    def _normalised(self, own: Tree, other: Tree) -> float:
        whole = sqrt(self._kernel(own, own) * self._kernel(other, other))
        return min(self._kernel(own, other) / whole, 1.0)

    def _kernel(self, own: Tree, other: Tree) -> float:
        nodes: dict[str, list[Tree]] = {}
        for node in _nodes(other):
            nodes.setdefault(node.production, []).append(node)
        known: dict[tuple[int, int], float] = {}
        return sum(
            self._common(first, second, known)
            for first in _nodes(own)
            for second in nodes.get(first.production, ())
        )

    def _common(self, first: Tree, second: Tree, known: dict[tuple[int, int], float]) -> float:
        """Compute C of two nodes, memoised."""
        if first.production != second.production:
            return 0.0
        key = (id(first), id(second))
        if key not in known:
            pairs = zip(first.children, second.children, strict=True)
            known[key] = self.decay * prod(1 + self._common(*pair, known) for pair in pairs)
        return known[key]


def _nodes(tree: Tree) -> Iterator[Tree]:
    """Nodes that have children or words."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


METRIC = TreeKernel()
