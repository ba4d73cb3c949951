"""How much a compressed file may unpack to.

A few bytes can unpack to more than any machine holds, so there is a limit: a thousand times what
is stored (256 MB for a small file), and never more than 16 GB. Who has a sound file beyond that
sets the environment variable `ADJUDGE_LARGEST_UNPACKED` to a number of bytes (`64e9`), which
then is the only limit.
"""

import os

from adjudge.errors import AdjudgeError, InputError

VARIABLE = "ADJUDGE_LARGEST_UNPACKED"
LARGEST = 16 * 10**9
TIMES = 1000  # what is stored; text with few distinct lines reaches some hundreds
ALWAYS_FINE = 256 * 10**6


def most_unpacked(stored: int) -> int:
    """How many bytes a file of `stored` bytes may unpack to."""
    given = os.environ.get(VARIABLE)
    if not given:
        return min(LARGEST, max(ALWAYS_FINE, TIMES * stored))
    try:
        most = int(float(given))
    except (ValueError, OverflowError):
        most = 0
    if most < 1:
        raise AdjudgeError(f"{VARIABLE} is a number of bytes like 64e9, not {given!r}; mend it")
    return most


def too_large(name: str, stored: int, most: int) -> InputError:
    """What to say of a file that unpacks to more than that."""
    return InputError(
        f"unpacks from {stored:,} bytes to more than {most:,}, as no sound file should; if you "
        f"trust it, set the environment variable {VARIABLE} to more bytes",
        file=name,
    )
