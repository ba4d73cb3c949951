"""Moses' TER: what its search does, and a slow version of it that the kernel must equal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.metrics.metric import metric_named

pytestmark = pytest.mark.slow

NEVER = 10**6
WORDS = " ".join(f"w{i}" for i in range(10)) + " wA"
OTHERS = " ".join("abcdefghijklm")


def sentences(words, most):
    return st.lists(st.sampled_from(words), max_size=most)


def counted(outputs, *references):
    metric = metric_named("moses-ter")
    return metric.statistics(references)(outputs)[:, 0].tolist()


def grid(moved, output):
    """Distances of the first words of both; what is too dear beside its row is dropped."""
    rows = [list(range(len(output) + 1))]
    for number, word in enumerate(moved, 1):
        above, row = rows[-1], []
        both = [cost + (other != word) for cost, other in zip(above, output, strict=False)]
        for i, cost in enumerate(above):
            ways = [cost + 1] + ([both[i - 1], row[i - 1] + 1] if i else [])
            dropped = number < len(moved) and min(ways) > min(both) + 10
            row.append(NEVER if dropped else min(ways))
        rows.append(row)
    return rows


def traced(rows, moved, output):
    """Which words are wrong on both sides, and what every word of the output is aligned to."""
    j, i = len(moved), len(output)
    wrong, output_wrong, aligned = [False] * j, [False] * i, [0] * i
    while i or j:
        cost = rows[j][i]
        if i and j and rows[j - 1][i - 1] + (moved[j - 1] != output[i - 1]) == cost:
            i, j = i - 1, j - 1
            aligned[i] = j
            wrong[j] = output_wrong[i] = moved[j] != output[i]
        elif j and rows[j - 1][i] + 1 == cost:
            j -= 1
            wrong[j] = True
        else:
            i -= 1
            aligned[i], output_wrong[i] = j, True
    return wrong, output_wrong, aligned


def moves(moved, output, wrong, output_wrong, aligned):
    """Every move: the start of the block, its end, and where it goes."""
    for start in range(len(moved)):
        for end in range(start + 1, min(start + 10, len(moved)) + 1):
            block = moved[start:end]
            for place in range(len(output) - len(block) + 1):
                here = slice(place, place + len(block))
                to = aligned[place]
                if (
                    output[here] == block
                    and any(wrong[start:end])
                    and any(output_wrong[here])
                    and to not in range(start, end)
                    and abs(to - start) <= 25
                ):
                    if place == 0:
                        yield start, end, -1
                    elif aligned[place - 1] not in (start, to):
                        yield start, end, aligned[place - 1]
                    yield start, end, to
                    for other in aligned[here][1:]:
                        if other not in (start, to):
                            yield start, end, other


def made(words, start, end, target):
    """The words after a move."""
    rest = words[:start] + words[end:]
    if target < start:
        place = max(target, 0)
    elif target < end:
        place = target
    else:
        place = target + 1 - (end - start)
    return rest[:place] + words[start:end] + rest[place:]


def plain_edits(output, reference):
    """As the kernel's docstring says it."""
    if not output or not reference:
        return max(len(output), len(reference))
    rows, moved, moves_made = grid(reference, output), reference, 0
    while True:
        distance = best = rows[-1][-1]
        first = list(moves(moved, output, *traced(rows, moved, output)))[:10]
        chosen = None
        for start, end, target in sorted(first, key=lambda move: move[0] - move[1]):
            if best < distance - 2 * (end - start):
                break
            words = made(moved, start, end, target)
            tried = grid(words, output)
            if tried[-1][-1] < best:
                best, chosen = tried[-1][-1], (words, tried)
        if chosen is None:
            return moves_made + distance
        moved, rows = chosen
        moves_made += 1


@settings(max_examples=150)
@given(st.lists(st.tuples(*[sentences("abcdefgh", 25)] * 2), min_size=1, max_size=5))
def test_the_kernel_finds_what_the_slow_version_finds(pairs):
    outputs, references = (
        tuple(" ".join(words) for words in column) for column in zip(*pairs, strict=True)
    )
    assert counted(outputs, references) == [plain_edits(*pair) for pair in pairs]


@settings(max_examples=15)
@given(
    words=st.permutations([f"w{i}" for i in range(45)]), cut=st.integers(0, 44), whole=st.booleans()
)
def test_long_sentences_meet_the_beam_and_the_farthest_place(words, cut, whole):
    reference = [f"w{i}" for i in range(45)]
    output = words[cut:] + reference if whole else reference[cut:] + words[:cut]
    expected = plain_edits(output, reference)
    assert counted((" ".join(output),), (" ".join(reference),)) == [expected]


@pytest.mark.parametrize(
    ("output", "reference", "edits", "by_tercom"),
    [
        ("d e f a b c", "a b c d e f", 1, 1),
        ("f e d c b a", "a b c d e f", 5, 5),
        ("", "a b", 2, 2),
        ("a b", "", 2, 2),
        ("", "", 0, 0),
        ("A b", "a b", 1, 0),  # capitals count
        (f"{OTHERS} ? {WORDS[:29]}", f"{WORDS[:29]} {OTHERS}", 2, 2),  # a block of ten words
        (f"{OTHERS} ? {WORDS}", f"{WORDS} {OTHERS}", 3, 3),  # eleven are too many
    ],
)
def test_small_cases(output, reference, edits, by_tercom):
    assert counted((output,), (reference,)) == [edits]
    ter = metric_named("ter").statistics([(reference,)])((output,))
    assert ter[0, 0] == by_tercom


def test_moves_after_the_tenth_are_not_seen():
    ahead, block = [f"w{i}" for i in range(8)], ["x", "y", "z"]
    reference = [*ahead, "|", *block, "|", "|"]
    output = [*block, *ahead[::-1], "|", "|", "|"]
    listed = list(moves(reference, output, *traced(grid(reference, output), reference, output)))
    assert not any(reference[start:end] == block for start, end, _ in listed[:10])
    best = min(grid(made(reference, *move), output)[-1][-1] for move in listed)
    assert best < min(grid(made(reference, *move), output)[-1][-1] for move in listed[:10])
    assert counted((" ".join(output),), (" ".join(reference),)) == [plain_edits(output, reference)]


def test_of_several_references_the_fewest_edits_over_the_mean_length():
    metric = metric_named("moses-ter")
    counts = metric.statistics([("a b c",), ("a b c d e f",)])(("a b c d",))
    assert counts.tolist() == [[1, 4.5]]
