"""Trees for sentences that come without: a pipeline of spaCy that is installed or in a folder.

spaCy finds dependencies; they become constituents as those of CoNLL-U do.
"""

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, MissingExtra
from adjudge.segments.sentences import Sentences
from adjudge.segments.trees import Tree, dependency_tree

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_REMEDY = (
    "give `trees`, or install a pipeline for the language of the source: "
    "python -m spacy download en_core_web_sm"
)


class Parser:
    """A pipeline by name or folder; without one, the only pipeline that is installed."""

    def __init__(self, pipeline: str | None = None) -> None:
        self._pipeline = _load(pipeline)
        meta = self._pipeline.meta
        self.name = f"{meta['lang']}_{meta['name']} {meta['version']}"

    def split(self, texts: Sequence[str]) -> Sentences:
        """The words of texts as the pipeline splits them."""
        lines = [" ".join(text.split()) for text in texts]
        return [[token.text for token in self._pipeline.make_doc(line)] for line in lines]

    def parse(self, sentences: Sentences, file: str) -> list[Tree]:
        """A tree of every sentence, which is a line of the file."""
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
