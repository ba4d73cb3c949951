"""sacrebleu's tokenizer for Chinese: Chinese characters stand alone, the rest follows 13a.

The blocks are those of sacrebleu 2.6. Two of them lie beyond U+FFFF there but are read as U+2001 to
U+2A6D and U+2F81 to U+2FA1, so that curly quotes and dashes stand alone too; ours are the same.
"""

from adjudge.metrics.tokenizer import Texts, Tokenizer, Tokens, replacing, split_lines
from adjudge.metrics.tokenizers.mteval_13a import western

_BLOCKS = (
    (0x2001, 0x2A6D),
    (0x2E80, 0x2EFF),
    (0x2F00, 0x2FDF),
    (0x2FF0, 0x2FFF),
    (0x3000, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31BF),
    (0x31C0, 0x31EF),
    (0x3200, 0x33FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)
_CHINESE = "".join(f"{chr(first)}-{chr(last)}" for first, last in _BLOCKS)
_alone = replacing((f"([{_CHINESE}])", r" \1 "))


def _split(texts: Texts) -> Tokens:
    return split_lines([text.strip() for text in texts], lambda text: western(_alone(text)))


TOKENIZER = Tokenizer("zh", "Chinese characters stand alone, the rest as 13a", _split)
