"""Tercom's search for word edits and block moves.

Lines are normalised as in tercom and sacrebleu.

The compiled search follows tercom and sacrebleu.

The edit distance is searched in a band of `BEAM` words around the diagonal of the grid (row i: so
many words of the output, column j: of the reference), and traced back preferring matches and
substitutions, then deletions, then insertions. Then, again and again, the block move that lowers
the distance most is made. A block is a sequence of words that stands in the reference too, up to
`LONGEST` words; it is tried where output and reference are both wrong, at most `FARTHEST` words
away, and the search stops after `MOST_TRIED` moves. Among equal gains the longest block, then the
first, then the first place to put it.

What makes this fast: rows of the grid before the first word that a move changes are those of before
the move, and what follows its last word has a distance known from a grid filled backwards.
"""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.metric import Texts
from adjudge.metrics.tokenizer import Tokens, replacing

_ASIAN_MARKS = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
_FULL_WIDTH_MARKS = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

_western = replacing(
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    (r"^|$", " "),
    (r"([!-&(-+:-@/\[-`{-~])", r" \1 "),
    (r"'s ", " 's "),
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)
# Characters stand alone; Hiragana and Katakana do as a whole where the line is nothing else.
_asian = replacing(
    (r"([\u4e00-\u9fff\u3400-\u4dbf])", r" \1 "),
    (r"([\u31c0-\u31ef\u2e80-\u2eff])", r" \1 "),
    (r"([\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f])", r" \1 "),
    (r"([\u3200-\u3f22])", r" \1 "),
    (_ASIAN_MARKS, r" \1 "),
    (_FULL_WIDTH_MARKS, r" \1 "),
)
_without_marks = replacing((r"[.,?:;!\"()]", ""))
_without_asian_marks = replacing((_ASIAN_MARKS, ""), (_FULL_WIDTH_MARKS, ""))


def split(texts: Texts, normalize: bool, punctuation: bool, asian: bool, case: bool) -> Tokens:
    """Normalise every line and split it into words."""
    changes: list[Callable[[str], str]] = []
    if not case:
        changes.append(str.lower)
    if normalize:
        changes += [_western, _asian] if asian else [_western]
    if not punctuation:
        changes += [_without_marks, _without_asian_marks] if asian else [_without_marks]
    lines = []
    for text in texts:
        line = text.rstrip().replace("\n-", "").replace("\n", " ")
        for change in changes:
            line = change(line)
        lines.append(line.split())
    return lines


Numbers = NDArray[np.int64]
Grid = NDArray[np.int32]

BEAM = 25
LONGEST = 10
FARTHEST = 50
MOST_TRIED = 1000
FAR = 1 << 28  # more than any distance


@njit(cache=True)
def _bands(low: Numbers, high: Numbers, length: int, reference_length: int) -> None:
    """Compute the band of columns low … high − 1 searched in every row."""
    ratio = reference_length / length if length else 1.0
    beam = BEAM
    if ratio / 2 > BEAM:
        beam = int(np.ceil(ratio / 2 + BEAM))
    low[0], high[0] = 0, reference_length + 1
    for i in range(1, length + 1):
        diagonal = int(np.floor(i * ratio))
        low[i] = max(0, diagonal - beam)
        high[i] = min(reference_length + 1, diagonal + beam)
    if length:
        high[length] = reference_length + 1


@njit(cache=True)
def _row(
    above: Grid, own: Grid, word: int, reference: Numbers, low: int, high: int, above_high: int
) -> None:
    """Fill one row of the grid from the row above; cells outside the band hold `FAR`."""
    left = FAR
    for j in range(low, high):
        best = above[j] + 1 if j < above_high else FAR
        if j > 0:
            diagonal = above[j - 1] + (0 if reference[j - 1] == word else 1)
            best = min(best, diagonal, left + 1)
        own[j] = left = min(best, FAR)


@njit(cache=True)
def _fill(
    grid: Grid,
    words: Numbers,
    length: int,
    reference: Numbers,
    size: int,
    low: Numbers,
    high: Numbers,
) -> None:
    """Fill the whole grid forwards."""
    for j in range(size + 1):
        grid[0, j] = j
    for i in range(1, length + 1):
        grid[i, : size + 1] = FAR
        _row(grid[i - 1], grid[i], words[i - 1], reference, low[i], high[i], size + 1)


@njit(cache=True)
def _fill_backwards(
    grid: Grid,
    words: Numbers,
    length: int,
    reference: Numbers,
    size: int,
    low: Numbers,
    high: Numbers,
) -> None:
    """Fill the grid backwards: grid[i, j] is the distance of the parts after word i of the output
    and word j of the reference.
    """
    for i in range(length, -1, -1):
        grid[i, : size + 1] = FAR
        for j in range(high[i] - 1, low[i] - 1, -1):
            if i == length:
                grid[i, j] = size - j
                continue
            best = grid[i + 1, j] + 1 if low[i + 1] <= j < high[i + 1] else FAR
            if j < size:
                if low[i + 1] <= j + 1 < high[i + 1]:
                    best = min(best, grid[i + 1, j + 1] + (0 if reference[j] == words[i] else 1))
                if j + 1 < high[i]:
                    best = min(best, grid[i, j + 1] + 1)
            grid[i, j] = min(best, FAR)


@njit(cache=True)
def _align(
    grid: Grid,
    words: Numbers,
    length: int,
    reference: Numbers,
    size: int,
    align: Numbers,
    word_wrong: Numbers,
    reference_wrong: Numbers,
) -> None:
    """Trace the distance back: the last output word at or before every reference word, and the
    wrong words.
    """
    i, j = length, size
    while i > 0 or j > 0:
        cost = grid[i, j]
        match = i > 0 and j > 0 and words[i - 1] == reference[j - 1]
        if i > 0 and j > 0 and grid[i - 1, j - 1] + (0 if match else 1) == cost:
            i -= 1
            j -= 1
            align[j] = i
            word_wrong[i] = reference_wrong[j] = 0 if match else 1
        elif i > 0 and grid[i - 1, j] + 1 == cost:
            i -= 1
            word_wrong[i] = 1
        else:
            j -= 1
            align[j] = i - 1
            reference_wrong[j] = 1


@njit(cache=True)
def _moved(words: Numbers, length: int, start: int, size: int, target: int, to: Numbers) -> int:
    """Write the words with a block moved into `to`; return the end of the changed part."""
    to[:length] = words[:length]
    if target < start:
        to[target : target + size] = words[start : start + size]
        to[target + size : start + size] = words[target:start]
        return start + size
    end = target if target > start + size else min(size + target, length)
    between = end - start - size
    to[start : start + between] = words[start + size : end]
    to[start + between : end] = words[start : start + size]
    return end


@njit(cache=True)
def _distance_of_move(
    moved: Numbers,
    first: int,
    end: int,
    reference: Numbers,
    size: int,
    forwards: Grid,
    backwards: Grid,
    rows: Grid,
    low: Numbers,
    high: Numbers,
    enough: int,
) -> int:
    """Distance after a move that changed words first … end − 1; `FAR` if above `enough`."""
    above = forwards[first]
    for i in range(first + 1, end + 1):
        own = rows[i % 2]
        own[: size + 1] = FAR
        _row(above, own, moved[i - 1], reference, low[i], high[i], size + 1)
        above = own
        if above[low[i] : high[i]].min() > enough:
            return FAR
    best = FAR
    for j in range(low[end], high[end]):
        best = min(best, above[j] + backwards[end, j])
    return best


@njit(cache=True)
def _tried(
    words: Numbers,
    reference: Numbers,
    length: int,
    size: int,
    start: int,
    other: int,
    block: int,
    align: Numbers,
    word_wrong: Numbers,
    reference_wrong: Numbers,
) -> bool:
    """Test whether a block move is a candidate: wrong on both sides, and not moved into itself."""
    if not word_wrong[start : start + block].any():
        return False
    if not reference_wrong[other : other + block].any():
        return False
    return not start <= align[other] < start + block


@njit(cache=True)
def edits(words: Numbers, reference: Numbers, work: Grid) -> tuple[int, int]:
    """Count the edits that turn the words into the reference, and the block moves among them."""
    length, size = len(words), len(reference)
    if size == 0 or length == 0:
        return max(length, size), 0
    half = len(work) // 2 - 1
    forwards, backwards, rows = work[:half], work[half : 2 * half], work[2 * half :]
    low, high = np.empty(length + 1, np.int64), np.empty(length + 1, np.int64)
    _bands(low, high, length, size)
    align, word_wrong = np.empty(size, np.int64), np.empty(length, np.int64)
    reference_wrong = np.empty(size, np.int64)
    now, moved, best_moved = words.copy(), np.empty_like(words), np.empty_like(words)
    moves, tried = 0, 0
    while True:
        _fill(forwards, now, length, reference, size, low, high)
        distance = forwards[length, size]
        if distance == 0:
            return moves, moves
        _fill_backwards(backwards, now, length, reference, size, low, high)
        _align(forwards, now, length, reference, size, align, word_wrong, reference_wrong)
        gain, longest, best_start, best_target = 0, 0, 0, 0
        for start in range(length):
            for other in range(max(0, start - FARTHEST), min(size, start + FARTHEST + 1)):
                block = 0
                while (
                    block < LONGEST
                    and start + block < length
                    and other + block < size
                    and now[start + block] == reference[other + block]
                ):
                    block += 1
                    if not _tried(
                        now,
                        reference,
                        length,
                        size,
                        start,
                        other,
                        block,
                        align,
                        word_wrong,
                        reference_wrong,
                    ):
                        continue
                    last_target = -1
                    for offset in range(-1, block):
                        before = other + offset
                        target = 0 if before == -1 else align[before] + 1
                        if target == last_target:
                            continue
                        last_target = target
                        tried += 1
                        end = _moved(now, length, start, block, target, moved)
                        left_over = _distance_of_move(
                            moved,
                            min(start, target),
                            end,
                            reference,
                            size,
                            forwards,
                            backwards,
                            rows,
                            low,
                            high,
                            distance - max(gain, 1),
                        )
                        if left_over > distance - max(gain, 1):
                            continue
                        better = distance - left_over > gain
                        if not better:
                            better = block > longest or (
                                block == longest and (start, target) < (best_start, best_target)
                            )
                        if better:
                            gain, longest = distance - left_over, block
                            best_start, best_target = start, target
                            best_moved[:] = moved
                    if tried >= MOST_TRIED:
                        return moves + distance, moves
        if gain <= 0:
            return moves + distance, moves
        moves += 1
        now[:] = best_moved


@njit(cache=True, nogil=True)
def all_edits(
    words: Numbers, starts: Numbers, reference: Numbers, reference_starts: Numbers
) -> Numbers:
    """Count edits and block moves of every segment (segments × 2)."""
    segments = len(starts) - 1
    most_words, most_reference = 1, 1
    for segment in range(segments):
        most_words = max(most_words, starts[segment + 1] - starts[segment])
        length = reference_starts[segment + 1] - reference_starts[segment]
        most_reference = max(most_reference, length)
    work = np.empty((2 * (most_words + 2), most_reference + 1), np.int32)
    result = np.empty((segments, 2), np.int64)
    for segment in range(segments):
        result[segment] = edits(
            words[starts[segment] : starts[segment + 1]],
            reference[reference_starts[segment] : reference_starts[segment + 1]],
            work,
        )
    return result
