"""MeCab, a morphological analyser for Japanese and (as mecab-ko) Korean, as called by sacrebleu."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from adjudge.core.errors import AdjudgeError
from adjudge.metrics.tokenizer import Tokens


@dataclass(frozen=True)
class Mecab:
    """MeCab with one dictionary; `words` is its expected size, to detect another dictionary."""

    language: str
    program: str
    dictionary: str
    words: int
    called: str  # the dictionary, in sacrebleu's signatures
    packages: str  # that bring both

    def split(self, texts: Sequence[str]) -> Tokens:
        """Split every line into words."""
        tagger = _tagger(self)
        return [tagger.parse(text.strip()).split() for text in texts]

    def version(self) -> str:
        """Version of program and dictionary: `0.996-IPA`."""
        return f"{_tagger(self).version()}-{self.called}"


@cache
def _tagger(mecab: Mecab) -> Any:
    for module in (mecab.program, mecab.dictionary):
        if find_spec(module) is None:
            raise AdjudgeError(
                f"tokenize={mecab.language}-mecab needs {module}, which is not installed: "
                f"pip install {mecab.packages}"
            )
    arguments = import_module(mecab.dictionary).MECAB_ARGS
    tagger = import_module(mecab.program).Tagger(f"{arguments} -Owakati")
    known = tagger.dictionary_info()
    if known.size != mecab.words or known.next is not None:
        raise AdjudgeError(
            f"MeCab has another dictionary than {mecab.dictionary}; run it without a user's own"
        )
    return tagger
