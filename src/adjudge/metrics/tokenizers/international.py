"""mteval-v14's international tokenizer, based on Unicode punctuation and symbols.

A mark stands alone unless it is between two digits; a symbol always does. As in mteval, a full
stop after a number that ends the line stays with it. sacrebleu (`intl`) leaves `&amp;` and its
like as they are; mteval (`mteval-intl`) reads them as what they mean.
"""

import re
from unicodedata import category

from adjudge.metrics.tokenizer import Texts, Tokenizer, Tokens, split_lines
from adjudge.metrics.tokenizers.mteval_13a import unescaped


def _separated(text: str) -> str:
    """Apply the rules for the few punctuation characters that occur."""
    kinds: dict[str, list[str]] = {"P": [], "N": [], "S": []}
    for character in sorted(set(text)):
        kinds.get(category(character)[0], []).append(re.escape(character))
    marks, numbers, symbols = ("".join(kinds[kind]) for kind in "PNS")
    if marks:
        text = re.sub(rf"([^{numbers}\n])([{marks}])", r"\1 \2 ", text)
        text = re.sub(rf"([{marks}])([^{numbers}\n])", r" \1 \2", text)
    return re.sub(rf"([{symbols}])", r" \1 ", text) if symbols else text


def _split(texts: Texts) -> Tokens:
    return split_lines(texts, _separated)


def _split_unescaped(texts: Texts) -> Tokens:
    return split_lines([unescaped(text) for text in texts], _separated)


TOKENIZER = (
    Tokenizer("intl", "marks and symbols of Unicode stand alone", _split),
    Tokenizer("mteval-intl", "the same after reading &amp; and its like", _split_unescaped),
)
