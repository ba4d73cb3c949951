"""Words as the text has them, between blanks: for texts that are tokenised already."""

from adjudge.metrics.tokenizer import Texts, Tokenizer, Tokens


def _split(texts: Texts) -> Tokens:
    return [text.split() for text in texts]


TOKENIZER = Tokenizer("none", "at blanks only, for texts that are tokenised already", _split)
