"""N-gram counts and their quartiles."""

from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge.text.resources.corpus import encode
from adjudge.text.resources.ngram_counts import NgramCounts, count

SENTENCES = st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=8)


@given(SENTENCES, st.lists(st.sampled_from("abd"), max_size=6))
def test_counts_are_those_of_the_text(text: list[list[str]], asked: list[str]) -> None:
    looked_up = count(encode(text)).look_up([["a"], asked])
    for length, counts in enumerate(looked_up, 1):
        occurs = Counter(
            tuple(line[i : i + length]) for line in text for i in range(len(line) - length + 1)
        )
        expected = [
            occurs[tuple(asked[i + 1 - length : i + 1])] if i + 1 >= length else 0
            for i in range(len(asked))
        ]
        assert counts.count[1:].tolist() == expected
        assert counts.inside[1:].tolist() == [i + 1 >= length for i in range(len(asked))]


def test_quartiles_by_hand(tmp_path: Path) -> None:
    # a occurs once, b twice, c three and d eight times: the cuts are 1, 2 and 3.
    text = [["a", "b", "b", "c", "c", "c"], ["d"] * 8]
    counts = count(encode(text), order=1)
    assert counts.cuts.tolist() == [[1, 2, 3]]
    counts.save(str(tmp_path / "counts.npz"))
    for each in (counts, NgramCounts.load(str(tmp_path / "counts.npz"))):
        (words,) = each.look_up([["a", "b", "c", "d", "new"]])
        assert words.quartile.tolist() == [1, 2, 3, 4, 0]
        assert np.array_equal(words.count, [1, 2, 3, 8, 0])
