"""tercom's normalisation of lines, as sacrebleu has it, for TER."""

from collections.abc import Callable

from adjudge.metrics.metric import Texts
from adjudge.metrics.tokenizer import Tokens, replacing

_ASIAN_MARKS = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
_FULL_WIDTH_MARKS = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

_western = replacing(
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    (r"^|$", " "),
    (r"([!-&(-+:-@/\[-`{-~])", r" \1 "),
    (r"'s ", " 's "),
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)
# Characters stand alone; Hiragana and Katakana do as a whole where the line is nothing else.
_asian = replacing(
    (r"([\u4e00-\u9fff\u3400-\u4dbf])", r" \1 "),
    (r"([\u31c0-\u31ef\u2e80-\u2eff])", r" \1 "),
    (r"([\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f])", r" \1 "),
    (r"([\u3200-\u3f22])", r" \1 "),
    (_ASIAN_MARKS, r" \1 "),
    (_FULL_WIDTH_MARKS, r" \1 "),
)
_without_marks = replacing((r"[.,?:;!\"()]", ""))
_without_asian_marks = replacing((_ASIAN_MARKS, ""), (_FULL_WIDTH_MARKS, ""))


def split(texts: Texts, normalize: bool, punctuation: bool, asian: bool, case: bool) -> Tokens:
    """The words of every line."""
    changes: list[Callable[[str], str]] = []
    if not case:
        changes.append(str.lower)
    if normalize:
        changes += [_western, _asian] if asian else [_western]
    if not punctuation:
        changes += [_without_marks, _without_asian_marks] if asian else [_without_marks]
    lines = []
    for text in texts:
        line = text.rstrip().replace("\n-", "").replace("\n", " ")
        for change in changes:
            line = change(line)
        lines.append(line.split())
    return lines
