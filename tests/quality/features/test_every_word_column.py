"""Every column of every family of words, beside a plain version of it for one translation.

A column that a plain version lacks, or has too many, fails too: what is new needs a test.
"""

import unicodedata
from math import log10

import plain_resources as plainly
import pytest

from adjudge.quality.features.extraction import word_features
from adjudge.quality.features.family import WORD_FAMILIES
from adjudge.quality.features.inputs import beside, prepare

SOURCES = ["The cat sat on the mat .", "a 2nd cat", "the dog"]
TARGETS = ["die Katze saß die Matte auf .", "Eine katze auf § 2nd", "hund"]
LINKS = ["0-0 5-1 2-2 4-3 5-4 3-4 6-6", "0-0 2-1 1-4 0-4", ""]
OTHERS = {"one": ["die katze auf .", "eine katze", ""], "two": ["", "auf § 2nd", "hund"]}
SOURCE_TAGS = ["D N V P D N .", "D A N", "D N"]
TARGET_TAGS = ["DET NOUN VERB DET NOUN ADP .", "DET NOUN ADP SYM NUM", "NOUN"]


@pytest.fixture(scope="module")
def prepared(table_of, resources):
    table = table_of(source=SOURCES, target=TARGETS, alignment=LINKS)
    return prepare(beside(table, OTHERS, SOURCE_TAGS, TARGET_TAGS), resources)


def lower(text: str) -> list[str]:
    return text.lower().split()


def around(words: list[str], place: int, by: int = 0) -> str:
    """The word so many places on."""
    return ["<s>", "<s>", *words, "</s>", "</s>"][2 + place + by]


def linked(row: int, place: int) -> int | None:
    """The first source word that a word is linked to."""
    links = [tuple(map(int, link.split("-"))) for link in LINKS[row].split()]
    return min((s for s, t in links if t == place), default=None)


def word(row, place, resources) -> dict:
    text, words = TARGETS[row].split()[place], lower(TARGETS[row])
    near = {by: around(words, place, by) for by in (-2, -1, 0, 1, 2)}
    together = {"-1:0": (-1, 0), ":+1": (0, 1), "-1:+1": (-1, 1), "-2:-1": (-2, -1),
                "+1:+2": (1, 2), "-2:-1:0": (-2, -1, 0), "-1:0:+1": (-1, 0, 1),
                ":+1:+2": (0, 1, 2)}  # fmt: skip
    found = {f"word{by:+d}" if by else "word": each for by, each in near.items()}
    for name, places in together.items():
        found[f"word{name}"] = " ".join(near[by] for by in places)
    ends = {by: near[by][-3:] for by in (-1, 0, 1)}
    return found | {
        "prefix": near[0][:3],
        "suffix": ends[0],
        "suffix-1": ends[-1],
        "suffix+1": ends[1],
        "suffix-1:0": f"{ends[-1]} {ends[0]}",
        "suffix:+1": f"{ends[0]} {ends[1]}",
        "word_length": len(text),
        "word_capital": text[0].isupper(),
        "word_digit": any(letter.isdigit() for letter in text),
        "word_punctuation": all(unicodedata.category(letter)[0] in "PS" for letter in text),
        "in_source": near[0] in lower(SOURCES[row]),
    }


def tags(row, place, resources) -> dict:
    own = TARGET_TAGS[row].split()
    found = {f"tag{by:+d}" if by else "tag": around(own, place, by) for by in (-1, 0, 1)}
    source = linked(row, place)
    found["source_tag"] = "</s>" if source is None else SOURCE_TAGS[row].split()[source]
    return found


def language_model(row, place, resources) -> dict:
    words = lower(TARGETS[row])
    logs = resources.target_model.score([words]).log_probability.tolist()
    ends, begins = plainly.longest_known("target", words)
    before = place - 1 if place else None
    return {
        "log_probability": logs[place],
        "log_probability+1": logs[place + 1],
        "log_probability-1": 0 if before is None else logs[before],
        "known_left": ends[place],
        "known_right": begins[place],
        "known_left+1": ends[place + 1],
        "known_left-1": 0 if before is None else ends[before],
        "back_off": f"{0 if before is None else ends[before]}-{ends[place]}-{ends[place + 1]}",
    }


def frequency(row, place, resources) -> dict:
    words = lower(TARGETS[row])
    found = {"quartile": plainly.quartile("target", (words[place],))}
    for length in (1, 2, 3):
        ngram = tuple(words[max(place + 1 - length, 0) : place + 1])
        occurs = plainly.corpus_counts("target", length)[ngram] if len(ngram) == length else 0
        found[f"log_frequency_{length}"] = log10(1 + occurs)
    return found


def alignment(row, place, resources) -> dict:
    words, source, at = lower(TARGETS[row]), lower(SOURCES[row]), linked(row, place)
    links = [tuple(map(int, link.split("-"))) for link in LINKS[row].split()]
    own = {by: around(words, place, by) for by in (-1, 0, 1)}
    other = {by: "</s>" if at is None else around(source, at, by) for by in (-1, 0, 1)}
    return {
        "source_word-1": other[-1],
        "source_word": other[0],
        "source_word+1": other[1],
        "word:source_word": f"{own[0]} {other[0]}",
        "word:source_word-1": f"{own[0]} {other[-1]}",
        "word:source_word+1": f"{own[0]} {other[1]}",
        "source_word-1:0": f"{other[-1]} {other[0]}",
        "source_word:+1": f"{other[0]} {other[1]}",
        "word:source_word-1:0": f"{own[0]} {other[-1]} {other[0]}",
        "word:source_word:+1": f"{own[0]} {other[0]} {other[1]}",
        "word-1:0:source_word": f"{own[-1]} {own[0]} {other[0]}",
        "word:+1:source_word": f"{own[0]} {own[1]} {other[0]}",
        "links": sum(t == place for _, t in links),
        "links_of_source": sum(s == at for s, _ in links),
        "off_diagonal": 0 if at is None else abs(at / len(source) - place / len(words)),
        "best_translation": max(plainly.lexical(resources.forward, own[0], source)),
        "log_given_source": plainly.log_given(resources.forward, own[0], source),
    }


def reordering(row, place, resources) -> dict:
    words, source = lower(TARGETS[row]), lower(SOURCES[row])
    of_word = [linked(row, i) for i in range(len(words))]
    spelled = ["" if at is None else source[at] for at in of_word]
    found = {}
    for by in (-1, 1):
        beside_it = around(spelled, place, by)
        found[f"source_word_of{by:+d}"] = beside_it
        found[f"word:source_word_of{by:+d}"] = f"{words[place]} {beside_it}"
        found[f"source_word:source_word_of{by:+d}"] = f"{spelled[place]} {beside_it}"
        there = of_word[place + by] if 0 <= place + by < len(words) else None
        jump = "none"
        if there is not None and of_word[place] is not None:
            jump = f"{max(min(there - of_word[place], 4), -4):+d}"
        found[f"jump{by:+d}"] = jump
    return found


def pseudo_references(row, place, resources) -> dict:
    words = lower(TARGETS[row])
    marked = ["^", *words, "$"]
    found = {}
    for name, lines in OTHERS.items():
        other = ["^", *lower(lines[row]), "$"]
        found[f"{name}_has_word"] = words[place] in other
        pairs = plainly.ngrams(other, 2)
        found[f"{name}_has_left"] = tuple(marked[place : place + 2]) in pairs
        found[f"{name}_has_right"] = tuple(marked[place + 1 : place + 3]) in pairs
    found["others_have_word"] = (found["one_has_word"] + found["two_has_word"]) / 2
    return found


def position(row, place, resources) -> dict:
    words = lower(TARGETS[row])
    return {
        "place": place / len(words),
        "first": place == 0,
        "last": place == len(words) - 1,
        "tokens": len(words),
        "source_tokens": len(lower(SOURCES[row])),
        "occurs": words.count(words[place]),
    }


PLAIN = {
    "alignment": alignment,
    "frequency": frequency,
    "language-model": language_model,
    "position": position,
    "pseudo-references": pseudo_references,
    "reordering": reordering,
    "tags": tags,
    "word": word,
}


@pytest.mark.parametrize("name", WORD_FAMILIES)
def test_columns_of_words_are_the_plain_ones(prepared, resources, name) -> None:
    frame = word_features(prepared, [name]).to_frame()
    for found in frame.iter_rows(named=True):
        row, place = found.pop("row") - 1, found.pop("token") - 1
        plain = PLAIN[name](row, place, resources)
        expected = {key: +each if isinstance(each, bool) else each for key, each in plain.items()}
        assert found == pytest.approx(expected, abs=1e-12), (row, place)
