"""Names, scales and labels of figures, whatever they are given."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.report.drawing.canvas import SIZE, Canvas, text_width
from adjudge.report.drawing.label_placement import free, label_points, spread
from adjudge.report.drawing.scales import Scale, padded, seconds_marks, ticks, written, x_axis
from adjudge.report.drawing.system_labels import LONGEST, labels, shortened
from adjudge.report.drawing.theme import LIGHT

letters = st.characters(exclude_categories=["Cc", "Cs", "Co", "Cn", "Zl", "Zp"])
names = st.lists(st.text(letters, min_size=1, max_size=60), min_size=1, max_size=12, unique=True)
numbers = st.floats(-1e4, 1e4)


@given(names)
@settings(max_examples=50, deadline=None)
def test_labels_fit_and_stay_apart(systems):
    shown = labels(systems)
    assert len(set(shown)) == len(set(systems))
    assert all(text_width(label) <= LONGEST for label in shown)


def test_only_what_is_too_wide_is_shortened():
    short = "newstest2015.online-B.0.cs-en.txt"
    other = "newstest2015.uedin-jhu-phrase.4071.cs-en.txt"
    assert labels([short, other]) == ["online-B.0", "uedin-jhu-phrase.4071"]
    long = "a-very-long-name-that-nobody-could-read-on-a-phone"
    assert shortened(long, 100).startswith("a-ver")
    assert shortened(long, 100).endswith("phone")
    assert "…" in shortened(long, 100)


def test_names_that_differ_in_the_middle_are_told_apart():
    alike = [f"{'begin-' * 6}{i}{'-ending' * 6}" for i in range(3)]
    assert len(set(labels(alike))) == 3


def test_the_longest_name_a_file_may_hold_is_shortened_at_once():
    assert text_width(shortened("W" * 10_000)) <= LONGEST


@given(st.lists(numbers, min_size=1, max_size=20), st.floats(10, 500))
@settings(max_examples=100, deadline=None)
def test_ticks_lie_within_the_scale_and_read_as_their_values(values, length):
    low, high = padded(values)
    assert low < high
    scale = Scale(low, high, 0, length)
    assert scale(low) == pytest.approx(0, abs=1e-6)
    assert scale(high) == pytest.approx(length)
    found = ticks(scale)
    for value, text in found:
        assert low <= value + 1e-9 * max(1, abs(value))
        assert value <= high + 1e-9 * max(1, abs(value))
        assert float(text.replace(",", "").replace("−", "-")) == pytest.approx(
            value, abs=1e-3 * (high - low)
        )
    assert len({text for _, text in found}) == len(found)


def test_a_logarithmic_scale_puts_a_doubling_halfway():
    scale = Scale(15, 60, 0, 100, logarithmic=True)
    assert scale(30) == pytest.approx(50)
    assert seconds_marks(scale) == [(20, "20 s"), (30, "30 s"), (60, "1 min")]


def test_numbers_are_written_for_people():
    assert [written(v, d) for v, d in ((-1234.5, 1), (-0.0001, 2), (12, 0))] == [
        "−1,234.5",
        "0.00",
        "12",
    ]


def test_numbers_of_an_axis_neither_touch_nor_fall_off():
    canvas = Canvas(120, 80, LIGHT)
    scale = Scale(0, 10, 5, 118)
    x_axis(canvas, scale, 10, 40, "label", [(n, f"{n},000") for n in range(11)])
    texts = [words for words in canvas.words if words.text != "label"]
    ends = [(one.x - text_width(one.text) / 2, one.x + text_width(one.text) / 2) for one in texts]
    assert 2 <= len(ends) < 11
    assert min(ends)[0] >= 0
    assert max(end for _, end in ends) <= 120
    assert all(before[1] < after[0] for before, after in pairwise(ends))


points = st.tuples(st.floats(20, 380), st.floats(20, 280))


@given(st.lists(points, min_size=1, max_size=25))
@settings(max_examples=40, deadline=None)
def test_labels_of_points_cover_neither_each_other_nor_other_points(at):
    canvas = Canvas(400, 300, LIGHT)
    within = (0.0, 0.0, 400.0, 300.0)
    label_points(
        canvas, at, [[f"system {i}", f"{i}"] for i in range(len(at))], within, [5] * len(at)
    )
    boxes = []
    for words in canvas.words:
        wide = text_width(words.text)
        left = {"left": 0.0, "center": 0.5, "right": 1.0}[words.align]
        boxes.append((words.x - left * wide, words.y - 0.36 * SIZE - 7, wide, 14.0))
    assert boxes or len(at) > 1
    assert all(free(one, [other]) for one, other in combinations(boxes, 2))
    for x, y, wide, high in boxes:
        assert x >= -1e-6
        assert y >= -1e-6
        assert x + wide <= 400 + 1e-6
        assert y + high <= 300 + 1e-6


@given(st.lists(st.floats(0, 100), min_size=1, max_size=6))
def test_spread_keeps_a_gap_and_the_order(ys):
    placed = spread(ys, 15, 0, 100)
    assert all(0 <= y <= 100 for y in placed)
    for i, j in combinations(range(len(ys)), 2):
        assert abs(placed[i] - placed[j]) >= 15 - 1e-9
        if ys[i] < ys[j]:
            assert placed[i] < placed[j]
