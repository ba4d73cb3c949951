"""Names without the parts that all of them share."""

from collections.abc import Sequence


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Remove the dot-separated parts with which all names begin or end.

    `newstest2015.online-B.0.cs-en.txt` among others of its kind reads better as `online-B.0`.
    What is left begins with a letter: `llama-3.1-8b` is not `1-8b`.
    """
    parts = [name.split(".") for name in names]
    if len(names) < 2 or any(len(each) < 2 for each in parts):
        return tuple(names)
    shortest = min(map(len, parts))
    start = _shared(parts, range(shortest - 1))
    while start and not all(each[start][:1].isalpha() for each in parts):
        start -= 1
    end = _shared(parts, range(-1, start - shortest, -1))
    return tuple(".".join(each[start : len(each) - end]) for each in parts)


def _shared(parts: Sequence[Sequence[str]], places: range) -> int:
    """Count the leading places at which all names have the same part."""
    for number, place in enumerate(places):
        if len({each[place] for each in parts}) > 1:
            return number
    return len(places)
