"""METEOR's search for the best alignment, compiled.

Matches are tried from the first reference position to the last; at each, a path takes one of the
matches that begin there and whose words are free, or none. The `BEAM` best paths go on, by
coverage (more), chunks (fewer), distance (less), the earlier one of equals.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

BEAM = 40


@njit(cache=True)
def _sorted_paths(cover: Numbers, chunks: Numbers, distance: Numbers, number: int) -> Numbers:
    """The paths from best to worst, equals in the order they were made."""
    order = np.arange(number)
    for i in range(1, number):
        path, j = order[i], i - 1
        while j >= 0:
            other = order[j]
            worse = cover[other] < cover[path] or (
                cover[other] == cover[path]
                and (
                    chunks[other] > chunks[path]
                    or (chunks[other] == chunks[path] and distance[other] > distance[path])
                )
            )
            if not worse:
                break
            order[j + 1] = other
            j -= 1
        order[j + 1] = path
    return order


@njit(cache=True, nogil=True)
def align(
    length: int, size: int, matches: Numbers, first: Numbers, fixed: Numbers, as_published: bool
) -> Numbers:
    """The match chosen at every reference position, −1 for none.

    `matches` has a row for each (reference start and length, output start and length, twice its
    weight), in the order in which they are tried; `first` says where those of each position begin;
    `fixed` is the match of a position that is settled, else −1.
    """
    widest = 1
    for position in range(size):
        widest = max(widest, first[position + 1] - first[position] + 1)
    room = BEAM * widest
    # Columns: next free reference position, end of the last match, coverage, chunks, distance.
    now, after = np.zeros((room, 5), np.int64), np.zeros((room, 5), np.int64)
    chosen, next_chosen = np.full((room, size), -1), np.full((room, size), -1)
    used, next_used = np.zeros((room, length), np.bool_), np.zeros((room, length), np.bool_)
    taken, next_taken = np.zeros((room, size), np.bool_), np.zeros((room, size), np.bool_)
    now[0, 1] = -1
    for position in range(size):
        if fixed[position] >= 0:
            match = matches[fixed[position]]
            used[0, match[2] : match[2] + match[3]] = True
            taken[0, match[0] : match[0] + match[1]] = True
    number = 1
    for position in range(size):
        order = _sorted_paths(now[:, 2], now[:, 3], now[:, 4], number)
        new = 0
        for rank in range(min(BEAM, number)):
            path = order[rank]
            if now[path, 0] <= position and fixed[position] < 0:
                for which in range(first[position], first[position + 1]):
                    match = matches[which]
                    if used[path, match[2] : match[2] + match[3]].any():
                        continue
                    if taken[path, match[0] : match[0] + match[1]].any():
                        continue
                    after[new] = now[path]
                    next_chosen[new], next_used[new] = chosen[path], used[path]
                    next_taken[new] = taken[path]
                    next_used[new, match[2] : match[2] + match[3]] = True
                    next_taken[new, match[0] : match[0] + match[1]] = True
                    _take(after[new], match, as_published)
                    next_chosen[new, position] = which
                    apart = abs(match[0] - match[2])
                    if as_published:
                        after[new, 4] += apart
                    else:
                        now[path, 4] += apart  # as shipped: of the path it came from
                    new += 1
            after[new] = now[path]
            next_chosen[new], next_used[new] = chosen[path], used[path]
            next_taken[new] = taken[path]
            if now[path, 0] <= position:
                if fixed[position] >= 0:
                    match = matches[fixed[position]]
                    _take(after[new], match, as_published)
                    after[new, 4] += abs(match[0] - match[2])
                    next_chosen[new, position] = fixed[position]
                else:
                    if after[new, 1] >= 0:
                        after[new, 3] += 1
                        after[new, 1] = -1
                    after[new, 0] = position + 1
            new += 1
        now, after = after, now
        chosen, next_chosen = next_chosen, chosen
        used, next_used = next_used, used
        taken, next_taken = next_taken, taken
        number = new
    # The last chunk of the paths that are left ends here, which decides between them.
    order = _sorted_paths(now[:, 2], now[:, 3], now[:, 4], number)[:BEAM]
    now[:number, 3] += now[:number, 1] >= 0
    left = now[order]
    best = _sorted_paths(left[:, 2], left[:, 3], left[:, 4], len(left))[0]
    return np.asarray(chosen[order[best]])


@njit(cache=True)
def _take(path: Numbers, match: Numbers, as_published: bool) -> None:
    """Add a match to a path: its place, coverage and chunk."""
    if path[1] >= 0 and match[2] != path[1]:
        path[3] += 1
    path[0] = match[0] + match[1]
    path[1] = match[2] + match[3]
    if as_published:
        path[2] += match[4] * (match[1] + match[3])
    else:  # each side is cut to a whole number
        path[2] += 2 * (match[4] * match[1] // 2) + 2 * (match[4] * match[3] // 2)


@njit(cache=True)
def settled(matches: Numbers, first: Numbers, length: int, size: int) -> Numbers:
    """The match of a position that is the only one there and whose words no other covers."""
    of_reference, of_output = np.zeros(size, np.int64), np.zeros(length, np.int64)
    for match in matches:
        of_reference[match[0] : match[0] + match[1]] += 1
        of_output[match[2] : match[2] + match[3]] += 1
    fixed = np.full(size, -1)
    for position in range(size):
        if first[position + 1] - first[position] == 1:
            match = matches[first[position]]
            alone = (of_reference[match[0] : match[0] + match[1]] == 1).all()
            if alone and (of_output[match[2] : match[2] + match[3]] == 1).all():
                fixed[position] = first[position]
    return fixed
