"""mteval-v13a's tokenizer, for languages with Latin letters: sacrebleu's default.

Marks of ASCII stand alone; a full stop or comma does, unless between digits; a hyphen does after a
digit. Escaped `&quot;`, `&amp;`, `&lt;` and `&gt;` are read as what they mean.
"""

from adjudge.metrics.tokenizer import Texts, Tokenizer, Tokens, replacing, split_lines

_ESCAPED = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}

# A line feed is no neighbour of anything: it stands between two lines.
western = replacing(
    (r"([!-&(-+:-@/\[-`{-~])", r" \1 "),
    (r"([^0-9\n])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9\n])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)


def _split(texts: Texts) -> Tokens:
    return split_lines([unescaped(text) for text in texts], western, pad=True)


def unescaped(text: str) -> str:
    """Replace escape sequences of markup by their characters."""
    text = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        for escaped, character in _ESCAPED.items():
            text = text.replace(escaped, character)
    return text


TOKENIZER = Tokenizer("13a", "mteval-v13a: marks of ASCII stand alone", _split)
