"""Japanese tokenizer: MeCab with the IPA dictionary, as sacrebleu's `ja-mecab`."""

from adjudge.metrics.mecab import Mecab
from adjudge.metrics.tokenizer import Tokenizer

_MECAB = Mecab("ja", "MeCab", "ipadic", 392_126, "IPA", "mecab-python3 ipadic")

TOKENIZER = Tokenizer(
    "ja-mecab",
    "Japanese words, by MeCab: needs mecab-python3 and ipadic",
    _MECAB.split,
    _MECAB.version,
)
