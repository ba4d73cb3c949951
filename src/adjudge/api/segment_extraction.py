"""Short segments extracted from parsed texts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.segments.extraction import Extraction
    from adjudge.text.testset import TestSet


def extract_segments(
    source: str,
    reference: str,
    system: Mapping[str, str],
    *,
    trees: str | None = None,
    alignment: Mapping[str, str] | None = None,
    parser: str | None = None,
    tokenize: str | None = None,
    corpus: tuple[str, str] | None = None,
    aligner: str = "diagonal",
    constituents: bool = False,
    shortest: int | None = None,
    longest: int | None = None,
    predicates: bool = False,
    contiguous: bool = False,
) -> "Result[Extraction]":
    """Extract short segments of the source, and what systems made of them.

    Parameters
    ----------
    source, reference : str
        Files with a sentence a line.
    system : mapping of str to str
        A file of outputs for the name of every system.
    trees : str, optional
        The parse trees of the source: Penn brackets, one a line, or CoNLL-U. Words are then what
        stands between blanks.
    alignment : mapping of str to str, optional
        For every system a file that aligns source and output, as in Pharaoh: `0-0 1-2`. Without
        it, texts are aligned by a model that is learnt from them.
    parser : str, optional
        Without trees: the pipeline of spaCy that makes them, by name or folder. None is the only
        one that is installed.
    tokenize : str, optional
        A tokenizer for all texts. None is the words between blanks where trees are given; without
        trees the parser splits the source, and `intl` all else.
    corpus : pair of str, optional
        Further source sentences and their translations, to learn the alignment from.
    aligner : {"diagonal", "eflomal"}
        What learns the alignment: a Model 2 that favours the diagonal, or the program eflomal,
        whose links differ a little from run to run.
    constituents : bool
        Choose constituents as WMT07 §3.3, instead of Algorithm 1 of Macháček 2014.
    shortest, longest : int, optional
        How many words a segment has at least, and at most: 3 and 6; constituents 4 and 15.
    predicates : bool
        Add segments for verbs that no other covers.
    contiguous : bool
        Take everything from the first to the last aligned word, instead of closing gaps. It is
        always so with constituents.

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
    ...     {"A": file("A", "schwarze die Katze schläft")},
    ...     trees=file("trees", "(S (NP (DT the) (JJ black) (NN cat)) (VP (VBZ sleeps)))"),
    ...     alignment={"A": file("links", "0-1 1-0 2-2 3-3")},
    ...     longest=3,
    ... )
    >>> extraction.merged["candidate"].to_list()
    ['schwarze die Katze']
    """
    import hashlib
    from dataclasses import asdict

    from adjudge.core.files.input_file import InputFile
    from adjudge.segments.extraction import extract
    from adjudge.segments.segment_selection import chosen

    choice = chosen(constituents, shortest, longest, predicates=predicates, contiguous=contiguous)
    part = extract(
        source,
        reference,
        system,
        trees=trees,
        alignments=alignment,
        parser=parser,
        tokenize=tokenize,
        corpus=corpus,
        aligner=aligner,
        choice=choice,
    )
    files = [source, reference, trees, *system.values(), *(alignment or {}).values()]
    paths = [path for path in (*files, *(corpus or ())) if path is not None]
    digest = hashlib.sha256("\n".join(InputFile(path).sha256 for path in paths).encode())
    asked: dict[str, Any] = {"systems": list(system), **asdict(choice)}
    asked |= {"trees": part.parser or "given", "alignment": "given" if alignment else aligner}
    asked |= {"tokenize": tokenize} if tokenize else {}
    return Result((part,), Signature("extract_segments", {}, asked, f"sha256-{digest.hexdigest()}"))


def extracted_phrases(
    source: str,
    reference: str | None,
    system: Mapping[str, str],
    *,
    trees: str | None = None,
    constituents: bool = False,
    documents: str | None = None,
    languages: tuple[str, str] = ("", ""),
) -> "TestSet":
    """A test set with phrases to judge, for a campaign, from plain texts."""
    import polars as pl

    from adjudge.core.errors import AdjudgeError
    from adjudge.text.segments import phrases_of

    if reference is None:
        raise AdjudgeError(
            "phrases are judged beside a reference; give one with `reference`, or phrases that "
            "have one with `segments`"
        )
    extraction = extract_segments(source, reference, system, trees=trees, constituents=constituents)
    if not len(extraction.merged):
        raise AdjudgeError(f"no phrase of {source} can be asked about; give more or longer texts")
    rows = extraction.merged.with_columns(pl.col("sentence").cast(pl.String))
    return phrases_of(rows, source, system, documents, languages)
