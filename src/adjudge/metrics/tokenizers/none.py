"""No tokenisation: words are separated by blanks, for texts that are already tokenised."""

from adjudge.metrics.tokenizer import Texts, Tokenizer, Tokens


def _split(texts: Texts) -> Tokens:
    return [text.split() for text in texts]


TOKENIZER = Tokenizer("none", "at blanks only, for texts that are tokenised already", _split)
