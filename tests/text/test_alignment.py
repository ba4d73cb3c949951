"""Alignment, beside slow versions that follow the formulas word by word."""

from math import exp
from shutil import which

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import MissingExtra
from adjudge.segments.alignments import ALIGNERS
from adjudge.text.resources.alignment.eflomal import PROGRAM, align_with_eflomal
from adjudge.text.resources.alignment.kernels import (
    best_places,
    expected_counts,
    expected_distance,
    grow_diag_final_and,
    norms,
)
from adjudge.text.resources.alignment.model import align
from adjudge.text.resources.cooccurrence import cooccurrence
from adjudge.text.resources.corpus import encode

pytestmark = pytest.mark.slow  # loops are compiled first

SIDE = st.lists(st.sampled_from("abc"), max_size=5)
PAIRS = st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=4)
TENSION, NULL = 3.0, 0.1


def slow_weights(source: list[str], target: list[str], token: int) -> list[float]:
    """δ(place | token) of every source word (Dyer et al. 2013 §2)."""
    weights = [
        exp(-TENSION * abs((place + 1) / len(source) - (token + 1) / len(target)))
        for place in range(len(source))
    ]
    return [(1 - NULL) * weight / sum(weights) for weight in weights]


@given(PAIRS, st.randoms(use_true_random=False))
def test_as_the_slow_one(pairs, random):
    source, target = [left for left, _ in pairs], [right for _, right in pairs]
    left, right = encode(source), encode(target)
    met = cooccurrence(left, right)
    probability = np.array([random.uniform(0.1, 1) for _ in met.row_word])
    names = [*left.vocabulary, None]
    entries = [
        (names[row], right.vocabulary[met.row_word[entry]])
        for row in range(len(names))
        for entry in range(met.row_start[row], met.row_start[row + 1])
    ]
    t = dict(zip(entries, probability, strict=True))
    expected, places = dict.fromkeys(entries, 0.0), []
    distance = linked = 0.0
    for words, others in pairs:
        for token, f in enumerate(others):
            parts = [
                weight * t[e, f]
                for e, weight in zip(words, slow_weights(words, others, token), strict=True)
            ]
            total = sum(parts) + NULL * t[None, f]
            expected[None, f] += NULL * t[None, f] / total
            for place, (e, part) in enumerate(zip(words, parts, strict=True)):
                expected[e, f] += part / total
                linked += part / total
                away = abs((place + 1) / len(words) - (token + 1) / len(others))
                distance += part / total * away
            places.append((parts, NULL * t[None, f]))
    norm = norms(left.start, right.start, TENSION, len(right.word))
    given_to = (met, left.start, probability, norm, TENSION, NULL, 5)
    count, mean = expected_counts(*given_to)
    np.testing.assert_allclose(count, [expected[entry] for entry in entries])
    assert mean == pytest.approx(distance / linked if linked else 0)
    for place, (parts, none) in zip(best_places(*given_to), places, strict=True):
        chosen = none if place < 0 else parts[place]
        assert chosen == pytest.approx(max([none, *parts]))


def test_expected_distance():
    sizes = np.array([2, 3]), np.array([3, 1]), np.array([5, 2])
    total = words = 0.0
    for source, length, number in zip(*sizes, strict=True):
        for token in range(length):
            away = [abs((token + 1) / length - (p + 1) / source) for p in range(source)]
            weights = [exp(-TENSION * distance) for distance in away]
            mean = sum(w * d for w, d in zip(weights, away, strict=True)) / sum(weights)
            total, words = total + number * mean, words + number
    assert expected_distance(*sizes, TENSION) == pytest.approx(total / words)


def slow_grow(
    forward: set[tuple[int, int]], backward: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """grow-diag-final-and with sets."""
    links = forward & backward

    def free(link: tuple[int, int], side: int) -> bool:
        return all(link[side] != other[side] for other in links)

    grown = True
    while grown:
        before = len(links)
        for source in range(6):
            for target in range(6):
                if (source, target) in links:
                    for near in [(source + a, target + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]:
                        if near in forward | backward and (free(near, 0) or free(near, 1)):
                            links |= {near}
        grown = len(links) > before
    for direction in (forward, backward):
        for link in sorted(direction):
            if free(link, 0) and free(link, 1):
                links |= {link}
    return links


@given(
    st.lists(st.integers(-1, 5), min_size=6, max_size=6),
    st.lists(st.integers(-1, 5), min_size=6, max_size=6),
)
def test_two_directions_as_one(to_source, to_target):
    forward = {(source, target) for target, source in enumerate(to_source) if source >= 0}
    backward = {(source, target) for source, target in enumerate(to_target) if target >= 0}
    start = np.array([0, 6])
    first, sources, targets = grow_diag_final_and(
        start, start, np.array(to_source, np.int32), np.array(to_target, np.int32)
    )
    links = set(zip(sources.tolist(), targets.tolist(), strict=True))
    assert first.tolist() == [0, len(links)]
    assert links == slow_grow(forward, backward)


Language = tuple[list[list[str]], list[list[str]], list[dict[int, int]]]


@pytest.fixture(scope="module")
def secret_language() -> Language:
    """Every word has one translation, and adjectives follow their nouns."""
    random = np.random.default_rng(1)
    source, target, truth = [], [], []
    for _ in range(400):
        words = [f"w{number}" for number in random.integers(0, 40, random.integers(3, 9))]
        order = list(range(len(words)))
        for place in range(0, len(order) - 1, 3):
            order[place : place + 2] = reversed(order[place : place + 2])
        source.append(words)
        target.append([words[place].upper().replace("W", "x") for place in order])
        truth.append({place: order.index(place) for place in range(len(words))})
    return [*source, [], ["w1"]], [*target, ["x1"], []], truth


@pytest.mark.parametrize("aligner", ALIGNERS)
def test_a_secret_language_is_read(secret_language, aligner):
    source, target, truth = secret_language
    if aligner == "eflomal" and which(PROGRAM) is None:
        pytest.skip("eflomal is not installed")
    links = ALIGNERS[aligner](source, target)
    assert links[-2:] == [{}, {}]
    right = sum(
        made.get(place) == [other]
        for made, true in zip(links, truth, strict=False)
        for place, other in true.items()
    )
    assert right / sum(map(len, truth)) > 0.97
    if aligner == "diagonal":
        assert align(source, target) == links


def test_eflomal_where_it_is_not(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match='`aligner="eflomal"` needs the program eflomal-align'):
        align_with_eflomal([["a"]], [["b"]])


def test_nothing_to_align():
    assert align([], []) == []
    assert align([[]], [[]]) == [{}]
