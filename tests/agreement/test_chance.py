"""P(E), κ and the words for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.agreement import chance
from adjudge.agreement.interpretation import krippendorff, landis_koch


def test_corrected_is_one_where_all_agree_and_zero_at_chance() -> None:
    assert chance.corrected(1.0, 0.4) == 1
    assert chance.corrected(0.4, 0.4) == 0


def test_what_cannot_be_divided_is_none() -> None:
    assert chance.known(chance.ratio(1, 0)) is None
    assert chance.known(chance.corrected(1.0, 1.0)) is None


@given(st.integers(2, 50))
def test_random_clicking_is_a_count_of_label_pairs(k: int) -> None:
    first, second = np.divmod(np.arange(k * k), k)
    shares = [np.mean(np.sign(first - second) == sign) for sign in (-1, 0, 1)]
    assert chance.random_clicking(k) == pytest.approx(sum(share**2 for share in shares))


@given(st.integers(0, 100), st.integers(1, 100))
def test_ties_are_shares_with_both_directions_alike(ties: int, others: int) -> None:
    by_ties = chance.from_ties(ties, ties + 2 * others)
    assert by_ties == pytest.approx(chance.from_shares([others, ties, others]))


@pytest.mark.parametrize(
    ("value", "word", "strict"),
    [
        (-0.1, "poor", "no conclusion"),
        (0.2, "slight", "no conclusion"),
        (0.4, "fair", "no conclusion"),
        (0.41, "moderate", "no conclusion"),
        (0.667, "substantial", "tentative"),
        (0.8, "substantial", "reliable"),
        (0.9, "almost perfect", "reliable"),
        (None, None, None),
    ],
)
def test_words(value: float | None, word: str | None, strict: str | None) -> None:
    assert landis_koch(value) == word
    assert krippendorff(value) == strict
