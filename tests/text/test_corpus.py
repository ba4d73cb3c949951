"""Corpora as numbers."""

from hypothesis import given
from hypothesis import strategies as st

from adjudge.text.resources.corpus import Corpus, encode

SENTENCES = st.lists(st.lists(st.sampled_from(["a", "b", "ž", "؟"]), max_size=6), max_size=6)


def decoded(corpus: Corpus) -> list[list[str]]:
    """The sentences of a corpus as words."""
    return [
        [corpus.vocabulary[word] for word in corpus.word[first:last]]
        for first, last in zip(corpus.start, corpus.start[1:], strict=False)
    ]


@given(SENTENCES, SENTENCES)
def test_words_come_back(sentences: list[list[str]], others: list[list[str]]) -> None:
    corpus = encode(sentences)
    assert decoded(corpus) == sentences
    assert corpus.sentences == len(sentences)
    further = encode(others, corpus.vocabulary)
    assert decoded(further) == others
    assert further.vocabulary[: len(corpus.vocabulary)] == corpus.vocabulary
