"""Empty outputs, which are refused unless allowed, since judges would have to score a blank.

They come from systems that failed on a segment, and from blank lines in a file.
"""

from collections.abc import Mapping, Sequence

from adjudge.core.errors import AdjudgeError
from adjudge.text.testset import TestSet

_NAMED = 3  # segments of a system


def refuse_empty(outputs: Mapping[str, Sequence[str]], texts: TestSet | None = None) -> None:
    """Refuse outputs that are empty or only white space.

    The message counts them and names the first: by the names that `texts` gives its segments,
    which are line numbers where files have no others, and without `texts` by line number.
    """
    names = [] if texts is None else texts.names
    unique = len(set(names)) == len(names)

    def place(index: int) -> str:
        if texts is None:
            return str(index + 1)
        return names[index] if unique else f"{texts.documents[index]}/{names[index]}"

    told = []
    for system, lines in outputs.items():
        blank = [index for index, text in enumerate(lines) if not text.strip()]
        if blank:
            what = ("line" if unique else "segment") + ("" if len(blank) == 1 else "s")
            first = ", ".join(map(place, blank[:_NAMED])) + (", …" if len(blank) > _NAMED else "")
            told.append(f"{system} {len(blank):,} ({what} {first})")
    if told:
        raise AdjudgeError(
            f"judges would have to score empty outputs: {'; '.join(told)}; fill them in, or allow "
            "them: `allow_empty`"
        )
