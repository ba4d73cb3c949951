"""Parse trees of source sentences, read from files or parsed by spaCy.

Files are in Penn brackets or CoNLL-U.

Only positions matter: a tree has as many words as its sentence has tokens, and which word a leaf
is, is its place. A file of brackets has one tree a line. In CoNLL-U, sentences stand between empty
lines; ranges of words (`3-4`) and empty nodes (`5.1`) are no words of the tree.

Dependencies become constituents by taking a head and its dependents together in rings, as phrases
grow around a head: a noun first takes what stands before it, then what follows, then its
preposition; a verb first takes what follows, then auxiliaries, then subject and adverbials. The
words of a node are not always neighbours.

Trees for sentences that come without: a pipeline of spaCy that is installed or in a folder.

spaCy finds dependencies; they become constituents as those of CoNLL-U do.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, MissingExtra
from adjudge.core.files.input_file import InputFile
from adjudge.segments.sentences import Sentences

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


_TOKEN = re.compile(r"[()]|[^\s()]+")
_BORDER = {"cc", "mark", "preconj"}
_SUBJECTS = {"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"}
_AUXILIARIES = {"aux", "auxpass", "cop", "neg"}
_ADVERBIALS = {"advmod", "advcl", "obl", "npadvmod", "prep", "discourse", "vocative", "dislocated"}
_ADVERBIALS |= {"parataxis", "ccomp"}  # these are said, and what is said may come first
_PENN_VERBS = re.compile(r"VB[DPZ]?|MD")  # finite ones, and what follows a modal


@dataclass(frozen=True)
class Node:
    """Constituent: the positions of its words, and its children; a single word has none."""

    words: tuple[int, ...]
    children: tuple["Node", ...] = ()


@dataclass(frozen=True)
class Tree:
    """Tree of a sentence, and the set of its predicates."""

    root: Node
    leaves: tuple[str, ...]  # its words as the parser writes them
    predicates: tuple[int, ...]
    line: int  # where it begins in its file

    @property
    def length(self) -> int:
        """Number of words."""
        return len(self.root.words)


def read_trees(path: str) -> list[Tree]:
    """Read the trees of a file, in brackets if its first line begins with one."""
    file = InputFile(path)
    first = next((line for line in file.text.split("\n") if line.strip()), "")
    return _brackets(file) if first.lstrip().startswith("(") else _conllu(file)


def _brackets(file: InputFile) -> list[Tree]:
    lines = file.text.rstrip("\n").split("\n")
    return [_bracketed(file, number, line) for number, line in enumerate(lines, 1)]


def _bracketed(file: InputFile, number: int, line: str) -> Tree:
    """Parse one tree; a word follows a label inside brackets that contain nothing else."""
    open_nodes: list[list[str | Node]] = [[]]
    leaves: list[str] = []
    predicates: list[int] = []
    for token in _TOKEN.findall(line):
        if token == "(":
            open_nodes.append([])
        elif token != ")":
            open_nodes[-1].append(token)
        else:
            parts = open_nodes.pop()
            if not open_nodes:
                raise file.bad_line(number, "unmatched closing bracket; correct the tree")
            children = tuple(part for part in parts if isinstance(part, Node))
            labels = [part for part in parts if isinstance(part, str)]
            if not children and len(labels) == 2:
                if _PENN_VERBS.fullmatch(labels[0]):
                    predicates.append(len(leaves))
                open_nodes[-1].append(Node((len(leaves),)))
                leaves.append(labels[1])
            elif children:
                open_nodes[-1].append(_joined(children))
    if len(open_nodes) != 1:
        raise file.bad_line(number, "a bracket is not closed; is the tree cut?")
    roots = tuple(part for part in open_nodes[0] if isinstance(part, Node))
    if not roots:
        raise file.bad_line(number, "the sentence has no tree; parse it, or leave the sentence out")
    return Tree(_joined(roots), tuple(leaves), tuple(predicates), number)


def _conllu(file: InputFile) -> list[Tree]:
    trees, rows, begun = [], list[tuple[int, list[str]]](), 1
    for number, line in enumerate([*file.text.split("\n"), ""], 1):
        if not line.strip():
            if rows:
                trees.append(_depending(file, rows, begun))
            rows, begun = [], number + 1
        elif not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) != 10:
                raise file.bad_line(
                    number, f"has {len(cells)} columns; CoNLL-U has ten, and trees in brackets a ("
                )
            if cells[0].isdecimal():
                rows.append((number, cells))
    if not trees:
        raise file.bad_line(1, "there is no tree here; give Penn brackets or CoNLL-U")
    return trees


def _depending(file: InputFile, rows: Sequence[tuple[int, list[str]]], begun: int) -> Tree:
    heads = []
    for number, cells in rows:
        if not cells[6].isdecimal() or int(cells[6]) > len(rows):
            raise file.bad_line(number, f"the head {cells[6]!r} is not a word of the sentence")
        heads.append(int(cells[6]) - 1)
    words, tags, relations = ([cells[column] for _, cells in rows] for column in (1, 3, 7))
    tree = dependency_tree(words, heads, tags, relations, rows[0][0])
    if tree is None:
        raise file.bad_line(begun, "the heads of this sentence form a cycle; correct them")
    return tree


def dependency_tree(
    words: Sequence[str],
    heads: Sequence[int],
    tags: Sequence[str],
    relations: Sequence[str],
    line: int,
) -> Tree | None:
    """Constituents of a dependency tree; None if its heads form a cycle.

    `heads` are positions, −1 for a root; `tags` are those of Universal Dependencies, `relations`
    theirs or those of spaCy's English pipelines.
    """
    dependents: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head >= 0:
            dependents[head].append(word)
    order = [word for word, head in enumerate(heads) if head < 0]
    for word in order:  # grows while it is read: heads before their dependents
        order += dependents[word]
    if len(order) != len(heads):
        return None
    nodes: dict[int, Node] = {}
    for word in reversed(order):
        node = Node((word,))
        rings: dict[int, list[Node]] = {}
        for other in dependents[word]:
            verb = tags[word] in ("VERB", "AUX")
            relation = relations[other].partition(":")[0]
            rings.setdefault(_ring(relation, other < word, verb), []).append(nodes[other])
        for number in sorted(rings):
            node = _joined((node, *rings[number]))
        nodes[word] = node
    roots = tuple(nodes[word] for word, head in enumerate(heads) if head < 0)
    predicates = tuple(
        word for word, tag in enumerate(tags) if tag == "VERB" or (heads[word] < 0 and tag == "AUX")
    )
    return Tree(_joined(roots), tuple(words), predicates, line)


def _ring(relation: str, before: bool, verb: bool) -> int:
    """Order in which a head takes its dependents, the lowest first; `before`: the dependent
    precedes its head.
    """
    if relation == "punct":
        return 6
    if (before and relation in _BORDER) or (verb and relation == "conj"):
        return 5
    if before and (relation in _SUBJECTS or (verb and relation in _ADVERBIALS)):
        return 4
    if before and relation in _AUXILIARIES:
        return 3
    if before and (verb or relation == "case"):
        return 2
    return 0 if before else 1


def _joined(parts: Sequence[Node]) -> Node:
    """Join parts into one node, in the order of their first words."""
    if len(parts) == 1:
        return parts[0]
    ordered = tuple(sorted(parts, key=lambda part: part.words[0]))
    return Node(tuple(sorted(word for part in ordered for word in part.words)), ordered)


_REMEDY = (
    "give `trees`, or install a pipeline for the language of the source: "
    "python -m spacy download en_core_web_sm"
)


class Parser:
    """spaCy pipeline by name or folder; by default the only one installed."""

    def __init__(self, pipeline: str | None = None) -> None:
        self._pipeline = _load(pipeline)
        meta = self._pipeline.meta
        self.name = f"{meta['lang']}_{meta['name']} {meta['version']}"

    def split(self, texts: Sequence[str]) -> Sentences:
        """Split texts into the words of the pipeline."""
        lines = [" ".join(text.split()) for text in texts]
        return [[token.text for token in self._pipeline.make_doc(line)] for line in lines]

    def parse(self, sentences: Sentences, file: str) -> list[Tree]:
        """Parse every sentence, which is a line of the file."""
        from spacy.tokens import Doc

        # Where a tokeniser wrote &apos; and its like, the parser wants to see what they mean.
        documents = [
            Doc(self._pipeline.vocab, words=[html.unescape(word) for word in sentence])
            for sentence in sentences
        ]
        trees = []
        for line, document in enumerate(self._pipeline.pipe(documents), 1):
            if not len(document):
                raise InputError(
                    "is empty and has no tree; leave this line out of all files",
                    file=file,
                    line=line,
                )
            trees.append(self._tree(document, line))
        return trees

    def _tree(self, document: "Doc", line: int) -> Tree:
        if not document.has_annotation("DEP"):
            raise BadParameter(
                f"`parser`: the pipeline {self.name} does not parse; name one with a parser"
            )
        heads = [-1 if token.head.i == token.i else token.head.i for token in document]
        words, tags = [token.text for token in document], [token.pos_ for token in document]
        tree = dependency_tree(words, heads, tags, [token.dep_ for token in document], line)
        assert tree is not None, "spaCy's heads make trees"
        return tree


def _load(pipeline: str | None) -> "Language":
    try:
        import spacy
    except ImportError:
        raise MissingExtra(
            "parsing needs spacy, which is not installed: give `trees`, or "
            "pip install 'adjudge[parsing]'"
        ) from None
    if pipeline is None:
        installed = spacy.util.get_installed_models()
        if not installed:
            raise AdjudgeError(f"the source has no trees, and spaCy has no pipeline: {_REMEDY}")
        if len(installed) > 1:
            raise AdjudgeError(
                f"spaCy has several pipelines: name one with `parser`: {', '.join(installed)}"
            )
        pipeline = installed[0]
    try:
        return spacy.load(pipeline)
    except (OSError, ValueError):
        raise BadParameter(
            f"`parser` cannot be {pipeline!r}: spaCy has no such pipeline; {_REMEDY}"
        ) from None
