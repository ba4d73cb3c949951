"""Inverses of many small symmetric matrices, compiled.

They take n³ operations each, where LAPACK's general inverse takes 8/3 n³. Every pivot is swept in
turn (Goodnight 1979, "A tutorial on the SWEEP operator"), in the lower triangle alone, by rows, so
that the inner loop runs over neighbours.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def symmetric_inverses(matrices: Floats) -> Floats:
    """Inverses of symmetric positive definite matrices (matrices, n, n)."""
    inverses = matrices.copy()
    n = matrices.shape[1]
    column, scaled = np.empty(n), np.empty(n)
    for a in inverses:
        for pivot in range(n):
            over = 1.0 / a[pivot, pivot]
            for i in range(n):
                column[i] = a[pivot, i] if i < pivot else a[i, pivot]
                scaled[i] = column[i] * over
            for i in range(n):
                factor = column[i]
                for j in range(i + 1):
                    a[i, j] -= factor * scaled[j]
            for i in range(n):
                if i < pivot:
                    a[pivot, i] = scaled[i]
                else:
                    a[i, pivot] = scaled[i]
            a[pivot, pivot] = -over
        for i in range(n):
            for j in range(i + 1):
                a[i, j] = a[j, i] = -a[i, j]
    return inverses
