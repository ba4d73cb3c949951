"""Language models: probabilities, ARPA files, files of arrays."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.plain_kneser_ney import PlainModel

from adjudge.core.errors import InputError, NotEnoughData
from adjudge.text.resources.corpus import encode
from adjudge.text.resources.language_model.arpa import read_arpa, write_arpa
from adjudge.text.resources.language_model.kneser_ney import train
from adjudge.text.resources.language_model.model import LanguageModel

TEXT = [
    line.split()
    for line in (
        "the cat sat on the mat",
        "the dog sat on the rug",
        "a cat and a dog sat",
        "the cat saw the dog",
        "the dog saw a cat on the mat",
        "on the mat a dog sat",
    )
]
# lmplz -o 3 --discount_fallback (KenLM) on the same six lines.
LMPLZ = {
    "<unk>": -1.3063263,
    "</s>": -0.87604946,
    "on": -1.0313755,
    "cat": -1.1820542,
    "a": -0.87604946,
    "sat </s>": -0.6592842,
    "<s> the": -0.20633659,
    "on the": -0.060264695,
    "the mat": -0.8960572,
    "dog saw": -0.8634064,
    "dog sat </s>": -0.5566322,
    "sat on the": -0.049931128,
    "<s> the cat": -0.74517894,
    "on the mat": -0.9361744,
    "the dog saw": -0.68556774,
}
WORDS = st.sampled_from(["a", "b", "c", "ž", "rare"])
SENTENCES = st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=12).filter(
    lambda lines: any(lines)
)


def listed(model: LanguageModel) -> dict[str, float]:
    """Every n-gram of a model with its log10 probability."""
    return {
        " ".join(model.vocabulary[word] for word in row): value
        for length in range(1, model.order + 1)
        for row, value in zip(
            model.index.spelled(length), model.log_probability[length - 1], strict=True
        )
    }


def same(one: LanguageModel, other: LanguageModel) -> bool:
    """Are two models equal, to the last bit?"""
    pairs = [
        *zip(one.index.key, other.index.key, strict=True),
        *zip(one.log_probability, other.log_probability, strict=True),
        *zip(one.back_off, other.back_off, strict=True),
    ]
    return one.vocabulary == other.vocabulary and all(np.array_equal(a, b) for a, b in pairs)


def test_equals_lmplz() -> None:
    ours = listed(train(encode(TEXT), 3))
    assert len(ours) == 13 + 25 + 29
    for ngram, value in LMPLZ.items():
        assert ours[ngram] == pytest.approx(value, abs=1e-6), ngram


@settings(max_examples=40)
@given(SENTENCES, st.lists(st.sampled_from(["a", "b", "ž", "new"]), max_size=4), st.integers(1, 4))
def test_probabilities_sum_to_one_and_are_those_of_the_formulas(
    text: list[list[str]], context: list[str], order: int
) -> None:
    model = train(encode(text), order)
    plain = PlainModel(text, order)
    words = [word for word in model.vocabulary if word not in ("<s>", "</s>")]
    scores = model.score([[*context, word] for word in words] + [context])
    places = [*(scores.start[1:-1] - 2), scores.start[-1] - 1]
    probability = 10 ** scores.log_probability[places]
    assert probability.sum() == pytest.approx(1)
    expected = [plain.probability(word, ("<s>", *context)) for word in (*words, "</s>")]
    assert probability == pytest.approx(expected)


@given(SENTENCES, st.lists(st.sampled_from(["a", "b", "ž", "new"]), max_size=6))
def test_longest_known_ngrams(text: list[list[str]], asked: list[str]) -> None:
    scores = train(encode(text), 3).score([asked])
    known = {("</s>",)}
    for line in text:
        marked = ("<s>", *line, "</s>")
        known |= {marked[i : i + n] for n in (1, 2, 3) for i in range(len(marked) - n + 1)}
    marked = ("<s>", *asked, "</s>")
    for place in range(1, len(marked)):
        ends = [
            n for n in (1, 2, 3) if n <= place + 1 and marked[place + 1 - n : place + 1] in known
        ]
        begins = [n for n in (1, 2, 3) if marked[place : place + n] in known]
        assert scores.matched[place - 1] == max(ends, default=0)
        assert scores.begun[place - 1] == max(
            (n for n in begins if place + n <= len(marked)), default=0
        )


def test_by_shorter_ngrams() -> None:
    model = train(encode(TEXT), 3)
    shorter = model.score([["on", "the", "cat"]], order=1)
    rows = listed(model)
    assert shorter.log_probability.tolist() == [rows[w] for w in ("on", "the", "cat", "</s>")]
    assert model.score([["on", "the"], []]).sums().shape == (2,)


def test_words_that_look_like_marks_are_unknown() -> None:
    model = train(encode([["a", "<s>", "b"], ["a", "b"]]), 2)
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a", "b")
    assert model.score([["</s>"]]).matched[0] == 0


@settings(max_examples=20)
@given(SENTENCES, st.integers(1, 4))
def test_files_give_back_the_same_model(
    tmp_path_factory: pytest.TempPathFactory, text: list[list[str]], order: int
) -> None:
    folder = tmp_path_factory.mktemp("models")
    model = train(encode(text), order)
    write_arpa(model, str(folder / "model.arpa.gz"))
    assert same(model, read_arpa(str(folder / "model.arpa.gz")))
    model.save(str(folder / "model.npz"))
    assert same(model, LanguageModel.load(str(folder / "model.npz")))


ARPA = """\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-99\t<s>\t-0.3
-0.5\t</s>
-0.4\ta\t-0.1
-0.6\tb\t0

\\2-grams:
-0.2\t<s> a
-0.3\ta b

\\end\\
"""


def test_arpa_of_others(tmp_path: Path) -> None:
    file = tmp_path / "other.arpa"
    file.write_text(ARPA)
    model = read_arpa(str(file))
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a", "b")
    scores = model.score([["a", "a", "c"]])
    assert scores.log_probability == pytest.approx([-0.2, -0.1 - 0.4, -0.1 - 100, -0.5])


@pytest.mark.parametrize(
    ("before", "after", "line", "says"),
    [
        ("\\data\\", "data", 1, "begins with"),
        ("ngram 1=4\n", "", 2, "number of 1-grams"),
        ("ngram 2=2", "ngram 2=3", 11, "2 2-grams where the top of the file promises 3"),
        ("-0.4\ta", "zero\ta", 8, "no number"),
        ("-0.4\ta", "0.4\ta", 8, "0 or less"),
        ("-0.4\ta\t-0.1", "-0.4\ta\t-0.1\t7", 8, "expected a probability"),
        ("-0.6\tb", "-0.6\ta", 9, "listed twice"),
        ("-99\t<s>", "-99\t<x>", 10, "no 1-gram <s>"),
        ("a b\n", "a c\n", 13, "'c' is not among the 1-grams"),
        ("a b\n", "<s> a\n", 13, "listed before"),
        ("\\2-grams:", "\\3-grams:", 11, "expected \\2-grams:"),
        ("\\end\\\n", "", 15, "without \\end\\"),
    ],
)
def test_broken_arpa(tmp_path: Path, before: str, after: str, line: int, says: str) -> None:
    file = tmp_path / "broken.arpa"
    assert before in ARPA
    file.write_text(ARPA.replace(before, after, 1))
    with pytest.raises(InputError) as caught:
        read_arpa(str(file))
    assert f"{file}: line {line}: " in str(caught.value)
    assert says in str(caught.value)


def test_broken_files_of_arrays(tmp_path: Path) -> None:
    file = tmp_path / "model.npz"
    with pytest.raises(InputError, match="no such file"):
        LanguageModel.load(str(file))
    for content in (b"", b"no archive", b"PK\x03\x04 cut"):
        file.write_bytes(content)
        with pytest.raises(InputError, match="is not a language model, or is damaged"):
            LanguageModel.load(str(file))


def test_no_text_is_no_model() -> None:
    for nothing in ([], [[]]):
        with pytest.raises(NotEnoughData, match="needs text"):
            train(encode(nothing))
