"""Trees in Penn bracket notation: `(S (NP (D the) (N cat)) (V sat))`."""

import re
from dataclasses import dataclass, field

from adjudge.core.errors import BadParameter

_PIECE = re.compile(r"[()]|[^\s()]+")


@dataclass(eq=False)
class Tree:
    """Node with a label, its children, and its production."""

    label: str
    children: list["Tree"] = field(default_factory=list)  # those that are nodes, not words
    below: list[str] = field(default_factory=list)  # labels of nodes and words, in order
    production: str = ""


def read_tree(line: str, words: bool = True) -> Tree:
    """Parse a bracketed tree; without `words` all words are equal."""
    top = Tree("")
    path = [top]
    expects_label = False
    for piece in _PIECE.findall(line):
        if expects_label and piece not in "()":
            path[-1].label = piece
            path[-2].below.append(f"({piece}")
            expects_label = False
            continue
        if expects_label:  # a bracket without a label, as Penn writes the outermost
            path[-2].below.append("(")
            expects_label = False
        if piece == "(":
            path.append(Tree(""))
            path[-2].children.append(path[-1])
            expects_label = True
        elif piece == ")":
            _close(path, line)
        elif len(path) == 1:
            raise _no_tree(line)
        else:
            path[-1].below.append(piece if words else "")
    if len(path) != 1 or len(top.children) != 1:
        raise _no_tree(line)
    return top.children[0]


def _close(path: list[Tree], line: str) -> None:
    if len(path) == 1:
        raise _no_tree(line)
    node = path.pop()
    node.production = " ".join((node.label, *node.below))


def _no_tree(line: str) -> BadParameter:
    return BadParameter(f"a tree is a line such as (S (N cats) (V sleep)), not {line[:60]!r}")
