"""Character tokenizer: every character is a word."""

from adjudge.metrics.tokenizer import Texts, Tokenizer, Tokens


def _split(texts: Texts) -> Tokens:
    return [list("".join(text.split())) for text in texts]


TOKENIZER = Tokenizer("char", "every character is a word", _split)
