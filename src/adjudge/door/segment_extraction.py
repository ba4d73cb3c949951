"""Short segments extracted from parsed texts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.door.result import Result
from adjudge.door.signature import Signature

if TYPE_CHECKING:
    from adjudge.segments.extraction import Extraction


def extract_segments(
    source: str,
    reference: str,
    trees: str,
    system: Mapping[str, str],
    alignment: Mapping[str, str],
    *,
    shortest: int = 3,
    longest: int = 6,
    predicates: bool = False,
    contiguous: bool = False,
) -> "Result[Extraction]":
    """Extract short segments from parsed sources, and what systems made of them.

    Parameters
    ----------
    source, reference : str
        Files with a sentence a line, words between blanks.
    trees : str
        The parse trees of the source: Penn brackets, one a line, or CoNLL-U.
    system : mapping of str to str
        A file of outputs for the name of every system.
    alignment : mapping of str to str
        For every system a file that aligns source and output, as in Pharaoh: `0-0 1-2`.
    shortest, longest : int
        How many words a segment has at least, and at most.
    predicates : bool
        Add segments for verbs that no other covers.
    contiguous : bool
        Take everything from the first to the last aligned word, instead of closing gaps.

    Returns
    -------
    Result
        One `Extraction`; `write_segments(path)` writes what `adjudge campaign create` takes.

    Raises
    ------
    InputError
        If trees, texts and alignments do not fit each other; the message names the line.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> def file(name, text):
    ...     with open(os.path.join(folder, name), "w") as stream:
    ...         _ = stream.write(text)
    ...     return os.path.join(folder, name)
    >>> extraction = adjudge.extract_segments(
    ...     file("source", "the black cat sleeps"),
    ...     file("reference", "die schwarze Katze schläft"),
    ...     file("trees", "(S (NP (DT the) (JJ black) (NN cat)) (VP (VBZ sleeps)))"),
    ...     {"A": file("A", "schwarze die Katze schläft")},
    ...     {"A": file("links", "0-1 1-0 2-2 3-3")},
    ...     longest=3,
    ... )
    >>> extraction.merged["candidate"].to_list()
    ['schwarze die Katze']
    """
    import hashlib

    from adjudge.files.input_file import InputFile
    from adjudge.segments.extraction import extract

    options: dict[str, Any] = {
        "shortest": shortest,
        "longest": longest,
        "predicates": predicates,
        "contiguous": contiguous,
    }
    part = extract(source, reference, trees, system, alignment, **options)
    paths = [source, reference, trees, *system.values(), *alignment.values()]
    digest = hashlib.sha256("\n".join(InputFile(path).sha256 for path in paths).encode())
    asked = {"systems": list(system), **options}
    return Result((part,), Signature("extract_segments", {}, asked, f"sha256-{digest.hexdigest()}"))
