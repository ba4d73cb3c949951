"""TER with the search of Moses' scorer, which differs from tercom's (`ter_search`).

Words of the *reference* are moved, not those of the output. The grid (row j: so many words of the
reference as they stand now, column i: of the output) is filled row by row; what costs over `BEAM`
more than the best match or substitution that leads into a row is dropped, but for the last row.
It is traced back preferring matches and substitutions, then words of the reference alone, then
words of the output alone.

A move takes a block of up to `LONGEST` words that stands in the output too. Blocks are gone through
from left to right, shorter ones first, and for each the places in the output where it stands; both
must hold a wrong word, and what the place is aligned to must be outside of the block and at most
`FARTHEST` words from its start. A block is tried in front of all, or beside the word that the word
before its place, or a word of its place, is aligned to. Only the first `MOST` moves of this list
are looked at, the longest block first; the one that leaves the fewest edits is made, the first of
equals, even if it costs all it saves. This is repeated until no move saves anything.

TER as Moses' `extractor` and `evaluator` count it (C. Servan's tercpp, in Moses' copy).

    100 · (insertions + deletions + substitutions + block moves) / words of the reference

The edits are those that Moses' search finds (`moses_ter_kernels`), to the digit. It moves words of
the reference where TER moves those of the output, and looks at ten moves at a time, so it mostly
counts more edits than `ter`. This is for what was made with Moses; TER itself is `ter`. Words
are as they stand, capitals kept; parameters are those of `ter`.

Moses knows a block by a hash of its words' numbers. Blocks are compared as they are here; on the
data of the tests no two were taken for each other.

Of several references, the fewest edits count, over the mean length.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.catalogue.ter import Ter
from adjudge.metrics.words import Numbers, Words

Grid = NDArray[np.int32]

BEAM = 10
LONGEST = 10
FARTHEST = 25
MOST = 10
FAR = 1 << 28  # more than any distance


@njit(cache=True)
def _fill(grid: Grid, moved: Numbers, output: Numbers) -> int:
    """Fill the grid; return the distance in its last cell."""
    length, size = len(moved), len(output)
    for i in range(size + 1):
        grid[0, i] = i
    for j in range(1, length + 1):
        word, above, own = moved[j - 1], grid[j - 1], grid[j]
        best = FAR
        for i in range(size):
            best = min(best, above[i] + (0 if output[i] == word else 1))
        enough = best + BEAM if j < length else FAR
        left = FAR
        for i in range(size + 1):
            value = min(above[i], left) + 1
            if i > 0:
                value = min(value, above[i - 1] + (0 if output[i - 1] == word else 1))
            own[i] = left = value if value <= enough else FAR
    return int(grid[length, size])


@njit(cache=True)
def _align(
    grid: Grid,
    moved: Numbers,
    output: Numbers,
    align: Numbers,
    wrong: Numbers,
    output_wrong: Numbers,
) -> None:
    """Trace the distance back: the reference word aligned at or after every output word, and the
    wrong words.
    """
    j, i = len(moved), len(output)
    while i > 0 or j > 0:
        cost = grid[j, i]
        miss = 0 if i > 0 and j > 0 and moved[j - 1] == output[i - 1] else 1
        if i > 0 and j > 0 and grid[j - 1, i - 1] + miss == cost:
            i -= 1
            j -= 1
            align[i] = j
            wrong[j] = output_wrong[i] = miss
        elif j > 0 and grid[j - 1, i] + 1 == cost:
            j -= 1
            wrong[j] = 1
        else:
            i -= 1
            align[i] = j
            output_wrong[i] = 1


@njit(cache=True)
def _list_moves(
    moved: Numbers,
    output: Numbers,
    align: Numbers,
    wrong: Numbers,
    output_wrong: Numbers,
    moves: Numbers,
) -> int:
    """Write the first moves (start, words, target) into `moves`; return their number."""
    count = 0
    run = np.empty(len(output) + 1, np.int64)  # of equal words from here and from the start
    for start in range(len(moved)):
        for block in range(1, min(LONGEST, len(moved) - start) + 1):
            last = moved[start + block - 1]
            any_place = False
            for place in range(len(output) - block + 1):
                if block == 1:
                    run[place] = 0
                if run[place] < block - 1 or output[place + block - 1] != last:
                    continue
                run[place] = block
                any_place = True
                now = align[place]
                if start <= now < start + block or abs(now - start) > FARTHEST:
                    continue
                if not wrong[start : start + block].any():
                    continue
                if not output_wrong[place : place + block].any():
                    continue
                for offset in range(-1, block):
                    front = place + offset < 0
                    target = -1 if front else align[place + offset]
                    if target == start or (offset != 0 and not front and target == now):
                        continue
                    moves[count] = start, block, target
                    count += 1
                    if count == len(moves):
                        return count
            if not any_place:
                break
    return count


@njit(cache=True)
def _move(words: Numbers, start: int, block: int, target: int, to: Numbers) -> None:
    """Write the words with a block moved into `to`: a block that moves back is placed before its
    target, one that moves forward after it, and one whose target lies inside itself moves forward
    by as many words.
    """
    end, length = start + block, len(words)
    if target < start:
        first = max(target, 0)
        to[:first] = words[:first]
        to[first : first + block] = words[start:end]
        to[first + block : end] = words[first:start]
        to[end:] = words[end:]
        return
    past = target + 1 if target >= end else end + target - start
    past = min(past, length)
    to[:start] = words[:start]
    to[start : past - block] = words[end:past]
    to[past - block : past] = words[start:end]
    to[past:] = words[past:]


@njit(cache=True)
def edits(words: Numbers, reference: Numbers, grid: Grid) -> int:
    """Count the edits and block moves that turn the reference into the words."""
    length, size = len(reference), len(words)
    if size == 0 or length == 0:
        return max(length, size)
    align, output_wrong = np.empty(size, np.int64), np.empty(size, np.int64)
    wrong, moves = np.empty(length, np.int64), np.empty((MOST, 3), np.int64)
    now, moved, best_moved = reference.copy(), np.empty_like(reference), np.empty_like(reference)
    made = 0
    while True:
        distance = _fill(grid, now, words)
        _align(grid, now, words, align, wrong, output_wrong)
        count = _list_moves(now, words, align, wrong, output_wrong, moves)
        best = distance
        for block in range(LONGEST, 0, -1):
            for which in range(count):
                # A block saves at most two edits a word.
                if moves[which, 1] != block or best < distance - 2 * block:
                    continue
                _move(now, moves[which, 0], block, moves[which, 2], moved)
                left_over = _fill(grid, moved, words)
                if left_over < best:
                    best = left_over
                    best_moved[:] = moved
        if best == distance:
            return made + distance
        made += 1
        now[:] = best_moved


@njit(cache=True, nogil=True)
def all_moses_edits(
    words: Numbers, starts: Numbers, reference: Numbers, reference_starts: Numbers
) -> Numbers:
    """Count the edits of every segment."""
    most = np.diff(reference_starts).max() if len(reference_starts) > 1 else 0
    grid = np.empty((most + 1, np.diff(starts).max() + 1 if len(starts) > 1 else 1), np.int32)
    result = np.empty(len(starts) - 1, np.int64)
    for segment in range(len(result)):
        result[segment] = edits(
            words[starts[segment] : starts[segment + 1]],
            reference[reference_starts[segment] : reference_starts[segment + 1]],
            grid,
        )
    return result


@dataclass(frozen=True)
class MosesTer(Ter):
    """TER with Moses' search."""

    name: ClassVar[str] = "moses-ter"
    title: ClassVar[str] = "Moses TER"
    summary: ClassVar[str] = "TER by the search of Moses' scorer"
    paper: ClassVar[str] = "Snover et al. 2006"

    case: bool = True

    def edits(self, words: Words, reference: Words) -> Numbers:
        """Edits of every segment, as Moses finds them."""
        return all_moses_edits(words.numbers, words.starts, reference.numbers, reference.starts)

    def peer_signature(self, references: int) -> str | None:
        """Return None, as sacrebleu lacks this metric."""
        return None


METRIC = MosesTer()
